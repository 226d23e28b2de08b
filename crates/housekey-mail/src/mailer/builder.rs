use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use housekey_core::{AppConfig, Clock, Encrypter, Error, Paths, Result};

use super::{Destination, Mailer, Shared, unknown};
use crate::app_transports::AppTransports;
use crate::config::{MailConfig, TransportConfig};
use crate::layout::is_colour;
use crate::mailbox::Mailbox;
use crate::render::Renderer;
use crate::transport::{FileTransport, LogTransport, SmtpTransport};
use crate::{Address, JobQueue, Transport};

/// A [`Mailer`] being put together. Applications get theirs from [`MailProvider`](crate::MailProvider).
#[must_use = "nothing is built until `.build()`"]
pub struct MailerBuilder {
    config: MailConfig,
    app: AppConfig,
    paths: Option<Paths>,
    clock: Clock,
    mailbox: Option<Mailbox>,
    encrypter: Option<Arc<Encrypter>>,
    jobs: Option<JobQueue>,
    transports: BTreeMap<String, Arc<dyn Transport>>,
    app_transports: AppTransports,
}

impl MailerBuilder {
    pub(super) fn new(config: &MailConfig, app: &AppConfig) -> Self {
        Self {
            config: config.clone(),
            app: app.clone(),
            paths: None,
            clock: Clock::system(),
            mailbox: None,
            encrypter: None,
            jobs: None,
            transports: BTreeMap::new(),
            app_transports: AppTransports::default(),
        }
    }

    /// Where the app keeps its things, for the file transport.
    pub fn paths(mut self, paths: Paths) -> Self {
        self.paths = Some(paths);
        self
    }

    /// The clock mails are dated by.
    pub fn clock(mut self, clock: Clock) -> Self {
        self.clock = clock;
        self
    }

    /// Keeps every mail for the developer.
    pub fn mailbox(mut self, mailbox: Mailbox) -> Self {
        self.mailbox = Some(mailbox);
        self
    }

    /// Seals queued mails: a queue's store must not hold links that sign people in.
    pub fn encrypter(mut self, encrypter: Arc<Encrypter>) -> Self {
        self.encrypter = Some(encrypter);
        self
    }

    /// Where queued mails go; without it, to the application's [`JobQueue`] service.
    pub fn job_queue(mut self, jobs: JobQueue) -> Self {
        self.jobs = Some(jobs);
        self
    }

    /// Adds a mailer with a transport of one's own.
    pub fn transport(mut self, name: impl Into<String>, transport: Arc<dyn Transport>) -> Self {
        self.transports.insert(name.into(), transport);
        self
    }

    /// The transports that the app brings, now or while it boots.
    pub(crate) fn app_transports(mut self, app_transports: AppTransports) -> Self {
        self.app_transports = app_transports;
        self
    }

    pub fn build(self) -> Result<Mailer> {
        let host = host(&self.app.url).to_owned();
        let paths = self.paths.unwrap_or_default();
        let mut destinations: BTreeMap<String, Destination> = self
            .config
            .mailers
            .iter()
            .map(|(name, config)| (name.clone(), destination(name, config, &paths, &self.clock, &host)))
            .collect();
        destinations.extend(
            self.transports.into_iter().map(|(name, transport)| (name, Destination::Transport(transport))),
        );
        if !destinations.contains_key(&self.config.default) {
            return Err(unknown(&self.config.default, &destinations));
        }
        if !is_colour(&self.config.brand.accent) {
            return Err(Error::internal(format!(
                "config/mail.rs: the accent {:?} is no colour; write it as #rrggbb",
                self.config.brand.accent
            )));
        }
        let from = match self.config.from.is_empty() {
            true => Address::named(format!("no-reply@{host}"), self.app.name.clone()),
            false => self.config.from,
        };
        let renderer = Renderer { app: self.app, brand: self.config.brand, layout: self.config.layout, from };
        let shared = Shared {
            renderer,
            destinations,
            fake: OnceLock::new(),
            mailbox: self.mailbox,
            clock: self.clock,
            encrypter: self.encrypter,
            jobs: self.jobs,
            app_transports: self.app_transports,
        };
        Ok(Mailer { shared: Arc::new(shared), name: self.config.default.into() })
    }
}

fn destination(
    name: &str,
    config: &TransportConfig,
    paths: &Paths,
    clock: &Clock,
    host: &str,
) -> Destination {
    match config {
        TransportConfig::Smtp(smtp) => {
            let mut smtp = smtp.clone();
            smtp.ca = smtp.ca.map(|ca| paths.join(ca));
            Destination::Transport(Arc::new(SmtpTransport::new(name, smtp, host)))
        }
        TransportConfig::Log => Destination::Transport(Arc::new(LogTransport)),
        TransportConfig::File { path } => {
            let folder = paths.locate(path);
            Destination::Transport(Arc::new(FileTransport { folder, clock: clock.clone() }))
        }
        TransportConfig::Own => Destination::Own,
        TransportConfig::Fake => Destination::Fake,
    }
}

/// The host of an address, without port.
fn host(url: &str) -> &str {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let host = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let host = host.rsplit_once(':').map_or(host, |(host, _)| host);
    if host.is_empty() || host.starts_with('[') { "localhost" } else { host }
}
