//! Mail over a real SMTP conversation.

use std::path::Path;
use std::time::Duration;

use crate::support::smtp::{Manners, Offer, SmtpServer};
use crate::support::{mailer, mime, reset_mail, smtp};
use housekey_core::Error;
use housekey_mail::{Attachment, Encryption, MailError, Message, SmtpConfig};
use housekey_test_support::{ClosedPort, in_time};

fn problem(error: &Error) -> &MailError {
    error.downcast_ref::<MailError>().unwrap_or_else(|| panic!("no mail error: {error}"))
}

fn ca() -> Option<std::path::PathBuf> {
    Some(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/mail/support/localhost.pem"))
}

// spec: NTF-7
#[tokio::test]
async fn a_mail_arrives_with_both_parts() {
    let server = SmtpServer::start(Manners::default()).await;
    mailer(smtp(&server)).send(reset_mail().cc("ops@example.com").bcc("audit@example.com")).await.unwrap();

    let [mail] = server.arrived().try_into().unwrap();
    assert_eq!(mail.from, "hello@lantern.example");
    assert_eq!(mail.to, ["ada@example.com", "ops@example.com", "audit@example.com"]);
    let text = mime::part(&mail.data, "text/plain");
    assert!(text.starts_with("Hello Ada,\r\n\r\nSomebody asked"), "{text}");
    let link = "https://lantern.example/reset-password?token=T0p-s3cret&email=ada%40example.com";
    assert!(text.contains(&format!("Choose a new password:\r\n{link}\r\n")), "{text}");
    let html = mime::part(&mail.data, "text/html");
    assert!(html.contains(&format!("href=\"{}\"", link.replace('&', "&amp;"))), "{html}");
    assert!(html.contains("Lantern &amp; Co") && html.ends_with("</body></html>"), "{html}");

    let headers = mime::headers(&mail.data);
    let has = |line: &str| headers.iter().any(|header| header == line);
    assert!(has("From: =?utf-8?b?TGFudGVybiAmIENv?= <hello@lantern.example>"), "{headers:#?}");
    assert!(has("Subject: Reset your password") && has("Auto-Submitted: auto-generated"), "{headers:#?}");
    assert!(
        headers
            .iter()
            .any(|header| header.starts_with("Message-ID: <") && header.ends_with("@lantern.example>"))
    );
    assert!(!mail.data.contains("audit@example.com"), "a blind copy is nobody else's business");
}

#[tokio::test]
async fn other_alphabets_long_lines_and_lonely_dots_arrive_unharmed() {
    let server = SmtpServer::start(Manners::default()).await;
    let long = "ü".repeat(2000);
    let message = Message::new()
        .to(("ada@example.com", "Ada Ł. 愛"))
        .subject("Grüße aus 東京 🔑")
        .line(".")
        .line("..\n.\n\nFrom here on")
        .line(long.clone())
        .attach(Attachment::new("Rechnung Müller.txt", "Zeile 1\r\n.\r\nZeile 3".as_bytes()));
    mailer(smtp(&server)).send(message).await.unwrap();

    let [mail] = server.arrived().try_into().unwrap();
    assert!(mail.data.lines().all(|line| line.len() <= 998), "no line is longer than SMTP allows");
    let text = mime::part(&mail.data, "text/plain; charset=utf-8");
    assert!(text.contains("\r\n.\r\n") && text.contains(&long), "{text}");
    assert!(mail.data.contains("multipart/mixed") && mail.data.contains("filename*"), "{}", mail.data);
    let subject =
        mime::headers(&mail.data).into_iter().find(|header| header.starts_with("Subject: ")).unwrap();
    assert!(subject.is_ascii() && subject.contains("=?utf-8?"), "{subject}");
}

#[tokio::test]
async fn two_mails_share_a_connection_and_a_dead_one_is_replaced() {
    let server = SmtpServer::start(Manners { hangs_up_after: Some(2), ..Default::default() }).await;
    let mailer = mailer(smtp(&server));
    for _ in 0..2 {
        mailer.send(reset_mail()).await.unwrap();
    }
    assert_eq!(server.connections(), 1);
    mailer.send(reset_mail()).await.unwrap();
    assert_eq!((server.connections(), server.arrived().len()), (2, 3));
}

#[tokio::test]
async fn starttls_encrypts_before_the_password_is_said() {
    let manners = Manners {
        offer: Offer::StartTls,
        sign_in: Some(("shop".into(), "geheim".into())),
        ..Default::default()
    };
    let server = SmtpServer::start(manners).await;
    let config = SmtpConfig {
        encryption: Encryption::StartTls,
        username: "shop".into(),
        password: "geheim".into(),
        ca: ca(),
        ..smtp(&server)
    };
    mailer(config).send(reset_mail()).await.unwrap();
    assert!(server.arrived()[0].encrypted);
}

#[tokio::test]
async fn tls_from_the_first_byte() {
    let server = SmtpServer::start(Manners { offer: Offer::TlsFromTheStart, ..Default::default() }).await;
    let config = SmtpConfig { encryption: Encryption::Tls, ca: ca(), ..smtp(&server) };
    mailer(config).send(reset_mail()).await.unwrap();
    assert!(server.arrived()[0].encrypted);
}

#[tokio::test]
async fn a_certificate_nobody_vouches_for_is_refused() {
    let server = SmtpServer::start(Manners { offer: Offer::StartTls, ..Default::default() }).await;
    let config = SmtpConfig { encryption: Encryption::StartTls, ..smtp(&server) };
    let error = mailer(config).send(reset_mail()).await.unwrap_err();
    assert!(problem(&error).is_tls(), "{error}");
    assert!(error.to_string().contains("`ca` in config/mail.rs"), "{error}");
    assert!(server.arrived().is_empty());
}

#[tokio::test]
async fn a_server_without_starttls_gets_neither_password_nor_mail() {
    let server = SmtpServer::start(Manners::default()).await;
    let config = SmtpConfig {
        encryption: Encryption::StartTls,
        username: "shop".into(),
        password: "geheim".into(),
        ..smtp(&server)
    };
    let error = mailer(config).send(reset_mail()).await.unwrap_err();
    assert!(problem(&error).is_tls() && error.to_string().contains("STARTTLS"), "{error}");
    assert!(server.arrived().is_empty());
}

#[tokio::test]
async fn a_wrong_password_is_named_and_never_printed() {
    let manners = Manners { sign_in: Some(("shop".into(), "right".into())), ..Default::default() };
    let server = SmtpServer::start(manners).await;
    let config = SmtpConfig { username: "shop".into(), password: "hunter2-wrong".into(), ..smtp(&server) };
    let error = mailer(config).send(reset_mail()).await.unwrap_err();
    assert!(problem(&error).is_credentials(), "{error}");
    let text = format!("{error} {error:?} {:?}", error.source_chain());
    assert!(text.contains("MAIL_PASSWORD") && text.contains("\"shop\"") && text.contains("535"), "{text}");
    assert!(!text.contains("hunter2"), "{text}");
}

#[tokio::test]
async fn nobody_at_home_says_where_and_what_to_check() {
    let closed = ClosedPort::take().unwrap();
    let port = closed.address().port();
    let config = SmtpConfig { port, encryption: Encryption::None, ..SmtpConfig::default() };
    let error = mailer(config).send(reset_mail()).await.unwrap_err();
    assert!(problem(&error).is_unreachable() && !problem(&error).is_permanent(), "{error}");
    let text = error.to_string();
    assert!(text.contains(&format!("127.0.0.1:{port}")) && text.contains("MAIL_HOST"), "{text}");

    let config =
        SmtpConfig { host: "no such host".into(), encryption: Encryption::None, ..SmtpConfig::default() };
    let error = mailer(config).send(reset_mail()).await.unwrap_err();
    assert!(problem(&error).is_unreachable() && error.to_string().contains("no such host"), "{error}");
}

#[tokio::test]
async fn a_server_that_falls_silent_does_not_hold_the_caller() {
    for manners in [
        Manners { silent: true, ..Default::default() },
        Manners { silent_at_the_end: true, ..Default::default() },
    ] {
        let server = SmtpServer::start(manners).await;
        let config = SmtpConfig { timeout: 1, ..smtp(&server) };
        let mailer = mailer(config);
        let error = in_time("it gave up", mailer.send(reset_mail())).await.unwrap_err();
        assert!(problem(&error).is_timeout() && error.to_string().contains("timeout"), "{error}");
    }
}

#[tokio::test]
async fn a_refusal_for_good_and_one_for_now_are_told_apart() {
    for (answer, is_permanent) in [("550 5.1.1 no such user", true), ("451 4.7.1 greylisted", false)] {
        let server =
            SmtpServer::start(Manners { to_recipients: Some(answer.into()), ..Default::default() }).await;
        let error = mailer(smtp(&server)).send(reset_mail()).await.unwrap_err();
        assert_eq!(problem(&error).is_permanent(), is_permanent, "{error}");
        assert!(error.to_string().contains(&answer[4..]), "{error}");
    }
}

#[tokio::test]
async fn a_caller_that_leaves_midway_spoils_nothing_for_the_next() {
    let server = SmtpServer::start(Manners::default()).await;
    let mailer = mailer(smtp(&server));
    mailer.send(reset_mail()).await.unwrap();
    for steps in 1..40 {
        let mut sending = Box::pin(mailer.send(reset_mail().subject("cut off")));
        for _ in 0..steps {
            if tokio::time::timeout(Duration::ZERO, &mut sending).await.is_ok() {
                break;
            }
            tokio::task::yield_now().await;
        }
        drop(sending);
        mailer.send(reset_mail().subject(format!("whole {steps}"))).await.unwrap();
    }
    for steps in 1..40 {
        let subject = format!("Subject: whole {steps}\r\n");
        assert_eq!(server.arrived().iter().filter(|mail| mail.data.contains(&subject)).count(), 1);
    }
}

/// Whatever a visitor writes into a name, a title or an address: no header and no recipient comes of it.
#[tokio::test]
async fn headers_cannot_be_injected() {
    let server = SmtpServer::start(Manners::default()).await;
    let mailer = mailer(smtp(&server));
    let breaks = ["\r\n", "\n", "\r", "\r\n\r\n", "\u{2028}", "\u{85}", "\0", "\u{b}"];
    for line_break in breaks {
        let evil = format!(
            "Hi{line_break}Bcc: eve@example.com{line_break}X-Evil: 1{line_break}{line_break}<script>"
        );
        let message = Message::new()
            .to(("ada@example.com", evil.clone()))
            .reply_to(("ada@example.com", evil.clone()))
            .from(("hello@lantern.example", evil.clone()))
            .subject(evil.clone())
            .preheader(evil.clone())
            .line("x")
            .attach(Attachment::new(evil.clone(), *b"x"));
        mailer.send(message).await.unwrap();

        let mail = server.arrived().pop().unwrap();
        assert_eq!(mail.to, ["ada@example.com"], "{line_break:?}");
        let names: Vec<String> = mime::headers(&mail.data)
            .iter()
            .map(|header| header.split(':').next().unwrap_or_default().to_ascii_lowercase())
            .collect();
        assert!(!names.iter().any(|name| name == "bcc" || name == "x-evil"), "{names:?}");
        let lines = mail.data.split(['\r', '\n']).filter(|line| !line.is_empty());
        for line in lines {
            assert!(!line.starts_with("Bcc:") && !line.starts_with("X-Evil:"), "{}", mail.data);
        }

        for address in [
            format!("ada@example.com{line_break}Bcc: eve@example.com"),
            format!("ada@example.com{line_break}>{line_break}RCPT TO:<eve@example.com>"),
            format!("ada{line_break}@example.com"),
        ] {
            let error = mailer.send(Message::new().to((address, "")).subject("x")).await.unwrap_err();
            assert!(problem(&error).is_permanent(), "{error}");
        }
    }
    let kinds = ["text/plain\r\nX-Evil: 1", "text/plain; name=\"a\r\nX-Evil: 1\""];
    for kind in kinds {
        let file = Attachment::new("a", *b"x").with_content_type(kind);
        let sent = mailer.send(Message::new().to("ada@example.com").subject("x").attach(file)).await;
        assert!(sent.is_err(), "{kind:?}");
    }
}
