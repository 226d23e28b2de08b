use std::collections::BTreeMap;
use std::path::PathBuf;

use housekey_core::env::FromEnv;
use housekey_core::{Hook, Secret};
use serde::{Deserialize, Serialize};

use crate::{Address, Brand, Layout};

/// `config/mail.rs`.
///
/// ```
/// use housekey_core::env;
/// use housekey_mail::{Address, Encryption, MailConfig, SmtpConfig, TransportConfig};
///
/// pub fn mail() -> MailConfig {
///     MailConfig {
///         default: env("MAIL_MAILER", "log"),
///         from: Address {
///             email: env("MAIL_FROM_ADDRESS", "hello@shop.example"),
///             name: env("MAIL_FROM_NAME", "The shop"),
///         },
///         ..Default::default()
///     }
///     .with_mailer(
///         "smtp",
///         TransportConfig::Smtp(SmtpConfig {
///             host: env("MAIL_HOST", "127.0.0.1"),
///             port: env("MAIL_PORT", 587_u16),
///             encryption: env("MAIL_ENCRYPTION", Encryption::StartTls),
///             username: env("MAIL_USERNAME", ""),
///             password: env("MAIL_PASSWORD", ""),
///             ..Default::default()
///         }),
///     )
/// }
/// # mail();
/// ```
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct MailConfig {
    /// The mailer that is used when none is named (`MAIL_MAILER`).
    pub default: String,
    /// The ways mail can go, by name. `smtp`, `log`, `file` and `fake` are there from the start.
    pub mailers: BTreeMap<String, TransportConfig>,
    /// Who mails come from. Empty: `no-reply@` and the host of the app's address.
    pub from: Address,
    /// A function of the parts that returns the HTML document; the framework's own layout if there is none.
    pub layout: Hook<Layout>,
    /// What the framework's own layout looks like.
    pub brand: Brand,
    /// Whether mails are kept for `/dev/mailbox`. `None`: in development and testing. Production never does.
    pub mailbox: Option<bool>,
    /// How many mails the mailbox keeps.
    pub mailbox_limit: usize,
}

impl Default for MailConfig {
    fn default() -> Self {
        let mailers = [
            ("smtp", TransportConfig::Smtp(SmtpConfig::default())),
            ("log", TransportConfig::Log),
            ("file", TransportConfig::File { path: "storage/mail".into() }),
            ("fake", TransportConfig::Fake),
        ];
        Self {
            default: "log".into(),
            mailers: mailers.map(|(name, transport)| (name.to_owned(), transport)).into(),
            from: Address::default(),
            layout: Hook::unset(),
            brand: Brand::default(),
            mailbox: None,
            mailbox_limit: 100,
        }
    }
}

impl MailConfig {
    /// Adds a mailer, or replaces the one of that name.
    pub fn with_mailer(mut self, name: impl Into<String>, transport: TransportConfig) -> Self {
        self.mailers.insert(name.into(), transport);
        self
    }
}

/// How a mailer hands its mail on.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "transport", rename_all = "camelCase")]
pub enum TransportConfig {
    Smtp(SmtpConfig),
    /// To the log, without anything that could be a secret.
    Log,
    /// To a folder, one `.eml` file each.
    File {
        /// The folder, below the app's root.
        path: PathBuf,
    },
    /// By a transport of the app's own, which [`AppMail::mail_transport`](crate::AppMail::mail_transport) brings.
    Own,
    /// To nobody: tests look at what would have been sent.
    Fake,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct SmtpConfig {
    /// `MAIL_HOST`
    pub host: String,
    /// `MAIL_PORT`: 587 for STARTTLS, 465 for TLS.
    pub port: u16,
    /// `MAIL_ENCRYPTION`
    pub encryption: Encryption,
    /// `MAIL_USERNAME`; empty if the server asks for none.
    pub username: String,
    /// `MAIL_PASSWORD`
    pub password: Secret,
    /// How many seconds connecting may take, and how many sending.
    pub timeout: u64,
    /// How many connections are kept open for the next mail.
    pub keep_connections: usize,
    /// A certificate (PEM) to trust beside the public ones: that of a relay of your own.
    pub ca: Option<PathBuf>,
    /// The name we say hello with; empty for the host of the app's address.
    pub hello: String,
}

impl Default for SmtpConfig {
    fn default() -> Self {
        Self {
            host: "127.0.0.1".into(),
            port: 587,
            encryption: Encryption::default(),
            username: String::new(),
            password: Secret::default(),
            timeout: 20,
            keep_connections: 4,
            ca: None,
            hello: String::new(),
        }
    }
}

/// How the way to a mail server is protected.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Encryption {
    /// Starts plain, goes on encrypted; a server that cannot is refused.
    #[default]
    StartTls,
    /// Encrypted from the first byte.
    Tls,
    /// Not at all. For a relay on the same machine.
    None,
}

impl FromEnv for Encryption {
    const EXPECTED: &'static str = "`starttls`, `tls` or `none`";

    fn from_env(text: &str) -> Option<Self> {
        match text.trim().to_ascii_lowercase().as_str() {
            "starttls" => Some(Self::StartTls),
            "tls" | "ssl" | "smtps" => Some(Self::Tls),
            "none" => Some(Self::None),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use housekey_core::{Config, ConfigCache, ConfigFile, ConfigFiles, Env};

    use super::*;
    use crate::layout;

    fn with_layout() -> MailConfig {
        MailConfig { layout: layout(|_| String::new()), ..Default::default() }
    }

    // spec: CFG-16
    #[test]
    fn a_layout_is_a_function_that_a_frozen_configuration_leaves_alone() {
        let folder = tempfile::tempdir().unwrap();
        let cache = folder.path().join("config.json");
        let files = ConfigFiles::new().with(ConfigFile::new("mail", "config/mail.rs", with_layout));
        let report = ConfigCache::write(&cache, &files, &Env::empty()).unwrap();
        assert_eq!(report.skipped[0].file, "config/mail.rs");
        assert!(report.skipped[0].location.contains("layout"));
        let config = Config::load(&files, &Env::empty(), Some(&cache)).unwrap();
        assert!(config.get::<MailConfig>().layout.is_set());
    }

    #[test]
    fn a_configuration_without_functions_survives_being_frozen() {
        let smtp = SmtpConfig { password: "geheim".into(), ..Default::default() };
        let config = MailConfig::default().with_mailer("smtp", TransportConfig::Smtp(smtp));
        let json = serde_json::to_value(&config).unwrap();
        assert_eq!(json["mailers"]["smtp"]["transport"], "smtp");
        let config: MailConfig = serde_json::from_value(json).unwrap();
        assert!(
            matches!(&config.mailers["smtp"], TransportConfig::Smtp(smtp) if smtp.password.reveal() == "geheim")
        );
        assert!(!format!("{config:?}").contains("geheim"));
    }
}
