//! Notifications through a booted application: its mailer, its translator, its queue.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::io;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use housekey_core::translation::{Translator, locale, t};
use housekey_core::{ConfigFiles, Error, Result};
use housekey_http::{App, Provider, Registrar};
use housekey_mail::{DeferredJob, JobFuture, JobQueue, JobSink, MailFake, MailProvider, Mailer, Message};
use housekey_notifications::{
    Channel, ChannelFuture, Delivery, MemoryNotificationStore, NOTIFICATION_JOB, Notifiable, NotifiableKey,
    Notification, Notifications, NotificationsProvider, channels, inbox, notify, route, run_notification_job,
};
use housekey_testing::TestApp;
use serde_json::{Value, json};

struct User {
    id: &'static str,
    email: &'static str,
    language: Option<&'static str>,
}

const ADA: User = User { id: "1", email: "ada@example.com", language: None };
const BRUNO: User = User { id: "2", email: "bruno@example.com", language: Some("de") };

impl Notifiable for User {
    fn notifiable_key(&self) -> Option<NotifiableKey> {
        Some(NotifiableKey::new("user", self.id))
    }

    fn route_for(&self, channel: &str) -> Option<String> {
        (channel == "mail").then(|| self.email.to_owned())
    }

    fn preferred_locale(&self) -> Option<String> {
        self.language.map(str::to_owned)
    }
}

#[derive(Clone)]
struct PasswordReset {
    token: &'static str,
    channels: Vec<String>,
    queued: bool,
    quiet_for: Option<&'static str>,
    locale: Option<&'static str>,
}

impl Default for PasswordReset {
    fn default() -> Self {
        Self { token: "tok3n", channels: channels(["mail"]), queued: false, quiet_for: None, locale: None }
    }
}

impl PasswordReset {
    fn over<const N: usize>(names: [&str; N]) -> Self {
        Self { channels: channels(names), ..Self::default() }
    }
}

impl Notification for PasswordReset {
    fn channels(&self, _: &dyn Notifiable) -> Vec<String> {
        self.channels.clone()
    }

    fn to_mail(&self, _: &dyn Notifiable) -> Result<Message> {
        Ok(Message::new()
            .subject(t("Reset your password"))
            .line(t("Somebody asked for it."))
            .action(t("Choose a new one"), format!("https://a.example/reset?token={}", self.token)))
    }

    fn to_array(&self, _: &dyn Notifiable) -> Value {
        json!({ "asked": "by you", "locale": locale() })
    }

    fn should_send(&self, _: &dyn Notifiable, channel: &str) -> bool {
        self.quiet_for != Some(channel)
    }

    fn locale(&self) -> Option<String> {
        self.locale.map(str::to_owned)
    }

    fn should_queue(&self) -> bool {
        self.queued
    }

    fn queue(&self) -> Option<String> {
        Some("accounts".into())
    }

    fn delay(&self) -> Option<Duration> {
        Some(Duration::from_secs(5))
    }
}

#[derive(Clone, Default)]
struct Waiting(Arc<Mutex<Vec<DeferredJob>>>);

impl JobSink for Waiting {
    fn push(&self, job: DeferredJob) -> JobFuture<'_> {
        self.0.lock().unwrap().push(job);
        Box::pin(async { Ok(()) })
    }
}

struct Broken;

impl Channel for Broken {
    fn name(&self) -> &'static str {
        "broken"
    }

    fn needs_address(&self) -> bool {
        false
    }

    fn deliver<'a>(&'a self, _: &'a Delivery) -> ChannelFuture<'a> {
        Box::pin(async { Err(Error::internal("the wire is cut")) })
    }
}

/// What surrounds notifications in a real app.
struct Surroundings;

impl Provider for Surroundings {
    fn name(&self) -> &'static str {
        "surroundings"
    }

    fn register(&self, app: &mut Registrar<'_>) -> Result<()> {
        let german = r#"{ "Reset your password": "Passwort zurücksetzen", "Best regards,": "Viele Grüße" }"#;
        app.services().insert(Translator::new("en").with("de", german)?);
        let waiting = Waiting::default();
        app.services().insert(JobQueue::new(waiting.clone()));
        app.services().insert(waiting);
        Ok(())
    }
}

fn app() -> App {
    App::new(ConfigFiles::new())
        .provider(MailProvider::new())
        .provider(Surroundings)
        .provider(NotificationsProvider::new().channel(Broken).store(MemoryNotificationStore::default()))
}

fn mails(app: &TestApp) -> MailFake {
    app.services().require::<Mailer>().unwrap().fake()
}

// spec: NTF-2, NTF-3
#[tokio::test]
async fn a_notification_goes_by_mail_unless_said_otherwise() {
    let app = TestApp::new(app);
    app.within(async { notify(&ADA, PasswordReset::default()).await.unwrap() }).await;
    mails(&app).assert_count(1).assert_subject("ada@example.com", "Reset your password");
    assert_eq!(mails(&app).link_to("ada@example.com"), "https://a.example/reset?token=tok3n");
    assert!(app.within(async { inbox().unwrap().all(&ADA).await.unwrap() }).await.is_empty());
}

