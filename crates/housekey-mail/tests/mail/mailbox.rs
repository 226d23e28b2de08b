//! `/dev/mailbox`, through the front door.

use crate::support::reset_mail;
use housekey_core::{
    AppConfig, AppKey, Clock, Config, ConfigFiles, EncryptionConfig, Env, Environment, Error,
};
use housekey_http::{App, Provider, Registrar};
use housekey_mail::{Attachment, MailConfig, MailPreviews, MailProvider, Mailbox, Mailer, Message, mail};
use housekey_testing::TestApp;
use housekey_view::ViewProvider;

struct Previews;

impl Provider for Previews {
    fn name(&self) -> &'static str {
        "previews"
    }

    fn register(&self, app: &mut Registrar<'_>) -> housekey_core::Result<()> {
        if let Some(previews) = app.services().get::<MailPreviews>() {
            previews.add("Reset password", || Ok(reset_mail()));
        }
        Ok(())
    }
}

fn app() -> App {
    App::new(ConfigFiles::new())
        .provider(ViewProvider)
        .provider(MailProvider::new())
        .provider(Previews)
        .routes(|route| {
            route.post("/send", async || mail()?.send(reset_mail()).await).without_csrf();
        })
}

async fn only(app: &TestApp) -> String {
    let mailer = app.services().require::<Mailer>().unwrap();
    mailer.mailbox().unwrap().all().await.unwrap()[0].id.clone()
}

#[tokio::test]
async fn every_mail_shows_up_in_all_its_forms() {
    let app = TestApp::new(app);
    app.get("/dev/mailbox").await.assert_ok().assert_see("No mail yet");
    app.post("/send").await.assert_ok();

    let page = app.get("/dev/mailbox").await;
    page.assert_ok().assert_see("Reset your password").assert_see("Ada Lovelace &lt;ada@example.com&gt;");
    let id = only(&app).await;
    let at = |rest: &str| format!("/dev/mailbox/{id}{rest}");
    app.get(&at(""))
        .await
        .assert_see(&format!("src=\"/dev/mailbox/{id}/html\""))
        .assert_see("sandbox=\"allow-popups");
    app.get(&at("?show=text")).await.assert_see("Somebody asked to reset the password");
    app.get(&at("?show=headers")).await.assert_see("Message-ID").assert_see("auto-generated");
    app.get(&at("?show=source")).await.assert_see("multipart/alternative");
    app.get(&at("?show=nonsense")).await.assert_status(400);
    app.get(&at("/source")).await.assert_ok().assert_header("content-type", "message/rfc822");
}

#[tokio::test]
async fn the_mail_is_shown_where_it_can_do_nothing() {
    let app = TestApp::new(app);
    let evil = "<html><head></head><body><script>parent.document.body.remove()</script></body></html>";
    let message = reset_mail().html(evil);
    app.within(async { mail().unwrap().send(message).await.unwrap() }).await;
    let id = only(&app).await;

    let frame = app.get(&format!("/dev/mailbox/{id}/html")).await;
    let policy = frame.header("content-security-policy").unwrap().to_owned();
    assert!(policy.starts_with("sandbox allow-popups") && policy.contains("default-src 'none'"), "{policy}");
    assert!(
        !policy.contains("allow-scripts")
            && !policy.contains("allow-same-origin")
            && !policy.contains("script-src")
    );
    frame.assert_header("x-frame-options", "SAMEORIGIN").assert_header("cache-control", "no-store");
    frame.assert_see("<head><base target=\"_blank\">");

    let page = app.get(&format!("/dev/mailbox/{id}")).await;
    let policy = page.header("content-security-policy").unwrap().to_owned();
    assert!(
        policy.starts_with("default-src 'none'; style-src 'nonce-") && policy.contains("frame-src 'self'"),
        "{policy}"
    );
    page.assert_dont_see("<script");
}

