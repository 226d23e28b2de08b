use std::collections::BTreeMap;
use std::sync::Arc;

use housekey_core::{AppConfig, Clock, Encrypter, Environment, Result};
use housekey_http::{Provider, Registrar};

use crate::app_transports::AppTransports;
use crate::config::{Encryption, MailConfig, SmtpConfig, TransportConfig};
use crate::mailbox::{self, MailPreviews, Mailbox};
use crate::{Mailer, Transport};

/// Brings mail into an app: the [`Mailer`], and `/dev/mailbox` outside production.
///
/// ```
/// use housekey_core::ConfigFiles;
/// use housekey_http::App;
/// use housekey_mail::MailProvider;
///
/// let app = App::new(ConfigFiles::new()).provider(MailProvider::new());
/// # drop(app);
/// ```
#[derive(Clone, Default)]
pub struct MailProvider {
    transports: BTreeMap<String, Arc<dyn Transport>>,
}

impl MailProvider {
    /// Mail as `config/mail.rs` says.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a mailer with a transport of one's own.
    pub fn transport(mut self, name: impl Into<String>, transport: impl Transport) -> Self {
        self.transports.insert(name.into(), Arc::new(transport));
        self
    }
}

impl Provider for MailProvider {
    fn name(&self) -> &'static str {
        "mail"
    }

    fn register(&self, app: &mut Registrar<'_>) -> Result<()> {
        let config = app.config().get::<MailConfig>();
        let about = app.config().get::<AppConfig>();
        let paths = app.paths().clone();
        let clock = app.services().get::<Clock>().map_or_else(Clock::system, Arc::unwrap_or_clone);
        let encrypter = app.services().require::<Encrypter>()?;

        let transports = AppTransports::of(app.services());
        let mut mailer = Mailer::builder(&config, &about)
            .paths(paths.clone())
            .clock(clock.clone())
            .encrypter(encrypter)
            .app_transports(transports);
        for (name, transport) in &self.transports {
            mailer = mailer.transport(name.clone(), transport.clone());
        }
        if keeps_mails(&config, &about.env) && !about.is_local() {
            app.warn(format!(
                "/dev/mailbox is not served: it shows every mail, and APP_URL ({}) is not an address of this machine",
                about.url
            ));
        } else if keeps_mails(&config, &about.env) {
            mailer =
                mailer.mailbox(Mailbox::new(paths.framework().join("mailbox"), config.mailbox_limit, clock));
            app.services().insert(MailPreviews::default());
            mailbox::routes(app.routes());
        }
        let mailer = mailer.build()?;
        if about.env.is_testing() {
            // Whatever a developer's machine is configured with: no test writes to real people.
            mailer.fake();
        }
        for warning in warnings(&config, &about.env) {
            app.warn(warning);
        }
        app.services().insert(mailer);
        Ok(())
    }
}

/// The mailbox signs people in: where the rules of production hold there is none, whatever the configuration says.
// spec: SEC-6
fn keeps_mails(config: &MailConfig, env: &Environment) -> bool {
    !env.is_production() && config.mailbox.unwrap_or(true)
}

fn warnings(config: &MailConfig, env: &Environment) -> Vec<String> {
    let mut warnings = Vec::new();
    let default = config.mailers.get(&config.default);
    if env.is_production() && !matches!(default, None | Some(TransportConfig::Smtp(_) | TransportConfig::Own))
    {
        warnings.push(format!(
            "mails reach nobody: the mailer is `{}`; set MAIL_MAILER (config/mail.rs) to one that sends",
            config.default
        ));
    }
    if let Some(TransportConfig::Smtp(smtp)) = default {
        if sends_password_in_the_open(smtp) {
            warnings.push(format!(
                "the password for {} travels unencrypted; set MAIL_ENCRYPTION to `starttls` or `tls`",
                smtp.host
            ));
        }
        if env.is_production() && config.from.is_empty() {
            warnings.push(
                "mails have no sender of their own; set MAIL_FROM_ADDRESS (`from` in config/mail.rs)".into(),
            );
        }
    }
    warnings
}

fn sends_password_in_the_open(smtp: &SmtpConfig) -> bool {
    let is_this_machine = matches!(smtp.host.as_str(), "localhost" | "127.0.0.1" | "::1");
    smtp.encryption == Encryption::None && !smtp.password.is_empty() && !is_this_machine
}

impl std::fmt::Debug for MailProvider {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("MailProvider").field(&self.transports.keys()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn production_has_no_mailbox_whatever_the_configuration_says() {
        let config = |mailbox| MailConfig { mailbox, ..Default::default() };
        assert!(!keeps_mails(&config(Some(true)), &Environment::Production));
        assert!(keeps_mails(&config(None), &Environment::Development));
        assert!(!keeps_mails(&config(None), &"staging".into()));
        assert!(!keeps_mails(&config(Some(true)), &"staging".into()));
    }

    #[test]
    fn who_starts_the_app_is_told_that_mails_go_nowhere_or_in_the_open() {
        let warned = warnings(&MailConfig::default(), &Environment::Production).join("\n");
        assert!(warned.contains("MAIL_MAILER"), "{warned}");
        assert_eq!(warnings(&MailConfig::default(), &Environment::Development), [""; 0]);

        let smtp = SmtpConfig {
            host: "mail.example".into(),
            encryption: Encryption::None,
            password: "geheim".into(),
            ..Default::default()
        };
        let config = MailConfig { default: "smtp".into(), ..Default::default() }
            .with_mailer("smtp", TransportConfig::Smtp(smtp));
        let warned = warnings(&config, &Environment::Production).join("\n");
        assert!(warned.contains("unencrypted") && warned.contains("MAIL_FROM_ADDRESS"), "{warned}");
        assert!(!warned.contains("geheim"));
    }
}