// spec: NTF-3, NTF-4, NTF-8
#[tokio::test]
async fn the_database_channel_stores_to_array_and_no_token() {
    let app = TestApp::new(app);
    app.within(async {
        notify(&ADA, PasswordReset::over(["mail", "database"])).await.unwrap();
        notify(&BRUNO, PasswordReset::over(["database"])).await.unwrap();
        let inbox = inbox().unwrap();
        let [stored] = inbox.unread(&ADA).await.unwrap().try_into().unwrap();
        assert_eq!((stored.kind.as_str(), &stored.data["asked"]), ("PasswordReset", &json!("by you")));
        assert!(!stored.data.to_string().contains("tok3n"));
        assert_eq!(stored.id.len(), 36);

        assert!(!inbox.mark_as_read(&BRUNO, &stored.id).await.unwrap(), "somebody else's is left alone");
        assert!(!inbox.delete(&BRUNO, &stored.id).await.unwrap());
        assert!(inbox.mark_as_read(&ADA, &stored.id).await.unwrap());
        assert!(inbox.unread(&ADA).await.unwrap().is_empty());
        assert_eq!(inbox.all(&ADA).await.unwrap().len(), 1);
        assert_eq!(inbox.mark_all_as_read(&BRUNO).await.unwrap(), 1);
        assert_eq!(inbox.clear(&BRUNO).await.unwrap(), 1);
    })
    .await;
}

// spec: NTF-6
#[tokio::test]
async fn everybody_is_told_in_their_own_language() {
    let app = TestApp::new(app);
    app.within(async {
        let notifications = housekey_notifications::notifications().unwrap();
        notifications.send_to_all([&ADA, &BRUNO], PasswordReset::over(["mail", "database"])).await.unwrap();
        assert_eq!(inbox().unwrap().all(&BRUNO).await.unwrap()[0].data["locale"], "de");
        assert_eq!(locale(), "en", "the language ends with the work it was for");
    })
    .await;
    mails(&app).assert_subject("ada@example.com", "Reset your password");
    let german = mails(&app).last_to("bruno@example.com");
    assert_eq!(german.subject(), "Passwort zurücksetzen");
    assert!(german.text().contains("Somebody asked for it."), "what has no translation is English");
    assert!(german.text().contains("Viele Grüße") && german.html().contains("lang=\"de\""));

    let english = PasswordReset { locale: Some("en"), ..Default::default() };
    app.within(async { notify(&BRUNO, english).await.unwrap() }).await;
    mails(&app).assert_subject("bruno@example.com", "Reset your password");
}

#[tokio::test]
async fn an_address_on_its_own_can_be_told() {
    let app = TestApp::new(app);
    app.within(async {
        let visitor = route("mail", "Eve <eve@example.com>").locale("de");
        notify(&visitor, PasswordReset::over(["mail", "database", "log"])).await.unwrap();
    })
    .await;
    let mail = mails(&app).last_to("eve@example.com");
    assert_eq!((mail.to()[0].name.as_str(), mail.subject()), ("Eve", "Passwort zurücksetzen"));
}

#[tokio::test]
async fn who_has_no_address_and_what_should_not_be_sent_is_left_out() {
    let app = TestApp::new(app);
    app.within(async {
        notify(&route("sms", "+49"), PasswordReset::default()).await.unwrap();
        let nobody = User { email: " ", ..ADA };
        notify(&nobody, PasswordReset::default()).await.unwrap();
        let quiet = PasswordReset { quiet_for: Some("mail"), ..PasswordReset::over(["mail", "database"]) };
        notify(&ADA, quiet).await.unwrap();
        assert_eq!(inbox().unwrap().all(&ADA).await.unwrap().len(), 1);
    })
    .await;
    mails(&app).assert_nothing_sent();
}

#[tokio::test]
async fn a_channel_that_fails_keeps_no_other_from_delivering() {
    let app = TestApp::new(app);
    let error = app
        .within(async { notify(&ADA, PasswordReset::over(["broken", "mail", "mail"])).await.unwrap_err() })
        .await
        .to_string();
    assert!(
        error.contains("telling PasswordReset over `broken`") && error.contains("the wire is cut"),
        "{error}"
    );
    mails(&app).assert_count(1);

    let unknown =
        app.within(async { notify(&ADA, PasswordReset::over(["pigeon"])).await.unwrap_err() }).await;
    let unknown = unknown.to_string();
    for word in ["pigeon", "`mail`", "`database`", "`log`", "`broken`"] {
        assert!(unknown.contains(word), "{unknown}");
    }
}

