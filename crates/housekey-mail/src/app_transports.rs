use std::collections::BTreeMap;
use std::sync::{Arc, PoisonError, RwLock};

use housekey_core::{Error, Result, ServicesBuilder};
use housekey_http::{App, Provider, Registrar};

use crate::Transport;

/// Gives an app a transport of its own, such as the web API of a mail provider.
///
/// `config/mail.rs` says that a mailer of this name is the app's own: a name that nobody knows is found when the app
/// boots.
///
/// ```
/// use housekey_core::ConfigFiles;
/// use housekey_http::App;
/// use housekey_mail::{
///     AppMail, MailConfig, MailProvider, OutgoingMail, Transport, TransportConfig, TransportFuture,
/// };
///
/// struct Postbox;
///
/// impl Transport for Postbox {
///     fn name(&self) -> &'static str {
///         "postbox"
///     }
///
///     fn send<'a>(&'a self, mail: &'a OutgoingMail) -> TransportFuture<'a> {
///         Box::pin(async move { Ok(drop(mail.raw())) })
///     }
/// }
///
/// pub fn mail() -> MailConfig {
///     MailConfig { default: "postbox".into(), ..Default::default() }.with_mailer("postbox", TransportConfig::Own)
/// }
///
/// let app = App::new(ConfigFiles::new()).provider(MailProvider::new()).mail_transport("postbox", Postbox);
/// # drop((app, mail()));
/// ```
pub trait AppMail {
    /// Adds the transport of a mailer that `config/mail.rs` calls `TransportConfig::Own`.
    #[must_use]
    fn mail_transport(self, mailer: impl Into<String>, transport: impl Transport) -> Self;
}

impl AppMail for App {
    fn mail_transport(self, mailer: impl Into<String>, transport: impl Transport) -> Self {
        self.provider(AppTransport { mailer: mailer.into(), transport: Arc::new(transport) })
    }
}

struct AppTransport {
    mailer: String,
    transport: Arc<dyn Transport>,
}

impl Provider for AppTransport {
    fn name(&self) -> &'static str {
        "the app's mail transport"
    }

    fn register(&self, app: &mut Registrar<'_>) -> Result<()> {
        AppTransports::of(app.services()).add(&self.mailer, self.transport.clone());
        Ok(())
    }
}

/// The transports an app brings. It is filled while the app boots; clones are the same.
#[derive(Clone, Default)]
pub(crate) struct AppTransports(Arc<RwLock<BTreeMap<String, Arc<dyn Transport>>>>);

impl AppTransports {
    /// Those of an application that is booting.
    pub(crate) fn of(services: &mut ServicesBuilder) -> Self {
        services.shared()
    }

    pub(crate) fn find(&self, mailer: &str) -> Result<Arc<dyn Transport>> {
        let all = self.0.read().unwrap_or_else(PoisonError::into_inner);
        all.get(mailer).cloned().ok_or_else(|| {
            Error::internal(format!(
                "config/mail.rs says that the app brings the mailer `{mailer}` itself, and it does not: add \
                 .mail_transport(\"{mailer}\", …) where the app is put together"
            ))
        })
    }

    fn add(&self, mailer: &str, transport: Arc<dyn Transport>) {
        self.0.write().unwrap_or_else(PoisonError::into_inner).insert(mailer.to_owned(), transport);
    }
}
