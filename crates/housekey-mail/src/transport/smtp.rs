use std::net::IpAddr;
use std::time::Duration;

use housekey_core::Result;
use lettre::transport::smtp::authentication::{Credentials, Mechanism};
use lettre::transport::smtp::client::{AsyncSmtpConnection, Certificate, TlsParameters};
use lettre::transport::smtp::extension::ClientId;
use tokio::time::timeout;

use super::connections::Connections;
use super::problem::{Problem, Server, Step};
use super::{Transport, TransportFuture};
use crate::config::{Encryption, SmtpConfig};
use crate::{MailError, OutgoingMail};

/// Talks to a mail server.
pub(crate) struct SmtpTransport {
    config: SmtpConfig,
    server: Server,
    hello: ClientId,
    open: Connections,
}

impl SmtpTransport {
    /// `host` is the app's own, to say hello with.
    pub(crate) fn new(mailer: &str, config: SmtpConfig, host: &str) -> Self {
        let hello = if config.hello.is_empty() { host } else { &config.hello };
        let server = Server {
            mailer: mailer.to_owned(),
            address: format!("{}:{}", config.host, config.port),
            encryption: config.encryption,
            username: config.username.clone(),
            password: config.password.clone(),
            seconds: config.timeout,
        };
        Self { hello: client_id(hello), open: Connections::new(config.keep_connections), server, config }
    }

    async fn deliver(&self, mail: &OutgoingMail) -> Result<(), MailError> {
        let mut connection = match self.open.take().await {
            Some(connection) => connection,
            None => self.within(self.time_limit(), Step::Connect, self.connect()).await?,
        };
        let time_limit = self.time_limit() + Duration::from_secs(mail.raw().len() as u64 / SLOWEST_LINE);
        let sending = async {
            let sent = connection.send(mail.sender(), mail.raw()).await;
            sent.map_err(|error| self.server.problem(Step::Send, &error))
        };
        let sent = self.within(time_limit, Step::Send, sending).await;
        match &sent {
            Ok(_) => self.open.keep(connection),
            // Dropped: whatever is left of the conversation must not be read as the answer to the next mail.
            Err(_) => drop(connection),
        }
        sent.map(drop)
    }

    async fn connect(&self) -> Result<AsyncSmtpConnection, MailError> {
        let connect = |error| self.server.problem(Step::Connect, &error);
        let tls = match self.config.encryption {
            Encryption::None => None,
            Encryption::Tls | Encryption::StartTls => Some(self.tls().await?),
        };
        let (at_once, later) = match self.config.encryption {
            Encryption::Tls => (tls, None),
            Encryption::StartTls | Encryption::None => (None, tls),
        };
        let server = (self.config.host.as_str(), self.config.port);
        let mut connection =
            AsyncSmtpConnection::connect_tokio1(server, Some(self.time_limit()), &self.hello, at_once, None)
                .await
                .map_err(connect)?;
        if let Some(tls) = later {
            connection
                .starttls(tls, &self.hello)
                .await
                .map_err(|error| self.server.problem(Step::StartTls, &error))?;
        }
        if !self.config.username.is_empty() {
            let credentials =
                Credentials::new(self.config.username.clone(), self.config.password.reveal().to_owned());
            connection
                .auth(&[Mechanism::Plain, Mechanism::Login], &credentials)
                .await
                .map_err(|error| self.server.problem(Step::SignIn, &error))?;
        }
        Ok(connection)
    }

    async fn tls(&self) -> Result<TlsParameters, MailError> {
        let mut tls = TlsParameters::builder(self.config.host.clone());
        if let Some(path) = &self.config.ca {
            let pem = tokio::fs::read(path).await.map_err(|error| error.to_string());
            let certificate =
                pem.and_then(|pem| Certificate::from_pem(&pem).map_err(|error| error.to_string()));
            let certificate = certificate.map_err(|error| {
                self.server
                    .say(Problem::Tls, &format!("its certificate {} cannot be used: {error}", path.display()))
            })?;
            tls = tls.add_root_certificate(certificate);
        }
        tls.build().map_err(|error| self.server.problem(Step::Connect, &error))
    }

    fn time_limit(&self) -> Duration {
        Duration::from_secs(self.config.timeout.max(1))
    }

    /// The library limits connecting only; a server that falls silent later would hold the caller for ever.
    async fn within<T>(
        &self,
        time_limit: Duration,
        step: Step,
        work: impl Future<Output = Result<T, MailError>>,
    ) -> Result<T, MailError> {
        match timeout(time_limit, work).await {
            Ok(result) => result,
            Err(_) => Err(self.server.too_slow(step)),
        }
    }
}

/// Bytes a second below which a line counts as broken.
const SLOWEST_LINE: u64 = 32 * 1024;

fn client_id(host: &str) -> ClientId {
    match host.parse() {
        Ok(IpAddr::V4(address)) => ClientId::Ipv4(address),
        Ok(IpAddr::V6(address)) => ClientId::Ipv6(address),
        Err(_) if host.is_empty() => ClientId::default(),
        Err(_) => ClientId::Domain(host.to_owned()),
    }
}

impl Transport for SmtpTransport {
    fn name(&self) -> &'static str {
        "smtp"
    }

    fn send<'a>(&'a self, mail: &'a OutgoingMail) -> TransportFuture<'a> {
        Box::pin(async move { Ok(self.deliver(mail).await?) })
    }
}
