//! Mail and notifications that wait in a real queue and are delivered by a real worker, on every driver.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::sync::{Arc, Mutex};
use std::time::Duration;

use housekey_core::{
    AppConfig, AppKey, Clock, Config, ConfigFiles, EncryptionConfig, Env, Environment, Error, Result, random,
};
use housekey_database::testing::TestDatabase;
use housekey_database::{DatabaseConfig, Databases};
use housekey_http::{App, Application};
use housekey_mail::{
    MailConfig, MailError, MailProvider, Message, OutgoingMail, Transport, TransportFuture, mail,
};
use housekey_notifications::{
    Notifiable, NotifiableKey, Notification, NotificationsConfig, NotificationsProvider, QueueingProvider,
    channels, inbox, notify, tables,
};
use housekey_queue::{FailedJobFilter, Queue, QueueConfig, QueueProvider, Worker, WorkerReport};
use housekey_redis::{RedisConfig, RedisServers, client};
use serde_json::{Value, json};

const TOKEN: &str = "s3cr3t-r3s3t-t0k3n";
const ADA: &str = "ada@example.com";

struct Ada;

impl Notifiable for Ada {
    fn notifiable_key(&self) -> Option<NotifiableKey> {
        Some(NotifiableKey::new("user", "1"))
    }

    fn route_for(&self, channel: &str) -> Option<String> {
        (channel == "mail").then(|| ADA.to_owned())
    }
}

struct Reset {
    queued: bool,
}

impl Notification for Reset {
    fn channels(&self, _: &dyn Notifiable) -> Vec<String> {
        channels(["mail", "database"])
    }

    fn to_mail(&self, _: &dyn Notifiable) -> Result<Message> {
        Ok(letter())
    }

    fn to_array(&self, _: &dyn Notifiable) -> Value {
        json!({ "asked": "for a new password" })
    }

    fn should_queue(&self) -> bool {
        self.queued
    }
}

fn letter() -> Message {
    Message::new()
        .subject("Reset your password")
        .line("Somebody asked for it.")
        .action("Choose a new one", link())
}

fn link() -> String {
    format!("https://a.example/reset?token={TOKEN}")
}

/// Where mails arrive. Out of order, it quotes the whole mail in its complaint, as careless servers do.
#[derive(Clone, Default)]
struct Letterbox(Arc<Mutex<(Vec<OutgoingMail>, Option<Trouble>)>>);

#[derive(Clone, Copy)]
enum Trouble {
    Passing,
    Final,
}

impl Letterbox {
    fn links(&self) -> Vec<(String, Option<String>)> {
        let mails = self.0.lock().unwrap();
        mails.0.iter().map(|mail| (mail.to()[0].email.clone(), mail.link())).collect()
    }

    fn set(&self, trouble: Option<Trouble>) {
        self.0.lock().unwrap().1 = trouble;
    }
}

impl Transport for Letterbox {
    fn name(&self) -> &'static str {
        "letterbox"
    }

    fn send<'a>(&'a self, mail: &'a OutgoingMail) -> TransportFuture<'a> {
        Box::pin(async move {
            let mut state = self.0.lock().unwrap();
            let complaint = || format!("550 <{}> refused: {}", mail.to()[0].email, mail.text());
            match state.1 {
                None => state.0.push(mail.clone()),
                Some(Trouble::Passing) => return Err(MailError::temporary(complaint()).into()),
                Some(Trouble::Final) => return Err(MailError::permanent(complaint()).into()),
            }
            Ok(())
        })
    }
}

/// An app with a queue on this driver.
struct Site {
    application: Application,
    letterbox: Letterbox,
    clock: Clock,
    _test: TestDatabase,
}

impl Site {
    async fn new(driver: &'static str, test: TestDatabase, notifications: NotificationsConfig) -> Self {
        test.db.schema(tables::create).await.unwrap();
        test.db.schema(housekey_queue::tables::create).await.unwrap();
        let letterbox = Letterbox::default();
        let connection = test.config.clone();
        let clock = Clock::frozen_now();
        let application = App::new(ConfigFiles::new())
            .root(test.paths().root())
            .env(Env::empty())
            .clock(clock.clone())
            .configure(move |config: &mut Config| {
                config.update::<AppConfig>(|app| app.env = Environment::Production);
                config.update::<EncryptionConfig>(|encryption| encryption.key = AppKey::generate().to_text());
                config.update::<DatabaseConfig>(|database| {
                    database.connections.insert(database.default.clone(), connection);
                });
                config.update::<QueueConfig>(|queue| driver.clone_into(&mut queue.driver));
                config.update::<MailConfig>(|mail| mail.default = "letterbox".into());
                config.update::<NotificationsConfig>(|config| *config = notifications);
                if driver == "redis" {
                    config.update::<RedisConfig>(|redis| {
                        let url = std::env::var("HOUSEKEY_TEST_REDIS_URL");
                        let url = url.expect("HOUSEKEY_TEST_REDIS_URL is not set: run `cargo xtask test`");
                        redis.connections.insert("default".into(), url.into());
                        redis.prefix = Some(format!("hk_{}:", random::short_id()));
                    });
                }
            })
            .provider(QueueProvider)
            .provider(MailProvider::new().transport("letterbox", letterbox.clone()))
            .provider(NotificationsProvider::new())
            .provider(QueueingProvider)
            .boot()
            .unwrap();
        Self { application, letterbox, clock, _test: test }
    }

