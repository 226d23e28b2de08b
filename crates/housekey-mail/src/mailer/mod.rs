mod builder;
mod queued;

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, OnceLock};

use housekey_core::{AppConfig, Clock, Encrypter, Error, Paths, Result, service};

pub use builder::MailerBuilder;
pub use queued::MAIL_JOB;

use crate::app_transports::AppTransports;
use crate::config::{MailConfig, TransportConfig};
use crate::mailbox::Mailbox;
use crate::render::Renderer;
use crate::{JobQueue, MailFake, Message, OutgoingMail, Transport};

/// Sends mail. Cheap to clone; [`mail()`] gives the application's.
///
/// ```
/// use housekey_mail::{Mailer, Message};
///
/// # #[tokio::main(flavor = "current_thread")] async fn main() -> housekey_core::Result<()> {
/// # let mailer = Mailer::fake_only();
/// mailer.send(Message::new().to("ada@example.com").subject("Welcome").line("Good to have you.")).await?;
/// # Ok(()) }
/// ```
#[derive(Clone)]
pub struct Mailer {
    shared: Arc<Shared>,
    name: Arc<str>,
}

struct Shared {
    renderer: Renderer,
    destinations: BTreeMap<String, Destination>,
    fake: OnceLock<MailFake>,
    mailbox: Option<Mailbox>,
    clock: Clock,
    encrypter: Option<Arc<Encrypter>>,
    jobs: Option<JobQueue>,
    app_transports: AppTransports,
}

/// Where the mails of one mailer go.
enum Destination {
    Transport(Arc<dyn Transport>),
    /// Where a transport of the app's own takes them, which may be known only when booting is over.
    Own,
    Fake,
}

impl Mailer {
    pub fn builder(config: &MailConfig, app: &AppConfig) -> MailerBuilder {
        MailerBuilder::new(config, app)
    }

    /// A mailer that sends to nobody, for tests without an application.
    pub fn fake_only() -> Self {
        let config = MailConfig {
            default: "fake".into(),
            mailers: [("fake".to_owned(), TransportConfig::Fake)].into(),
            ..Default::default()
        };
        let app = AppConfig::default();
        let builder = Self::builder(&config, &app).paths(Paths::new(std::env::temp_dir()));
        match builder.build() {
            Ok(mailer) => mailer,
            Err(error) => unreachable!("a fake needs nothing that could be missing: {error}"),
        }
    }

    /// Sends now, and answers when the mail was handed on.
    pub async fn send(&self, message: Message) -> Result<()> {
        let mail = self.render(message).await?;
        self.hand_on(mail, false).await
    }

    /// The mailer of this name, with everything else the same.
    ///
    /// ```
    /// let mailer = housekey_mail::Mailer::fake_only();
    /// assert!(mailer.mailer("fake").is_ok());
    /// assert!(mailer.mailer("pigeon").unwrap_err().to_string().contains("there is no mailer `pigeon`"));
    /// ```
    pub fn mailer(&self, name: &str) -> Result<Self> {
        match self.shared.destinations.contains_key(name) {
            true => Ok(Self { shared: self.shared.clone(), name: name.into() }),
            false => Err(unknown(name, &self.shared.destinations)),
        }
    }

    /// From now on, sends to nobody; the answer says what would have been sent. Every clone of this mailer, the
    /// application's among them, does the same.
    ///
    /// In the `testing` environment an application starts like this.
    pub fn fake(&self) -> MailFake {
        self.shared.fake.get_or_init(MailFake::default).clone()
    }

    /// What would go out: both versions, headers and bytes.
    pub async fn render(&self, message: Message) -> Result<OutgoingMail> {
        self.shared.renderer.render(message, self.shared.clock.now().into()).await
    }

    /// The mails kept for the developer, outside production.
    pub fn mailbox(&self) -> Option<&Mailbox> {
        self.shared.mailbox.as_ref()
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    async fn hand_on(&self, mail: OutgoingMail, queued: bool) -> Result<()> {
        let transport = match (self.shared.fake.get(), self.shared.destinations.get(&*self.name)) {
            (Some(_), _) | (None, Some(Destination::Fake)) => {
                self.remember(&mail, "fake", None).await;
                self.fake().add(&self.name, mail, queued);
                return Ok(());
            }
            (None, Some(Destination::Transport(transport))) => transport.clone(),
            (None, Some(Destination::Own)) => self.shared.app_transports.find(&self.name)?,
            (None, None) => return Err(unknown(&self.name, &self.shared.destinations)),
        };
        let sent = transport.send(&mail).await;
        self.remember(&mail, transport.name(), sent.as_ref().err()).await;
        sent
    }

    /// Keeps the mail for the developer. That the mailbox is broken is no reason to fail a request.
    async fn remember(&self, mail: &OutgoingMail, transport: &str, problem: Option<&Error>) {
        let Some(mailbox) = &self.shared.mailbox else { return };
        if let Err(error) = mailbox.keep(mail, transport, problem).await {
            tracing::warn!(target: "housekey::mail", "the mail is not in /dev/mailbox: {error}");
        }
    }
}

fn unknown(name: &str, destinations: &BTreeMap<String, Destination>) -> Error {
    let known: Vec<String> = destinations.keys().map(|name| format!("`{name}`")).collect();
    Error::internal(format!(
        "there is no mailer `{name}`; config/mail.rs knows {} (the default is MAIL_MAILER)",
        known.join(", ")
    ))
}

impl fmt::Debug for Mailer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Mailer({})", self.name)
    }
}

/// The application's mailer, from anywhere below a handler, a command or a job.
///
/// ```
/// use housekey_core::{Scope, Services};
/// use housekey_mail::{Mailer, Message, mail};
///
/// # #[tokio::main(flavor = "current_thread")] async fn main() -> housekey_core::Result<()> {
/// let mut services = Services::builder();
/// services.insert(Mailer::fake_only());
/// Scope::new(services.build()).enter(async {
///     mail()?.send(Message::new().to("ada@example.com").subject("Hello").line("Hi!")).await
/// }).await?;
///
/// assert!(mail().is_err(), "outside an application there is none");
/// # Ok(()) }
/// ```
pub fn mail() -> Result<Mailer> {
    service::<Mailer>().map(|mailer| (*mailer).clone()).ok_or_else(|| {
        Error::internal(
            "mail() found no mailer: add housekey's `mail` feature (MailProvider) to the app, and outside a request pass \
             a Mailer or carry the scope with housekey::spawn",
        )
    })
}
