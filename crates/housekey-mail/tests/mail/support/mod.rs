//! A small mail server that says what it was told.

pub(crate) mod mime;
pub(crate) mod smtp;

use housekey_core::AppConfig;
use housekey_mail::{Address, Encryption, MailConfig, Mailer, Message, SmtpConfig, TransportConfig};

use self::smtp::SmtpServer;

/// The app the mails come from.
pub(crate) fn app() -> AppConfig {
    AppConfig { name: "Lantern & Co".into(), url: "https://lantern.example".into(), ..AppConfig::default() }
}

/// How to reach the server.
pub(crate) fn smtp(server: &SmtpServer) -> SmtpConfig {
    SmtpConfig {
        host: "localhost".into(),
        port: server.port(),
        encryption: Encryption::None,
        // A machine that is busy is no server that is silent.
        timeout: 120,
        ..SmtpConfig::default()
    }
}

pub(crate) fn mailer(smtp: SmtpConfig) -> Mailer {
    let config = MailConfig {
        default: "smtp".into(),
        from: Address::named("hello@lantern.example", "Lantern & Co"),
        ..MailConfig::default()
    };
    let config = config.with_mailer("smtp", TransportConfig::Smtp(smtp));
    Mailer::builder(&config, &app()).build().unwrap()
}

/// A mail with everything.
pub(crate) fn reset_mail() -> Message {
    Message::new()
        .to(("ada@example.com", "Ada Lovelace"))
        .subject("Reset your password")
        .greeting("Hello Ada,")
        .line("Somebody asked to reset the password of your account at Lantern & Co. The link below works once, for one hour.")
        .action("Choose a new password", "https://lantern.example/reset-password?token=T0p-s3cret&email=ada%40example.com")
        .line("If it was not you, there is nothing to do: your password stays as it is.")
}