    async fn within<T>(&self, work: impl Future<Output = T>) -> T {
        self.application.scope().enter(work).await
    }

    fn queue(&self) -> Queue {
        (*self.application.services().require::<Queue>().unwrap()).clone()
    }

    async fn work(&self) -> WorkerReport {
        let config = self.application.config().get::<QueueConfig>();
        let worker = Worker::from_config(self.queue(), self.application.services().clone(), &config);
        worker.stop_when_empty().run_until(std::future::pending()).await.unwrap()
    }

    /// Everything the queue's store holds, as whoever steals it reads it.
    async fn stolen(&self) -> String {
        let services = self.application.services();
        if self.queue().driver().name() == "redis" {
            let redis = services.require::<RedisServers>().unwrap().connection(None).unwrap();
            let keys = client::cmd("KEYS").arg(format!("{}*", redis.prefix())).to_owned();
            let mut stolen = String::new();
            for key in redis.command::<Vec<String>>(&keys).await.unwrap() {
                let mut dump = client::cmd("DUMP");
                let bytes: Vec<u8> = redis.command(dump.arg(&key)).await.unwrap();
                stolen.push_str(&String::from_utf8_lossy(&bytes));
            }
            return stolen;
        }
        let db = services.require::<Databases>().unwrap().connection(None).unwrap();
        let mut stolen = String::new();
        for table in ["jobs", "failed_jobs"] {
            for row in db.table(table).rows().await.unwrap() {
                for column in row.columns() {
                    stolen.push_str(&format!("{:?}\n", row.value(column).unwrap()));
                }
            }
        }
        stolen
    }

    async fn assert_keeps_quiet(&self) {
        let stolen = self.stolen().await;
        assert!(stolen.contains("housekey."), "the jobs are there: {stolen}");
        for secret in [TOKEN, ADA, "a.example", "Reset your", "for a new password"] {
            assert!(!stolen.contains(secret), "{secret} can be read in {stolen}");
        }
    }
}

macro_rules! on_every_driver {
    ($($name:ident),+ $(,)?) => {
        on_every_driver!(@driver sqlite "database" sqlite: $($name)+);
        on_every_driver!(@driver postgres "database" postgres: $($name)+);
        on_every_driver!(@driver mysql "database" mysql: $($name)+);
        on_every_driver!(@driver redis "redis" sqlite: $($name)+);
    };
    (@driver $module:ident $driver:literal $engine:ident: $($name:ident)+) => {
        mod $module {
            $(
                #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
                async fn $name() {
                    let test = super::TestDatabase::$engine().await;
                    super::$name(super::Site::new($driver, test, Default::default()).await).await;
                }
            )+
        }
    };
}

on_every_driver!(
    a_queued_mail_waits_sealed_and_arrives_by_a_worker,
    a_queued_notification_arrives_on_every_channel,
    a_refused_mail_is_given_up_and_kept_without_a_word_of_it,
    a_mail_that_fails_is_tried_again_and_arrives_once,
);

// spec: NTF-8
async fn a_queued_mail_waits_sealed_and_arrives_by_a_worker(site: Site) {
    site.within(async { mail().unwrap().queue(letter().to(ADA)).await }).await.unwrap();
    assert!(site.letterbox.links().is_empty(), "it waits");
    site.assert_keeps_quiet().await;

    assert_eq!(site.work().await.done, 1);
    assert_eq!(site.letterbox.links(), [(ADA.to_owned(), Some(link()))]);
}

// spec: NTF-2, NTF-4, NTF-8
async fn a_queued_notification_arrives_on_every_channel(site: Site) {
    site.within(async { notify(&Ada, Reset { queued: true }).await }).await.unwrap();
    assert!(site.letterbox.links().is_empty(), "it waits");
    site.assert_keeps_quiet().await;

    assert_eq!(site.work().await.done, 2, "each channel is a job of its own");
    assert_eq!(site.letterbox.links(), [(ADA.to_owned(), Some(link()))]);
    let stored = site.within(async { inbox().unwrap().unread(&Ada).await.unwrap() }).await;
    assert_eq!((stored.len(), &stored[0].data["asked"]), (1, &json!("for a new password")));
    assert!(!stored[0].data.to_string().contains(TOKEN));
}