#[tokio::test]
async fn what_a_mail_says_is_escaped_on_the_page() {
    let app = TestApp::new(app);
    let evil = "<img src=x onerror=alert(1)>";
    let message = Message::new()
        .to(("ada@example.com", evil))
        .subject(evil)
        .line(evil)
        .attach(Attachment::new(format!("a{evil}.txt"), *b"x"));
    app.within(async { mail().unwrap().send(message).await.unwrap() }).await;
    for show in ["html", "phone", "text", "headers", "source"] {
        app.get(&format!("/dev/mailbox?show={show}")).await.assert_ok().assert_dont_see("<img");
    }
}

#[tokio::test]
async fn only_what_we_gave_out_leads_to_a_file() {
    let app = TestApp::new(app);
    app.post("/send").await.assert_ok();
    std::fs::write(app.storage().join("secret.json"), "{}").unwrap();
    for id in ["..%2Fsecret", "..", "nope", "%2e%2e%2f%2e%2e%2fsecret", "preview-9", "preview-x", "a%00b"] {
        let status = app.get(&format!("/dev/mailbox/{id}/html")).await.status().as_u16();
        assert!(matches!(status, 400 | 404), "{id}: {status}");
    }
}

#[tokio::test]
async fn it_can_be_emptied_by_its_own_form_only() {
    let app = TestApp::new(app);
    app.post("/send").await.assert_ok();
    app.visitor().get("/dev/mailbox").await.assert_see("_token");
    app.get("/dev/mailbox").await.assert_ok();
    app.post("/dev/mailbox/clear").await.assert_redirect("/dev/mailbox");
    app.get("/dev/mailbox").await.assert_see("No mail yet");
}

#[tokio::test]
async fn previews_are_drawn_without_sending() {
    let app = TestApp::new(app);
    app.get("/dev/mailbox").await.assert_see("Reset password");
    app.get("/dev/mailbox/preview-0").await.assert_ok().assert_see("Reset your password");
    app.get("/dev/mailbox/preview-0/html").await.assert_see("Choose a new password");
    app.services().require::<Mailer>().unwrap().fake().assert_nothing_sent();
}

#[tokio::test]
async fn a_test_never_sends_to_real_people() {
    let app = TestApp::new(app)
        .with_config(|config| config.update::<MailConfig>(|mail| mail.default = "smtp".into()));
    app.post("/send").await.assert_ok();
    app.services().require::<Mailer>().unwrap().fake().assert_sent_to("ada@example.com");
}

fn booted(env: Environment, mailbox: Option<bool>) -> housekey_http::Application {
    let root = tempfile::tempdir().unwrap();
    let change = move |config: &mut Config| {
        config.update::<AppConfig>(|app| app.env = env.clone());
        config.update::<EncryptionConfig>(|encryption| encryption.key = AppKey::generate().to_text());
        config.update::<MailConfig>(|mail| mail.mailbox = mailbox);
    };
    app().root(root.path()).env(Env::empty()).configure(change).boot().unwrap()
}

#[tokio::test]
async fn production_has_no_such_page() {
    for (env, mailbox, exists) in [
        (Environment::Production, None, false),
        (Environment::Production, Some(true), false),
        (Environment::Other("staging".into()), None, false),
        (Environment::Other("staging".into()), Some(true), false),
        (Environment::Development, None, true),
        (Environment::Development, Some(false), false),
    ] {
        let application = booted(env.clone(), mailbox);
        assert_eq!(application.url("dev.mailbox.index", &[]).is_ok(), exists, "{env} {mailbox:?}");
        assert_eq!(application.services().require::<Mailer>().unwrap().mailbox().is_some(), exists);
    }
}

