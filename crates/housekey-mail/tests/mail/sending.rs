//! Mailers, the fake, the queue, the log and the files.

use std::io;
use std::sync::{Arc, Mutex};

use crate::support::smtp::{Manners, SmtpServer};
use crate::support::{app, reset_mail, smtp};
use housekey_core::{AppKey, Clock, Encrypter, Paths, Result};
use housekey_mail::{
    DeferredJob, JobFuture, JobQueue, JobSink, MAIL_JOB, MailConfig, MailError, Mailer, Message,
    OutgoingMail, Transport, TransportConfig, TransportFuture,
};

#[derive(Clone, Default)]
struct Waiting(Arc<Mutex<Vec<DeferredJob>>>);

impl JobSink for Waiting {
    fn push(&self, job: DeferredJob) -> JobFuture<'_> {
        self.0.lock().unwrap().push(job);
        Box::pin(async { Ok(()) })
    }
}

#[tokio::test]
async fn a_queued_mail_is_sealed_and_arrives_when_the_worker_runs_it() {
    let server = SmtpServer::start(Manners::default()).await;
    let waiting = Waiting::default();
    let config = MailConfig { default: "log".into(), ..Default::default() }
        .with_mailer("post", TransportConfig::Smtp(smtp(&server)));
    let build = |key: &AppKey| {
        let encrypter = Arc::new(Encrypter::new(key.clone()));
        Mailer::builder(&config, &app())
            .encrypter(encrypter)
            .job_queue(JobQueue::new(waiting.clone()))
            .build()
            .unwrap()
    };
    let key = AppKey::generate();
    build(&key).mailer("post").unwrap().queue(reset_mail()).await.unwrap();
    assert!(server.arrived().is_empty());

    let [job] = waiting.0.lock().unwrap().clone().try_into().unwrap();
    assert_eq!(job.name, MAIL_JOB);
    let stored = job.payload.to_string();
    assert!(!stored.contains("s3cret") && !stored.contains("ada@example.com"), "{stored}");
    // A worker is another process with the same key, and knows the mailer by its name.
    build(&key).run_job(&job.payload).await.unwrap();
    assert!(server.arrived()[0].data.contains("Reset your password"));

    let forged = serde_json::json!({ "mailer": "post", "message": { "to": [{ "email": "x@y.example" }], "subject": "x" } });
    assert!(build(&key).run_job(&forged).await.unwrap_err().to_string().contains("not sealed"));
    let other = build(&AppKey::generate()).run_job(&job.payload).await.unwrap_err();
    assert!(other.to_string().contains("APP_KEY"), "{other}");
    assert_eq!(server.arrived().len(), 1);
}

#[tokio::test]
async fn a_message_that_can_never_be_sent_is_not_queued() {
    let waiting = Waiting::default();
    let config = MailConfig::default();
    let mailer = Mailer::builder(&config, &app()).job_queue(JobQueue::new(waiting.clone())).build().unwrap();
    let error = mailer.queue(Message::new().to("nonsense").subject("x")).await.unwrap_err();
    assert!(error.downcast_ref::<MailError>().unwrap().is_permanent());
    assert!(waiting.0.lock().unwrap().is_empty());
}

#[tokio::test]
async fn without_a_queue_a_queued_mail_is_sent_now() {
    let server = SmtpServer::start(Manners::default()).await;
    crate::support::mailer(smtp(&server)).queue(reset_mail()).await.unwrap();
    assert_eq!(server.arrived().len(), 1);
}

#[tokio::test]
async fn the_fake_takes_over_every_mailer_and_every_clone() {
    let server = SmtpServer::start(Manners::default()).await;
    let mailer = crate::support::mailer(smtp(&server));
    let clone = mailer.clone();
    let fake = mailer.fake();
    clone.send(reset_mail()).await.unwrap();
    clone.mailer("log").unwrap().queue(reset_mail().to("bob@example.com")).await.unwrap();

    fake.assert_count(2)
        .assert_sent_to("ADA@example.com")
        .assert_subject("ada@example.com", "Reset your password")
        .assert_queued_to("bob@example.com")
        .assert_not_sent_to("eve@example.com")
        .assert_sent(|mail| mail.text().contains("works once"));
    assert_eq!(
        fake.link_to("ada@example.com"),
        "https://lantern.example/reset-password?token=T0p-s3cret&email=ada%40example.com"
    );
    fake.clear();
    fake.assert_nothing_sent();
    assert!(server.arrived().is_empty(), "nothing left the house");
}