// spec: NTF-8
async fn a_refused_mail_is_given_up_and_kept_without_a_word_of_it(site: Site) {
    site.letterbox.set(Some(Trouble::Final));
    site.within(async {
        mail().unwrap().queue(letter().to(ADA)).await.unwrap();
        notify(&Ada, Reset { queued: true }).await.unwrap();
    })
    .await;
    let report = site.work().await;
    assert_eq!((report.done, report.failed), (1, 2), "only the database channel works");
    let failed = site.queue().driver().failed(10).await.unwrap();
    assert_eq!(failed.len(), 2);
    for job in &failed {
        assert!(job.error.contains("550") && job.error.contains("refused"), "{}", job.error);
        assert_eq!(job.attempts, 1, "another try cannot help");
    }
    site.assert_keeps_quiet().await;

    site.letterbox.set(None);
    assert_eq!(site.queue().driver().retry(&FailedJobFilter::All).await.unwrap(), 2);
    assert_eq!(site.work().await.done, 2);
    assert_eq!(site.letterbox.links().len(), 2, "what was given up is still whole");
}

async fn a_mail_that_fails_is_tried_again_and_arrives_once(site: Site) {
    site.letterbox.set(Some(Trouble::Passing));
    site.within(async { mail().unwrap().queue(letter().to(ADA)).await }).await.unwrap();
    assert_eq!(site.work().await.retried, 1);
    let size = site.queue().driver().size("default").await.unwrap();
    assert_eq!((size.delayed, size.total()), (1, 1), "it waits for its next try");
    site.assert_keeps_quiet().await;

    site.letterbox.set(None);
    site.clock.advance(Duration::from_secs(6));
    assert_eq!(site.work().await.done, 1);
    assert_eq!(site.letterbox.links(), [(ADA.to_owned(), Some(link()))]);
}

#[tokio::test]
async fn without_a_worker_the_sync_driver_delivers_at_once_and_tells_who_waits() {
    let site = Site::new("sync", TestDatabase::sqlite().await, NotificationsConfig::default()).await;
    site.within(async {
        mail().unwrap().queue(letter().to(ADA)).await.unwrap();
        notify(&Ada, Reset { queued: true }).await.unwrap();
        assert_eq!(inbox().unwrap().unread(&Ada).await.unwrap().len(), 1);
    })
    .await;
    assert_eq!(site.letterbox.links().len(), 2);

    site.letterbox.set(Some(Trouble::Passing));
    let error = site.within(async { mail().unwrap().queue(letter().to(ADA)).await.unwrap_err() }).await;
    let error = error.to_string();
    assert!(error.contains("550") && !error.contains(TOKEN), "{error}");
}

#[tokio::test]
async fn a_configuration_can_let_every_notification_wait_in_a_queue_of_its_own() {
    let config = NotificationsConfig { queue_all: true, queue: Some("letters".into()), ..Default::default() };
    let site = Site::new("database", TestDatabase::sqlite().await, config).await;
    site.within(async { notify(&Ada, Reset { queued: false }).await }).await.unwrap();
    assert!(site.letterbox.links().is_empty(), "it waits although it did not ask to");
    assert_eq!(site.queue().driver().size("letters").await.unwrap().ready, 2);
}

#[tokio::test]
async fn who_can_write_to_the_store_cannot_send_mail_in_our_name() {
    let site = Site::new("database", TestDatabase::sqlite().await, NotificationsConfig::default()).await;
    let forged = json!({ "mailer": "letterbox", "message": letter().to("mallory@example.com") });
    site.queue().push(housekey_mail::MAIL_JOB, forged, None, Duration::ZERO).await.unwrap();
    assert_eq!(site.work().await.failed, 1, "it is given up at once");
    assert!(site.letterbox.links().is_empty());
    let failed = site.queue().driver().failed(1).await.unwrap();
    assert!(failed[0].error.contains("not sealed"), "{}", failed[0].error);
}

#[test]
fn without_a_queue_the_app_does_not_boot_and_says_why() {
    let app = App::new(ConfigFiles::new()).env(Env::empty()).configure(|config: &mut Config| {
        config.update::<AppConfig>(|app| app.env = Environment::Development);
    });
    let error = app.provider(QueueingProvider).boot().map(drop).unwrap_err();
    let error: Error = error;
    assert!(error.to_string().contains("QueueProvider"), "{error}");
}
