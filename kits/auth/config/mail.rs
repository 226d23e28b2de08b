use housekey::mail::{Address, Brand, Encryption, SmtpConfig, TransportConfig};
use housekey::{MailConfig, default, env};

/// How mail leaves the app. In development every mail is kept at /dev/mailbox too, for this machine alone.
pub fn mail() -> MailConfig {
    MailConfig {
        // `log` writes that a mail was sent, without its secrets; `file` keeps it in storage/mail; `smtp` sends it.
        default: env("MAIL_MAILER", "log"),

        // Empty: no-reply@ and the host of APP_URL.
        from: Address { email: env("MAIL_FROM_ADDRESS", ""), name: env("MAIL_FROM_NAME", "") },

        // What the framework's own layout looks like. `layout: layout(|mail| …)` replaces it.
        brand: Brand { accent: "#17495f".into(), ..default() },

        ..default()
    }
    .with_mailer(
        "smtp",
        TransportConfig::Smtp(SmtpConfig {
            host: env("MAIL_HOST", "127.0.0.1"),
            port: env("MAIL_PORT", 587_u16),
            // `starttls`, `tls` or `none`.
            encryption: env("MAIL_ENCRYPTION", Encryption::StartTls),
            username: env("MAIL_USERNAME", ""),
            password: env("MAIL_PASSWORD", ""),
            ..default()
        }),
    )
}