#[tokio::test]
#[should_panic(
    expected = "no mail was sent to eve@example.com; these were sent:\n  \"Reset your password\" to ada@example.com"
)]
async fn a_failing_assertion_lists_what_was_sent() {
    let mailer = Mailer::fake_only();
    mailer.send(reset_mail()).await.unwrap();
    mailer.fake().assert_sent_to("eve@example.com");
}

#[tokio::test]
async fn links_are_found_in_mails_without_a_button() {
    let mail = Message::new()
        .to("ada@example.com")
        .subject("x")
        .line("See https://a.example/x?y=1, or <https://b.example>.");
    let mail = Mailer::fake_only().render(mail).await.unwrap();
    assert_eq!(mail.link().unwrap(), "https://a.example/x?y=1");
    assert_eq!(mail.links()[1], "https://b.example");
}

#[tokio::test]
async fn an_unknown_mailer_is_an_error_that_lists_the_known_ones() {
    let config = MailConfig { default: "pigeon".into(), ..Default::default() };
    let error = Mailer::builder(&config, &app()).build().unwrap_err().to_string();
    for word in ["pigeon", "`smtp`", "`log`", "`file`", "`fake`", "MAIL_MAILER"] {
        assert!(error.contains(word), "{error}");
    }
}

struct Broken;

impl Transport for Broken {
    fn name(&self) -> &'static str {
        "broken"
    }

    fn send<'a>(&'a self, _: &'a OutgoingMail) -> TransportFuture<'a> {
        Box::pin(async { Err(MailError::temporary("the provider is down").into()) })
    }
}

#[tokio::test]
async fn a_transport_of_ones_own_is_a_mailer_like_any_other() {
    let config = MailConfig { default: "broken".into(), ..Default::default() };
    let mailer = Mailer::builder(&config, &app()).transport("broken", Arc::new(Broken)).build().unwrap();
    let error = mailer.send(reset_mail()).await.unwrap_err();
    assert!(!error.downcast_ref::<MailError>().unwrap().is_permanent());
}

#[tokio::test]
async fn files_can_be_opened_by_mail_programs_and_read_by_nobody_else() -> Result<()> {
    let root = tempfile::tempdir()?;
    let config = MailConfig { default: "file".into(), ..Default::default() };
    let mailer = Mailer::builder(&config, &app())
        .paths(Paths::new("/nowhere").with_storage(root.path()))
        .clock(Clock::frozen_now())
        .build()?;
    mailer.send(reset_mail()).await?;
    mailer.send(reset_mail()).await?;

    let files: Vec<_> =
        std::fs::read_dir(root.path().join("mail"))?.map(|entry| entry.unwrap().path()).collect();
    assert_eq!(files.len(), 2);
    let text = std::fs::read_to_string(&files[0])?;
    assert!(files[0].extension().unwrap() == "eml" && text.contains("Subject: Reset your password"));
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        assert_eq!(std::fs::metadata(&files[0])?.permissions().mode() & 0o777, 0o600);
    }

    let config = config.with_mailer("file", TransportConfig::File { path: files[0].join("below-a-file") });
    let error = Mailer::builder(&config, &app()).build()?.send(reset_mail()).await.unwrap_err().to_string();
    assert!(error.contains("below-a-file") && error.contains("config/mail.rs"), "{error}");
    Ok(())
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

// spec: NTF-8
#[tokio::test]
async fn the_log_shows_the_mail_without_its_secrets_at_any_level() {
    let log = Log::default();
    let writer = log.clone();
    let subscriber = tracing_subscriber::fmt()
        .with_max_level(tracing::Level::TRACE)
        .with_ansi(false)
        .with_writer(move || writer.clone())
        .finish();
    let guard = tracing::subscriber::set_default(subscriber);
    let mailer = Mailer::builder(&MailConfig::default(), &app()).build().unwrap();
    let message = reset_mail()
        .subject("481516 is your code")
        .code("481 516")
        .code("open sesame")
        .line("Backup: AB12-CD34, ZXCV-BNMQ");
    mailer.send(message).await.unwrap();
    drop(guard);

    let log = String::from_utf8(log.0.lock().unwrap().clone()).unwrap();
    assert!(
        log.contains("ada@example.com")
            && log.contains("https://lantern.example/reset-password?token=…&email=…"),
        "{log}"
    );
    for secret in ["s3cret", "481", "516", "sesame", "AB12", "ZXCV"] {
        assert!(!log.contains(secret), "{secret} in {log}");
    }
}