// spec: SEC-6
#[tokio::test]
async fn it_opens_for_this_machine_only() {
    let app = TestApp::new(app);
    app.get("/dev/mailbox").await.assert_ok();
    app.from("::1").get("/dev/mailbox").await.assert_ok();
    app.get("/dev/mailbox").header("x-forwarded-for", "127.0.0.1").await.assert_ok();
    for path in ["/dev/mailbox", "/dev/mailbox/preview-0", "/dev/mailbox/preview-0/html"] {
        app.from("203.0.113.9").get(path).await.assert_not_found();
        app.from("192.168.0.7").get(path).await.assert_not_found();
        // Behind a proxy on this machine everybody comes from this machine.
        for (name, value) in [
            ("x-forwarded-for", "203.0.113.9"),
            ("x-forwarded-for", "127.0.0.1, 203.0.113.9"),
            ("x-real-ip", "203.0.113.9"),
            ("forwarded", "for=203.0.113.9"),
        ] {
            app.get(path).header(name, value).await.assert_not_found();
        }
        // A page of evil.example whose name points to this machine.
        app.get(path).header("host", "evil.example").await.assert_not_found();
    }
    app.from("203.0.113.9").post("/dev/mailbox/clear").await.assert_not_found();
}

// spec: SEC-6
#[tokio::test]
async fn an_app_with_an_address_in_the_world_has_none_and_says_so() {
    let root = tempfile::tempdir().unwrap();
    let change = |config: &mut Config| {
        config.update::<AppConfig>(|app| {
            app.env = Environment::Development;
            app.url = "https://shop.example".into();
        });
        config.update::<MailConfig>(|mail| mail.mailbox = Some(true));
    };
    let application = app().root(root.path()).env(Env::empty()).configure(change).boot().unwrap();
    assert!(application.url("dev.mailbox.index", &[]).is_err());
    let warned = application.warnings().join("\n");
    assert!(warned.contains("/dev/mailbox") && warned.contains("https://shop.example"), "{warned}");
}

#[tokio::test]
async fn it_keeps_the_newest_and_survives_a_broken_file() -> Result<(), Error> {
    let folder = tempfile::tempdir()?;
    let mailbox = Mailbox::new(folder.path().join("box"), 3, Clock::frozen_now());
    let mailer =
        Mailer::builder(&MailConfig::default(), &crate::support::app()).mailbox(mailbox.clone()).build()?;
    for number in 1..=5 {
        mailer.send(reset_mail().subject(format!("Number {number}"))).await?;
    }
    let subjects =
        |mails: &[housekey_mail::KeptMail]| mails.iter().map(|mail| mail.subject.clone()).collect::<Vec<_>>();
    assert_eq!(subjects(&mailbox.all().await?), ["Number 5", "Number 4", "Number 3"]);

    let newest = mailbox.all().await?[0].id.clone();
    std::fs::write(folder.path().join("box").join(format!("{newest}.json")), "{\"id\":").unwrap();
    assert_eq!(subjects(&mailbox.all().await?), ["Number 4", "Number 3"]);
    mailbox.clear().await?;
    assert!(mailbox.all().await?.is_empty());
    Ok(())
}

#[tokio::test]
async fn a_mail_that_did_not_go_is_kept_with_the_reason() -> Result<(), Error> {
    let folder = tempfile::tempdir()?;
    let mailbox = Mailbox::new(folder.path(), 3, Clock::system());
    let closed = housekey_test_support::ClosedPort::take()?;
    let smtp = housekey_mail::SmtpConfig { port: closed.address().port(), ..Default::default() };
    let config = MailConfig { default: "smtp".into(), ..Default::default() }
        .with_mailer("smtp", housekey_mail::TransportConfig::Smtp(smtp));
    let mailer = Mailer::builder(&config, &crate::support::app()).mailbox(mailbox.clone()).build()?;
    mailer.send(reset_mail()).await.unwrap_err();
    let kept = mailbox.all().await?;
    assert!(kept[0].problem.as_ref().unwrap().contains("no mail server answers"));
    Ok(())
}

#[tokio::test]
async fn a_mailbox_that_cannot_be_written_stops_no_mail() -> Result<(), Error> {
    let file = tempfile::NamedTempFile::new()?;
    let mailbox = Mailbox::new(file.path().join("below-a-file"), 3, Clock::system());
    let mailer = Mailer::builder(&MailConfig::default(), &crate::support::app()).mailbox(mailbox).build()?;
    mailer.send(reset_mail()).await
}