#[tokio::test]
async fn a_queued_notification_waits_sealed_and_each_channel_is_its_own_job() {
    let app = TestApp::new(app);
    let queued = PasswordReset { queued: true, ..PasswordReset::over(["mail", "database"]) };
    app.within(async { notify(&BRUNO, queued).await.unwrap() }).await;
    mails(&app).assert_nothing_sent();

    let jobs = app.services().require::<Waiting>().unwrap().0.lock().unwrap().clone();
    assert_eq!(jobs.len(), 2);
    for job in &jobs {
        assert_eq!(job.name, NOTIFICATION_JOB);
        assert_eq!((job.queue.as_deref(), job.delay), (Some("accounts"), Some(Duration::from_secs(5))));
        let stored = job.payload.to_string();
        assert!(!stored.contains("tok3n") && !stored.contains("bruno"), "{stored}");
    }
    app.within(async {
        for job in jobs.iter().chain(&jobs[1..]) {
            run_notification_job(&job.payload).await.unwrap();
        }
        assert_eq!(inbox().unwrap().all(&BRUNO).await.unwrap().len(), 1, "delivered twice, stored once");
        let forged = json!({ "kind": "X", "channel": "log" });
        let error = run_notification_job(&forged).await.unwrap_err().to_string();
        assert!(error.contains("not sealed"), "{error}");
    })
    .await;
    assert_eq!(mails(&app).last_to("bruno@example.com").subject(), "Passwort zurücksetzen");
}

#[tokio::test]
async fn without_a_store_the_database_channel_says_what_is_missing() {
    let app = TestApp::new(|| {
        App::new(ConfigFiles::new()).provider(MailProvider::new()).provider(NotificationsProvider::new())
    });
    let error =
        app.within(async { notify(&ADA, PasswordReset::over(["database"])).await.unwrap_err() }).await;
    assert!(error.to_string().contains("`notifications` table"), "{error}");
    assert!(
        notify(&ADA, PasswordReset::default())
            .await
            .unwrap_err()
            .to_string()
            .contains("NotificationsProvider")
    );
}

#[tokio::test]
async fn the_fake_knows_who_was_told_what() {
    let app = TestApp::new(app);
    let fake = app.services().require::<Notifications>().unwrap().fake();
    app.within(async {
        fake.assert_nothing_sent();
        notify(&ADA, PasswordReset::over(["mail", "database"])).await.unwrap();
        notify(&route("mail", "eve@example.com"), PasswordReset { token: "other", ..Default::default() })
            .await
            .unwrap();
        notify(&BRUNO, PasswordReset { quiet_for: Some("mail"), ..Default::default() }).await.unwrap();
    })
    .await;
    fake.assert_sent_to::<PasswordReset>(&ADA)
        .assert_sent_over::<PasswordReset, 2>(&ADA, ["mail", "database"])
        .assert_sent_to_where::<PasswordReset>(&route("mail", "eve@example.com"), |reset| {
            reset.token == "other"
        })
        .assert_not_sent_to::<PasswordReset>(&BRUNO)
        .assert_count::<PasswordReset>(2);
    assert_eq!(fake.mail_to::<PasswordReset>(&ADA).action_url(), Some("https://a.example/reset?token=tok3n"));
    assert_eq!(fake.data_to::<PasswordReset>(&ADA, "database")["asked"], "by you");
    mails(&app).assert_nothing_sent();
    fake.clear();
    fake.assert_nothing_sent();
}

#[tokio::test]
#[should_panic(expected = "these were sent:\n  PasswordReset to user 1 over mail")]
async fn a_failing_assertion_lists_what_was_sent() {
    let notifications = Notifications::new([], None);
    let fake = notifications.fake();
    notifications.send(&ADA, PasswordReset::default()).await.unwrap();
    fake.assert_sent_to::<PasswordReset>(&BRUNO);
}

#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl io::Write for Log {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

struct Careless;

impl Notification for Careless {
    fn channels(&self, _: &dyn Notifiable) -> Vec<String> {
        channels(["log", "database"])
    }

    fn to_array(&self, _: &dyn Notifiable) -> Value {
        json!({
            "title": "Reset",
            "token": "s3cr3t-one",
            "url": "https://a.example/reset?token=s3cr3t-two",
            "code": "481516",
        })
    }
}

// spec: NTF-8
#[tokio::test]
async fn not_even_a_careless_notification_logs_or_stores_a_token() {
    let app = TestApp::new(app);
    let log = Log::default();
    let writer = log.clone();
    let subscriber = tracing_subscriber::fmt()
        .with_max_level(tracing::Level::TRACE)
        .with_ansi(false)
        .with_writer(move || writer.clone())
        .finish();
    let guard = tracing::subscriber::set_default(subscriber);
    let stored = app
        .within(async {
            notify(&ADA, Careless).await.unwrap();
            inbox().unwrap().all(&ADA).await.unwrap()[0].data.to_string()
        })
        .await;
    drop(guard);

    let log = String::from_utf8(log.0.lock().unwrap().clone()).unwrap();
    assert!(log.contains("Careless") && log.contains("user 1") && log.contains("Reset"), "{log}");
    assert!(!log.contains("s3cr3t") && !log.contains("481516"), "{log}");
    assert!(log.contains("left out"), "the developer is told: {log}");
    assert!(!stored.contains("s3cr3t") && stored.contains("Reset"), "{stored}");
}
