use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use housekey_core::{AppConfig, Clock, Encrypter, Result};
use housekey_database::{DatabaseSource, Databases};
use housekey_http::{App, Provider, Registrar};

use crate::events::Inner;
use crate::tables::OUTBOX;
use crate::{Events, EventsConfig, Listener, Listeners, Outbox};

/// Brings [`Events`] into an app, as `config/events.rs` describes them. Under a test runner durable events are told at once,
/// and everything is recorded for [`assert_emitted`](Events::assert_emitted).
#[derive(Clone, Copy, Debug, Default)]
pub struct EventsProvider;

impl Provider for EventsProvider {
    fn name(&self) -> &'static str {
        "events"
    }

    fn register(&self, app: &mut Registrar<'_>) -> Result<()> {
        let config = app.config().get::<EventsConfig>();
        let is_testing = app.config().get::<AppConfig>().env.is_testing();
        let clock = app.services().get::<Clock>().map_or_else(Clock::system, Arc::unwrap_or_clone);
        let encrypter = app.services().require::<Encrypter>()?;
        let database = database(app, &config)?;
        if let Some(database) = &database {
            let remedy = "Run `housekey make:events-table`, then `housekey migrate`.";
            database.get()?.tables_are_made_by([OUTBOX], remedy);
        }
        let outbox = database.clone().map(|source| Outbox::new(source, encrypter, clock));
        if let Some(outbox) = &outbox {
            app.services().insert(outbox.clone());
        }
        let listeners = Listeners::of(app.services());
        app.services().insert(Events::new(Inner {
            listeners,
            outbox,
            database,
            tells_at_once: is_testing,
            is_recording: AtomicBool::new(is_testing),
            ..Inner::default()
        }));
        Ok(())
    }
}

/// The connection whose transactions count. An app without a database has none, and needs none for plain events; one that is
/// named must be there.
fn database(app: &mut Registrar<'_>, config: &EventsConfig) -> Result<Option<DatabaseSource>> {
    let Some(databases) = app.services().get::<Databases>() else { return Ok(None) };
    match DatabaseSource::named(databases, config.connection.as_deref()) {
        Ok(source) => Ok(Some(source)),
        Err(_) if config.connection.is_none() => Ok(None),
        Err(error) => Err(error),
    }
}

/// Says who listens in an app.
///
/// ```
/// # use housekey_core::{ConfigFiles, Result};
/// # use housekey_http::App;
/// # use housekey_events::{AppEvents, Event, listener};
/// # use serde::{Deserialize, Serialize};
/// # #[derive(Clone, Serialize, Deserialize)] struct OrderPaid { order: i64 }
/// # impl Event for OrderPaid { const NAME: &'static str = "order-paid"; }
/// # async fn send_receipt(_: OrderPaid) -> Result<()> { Ok(()) }
/// # async fn count_sale(_: OrderPaid) -> Result<()> { Ok(()) }
/// let app = App::new(ConfigFiles::new()).listeners([listener(send_receipt).queued(), listener(count_sale)]);
/// # drop(app);
/// ```
pub trait AppEvents {
    /// Adds listeners, to any number of events. They are told in this order.
    #[must_use]
    fn listeners(self, listeners: impl IntoIterator<Item = Listener>) -> Self;
}

impl AppEvents for App {
    fn listeners(self, listeners: impl IntoIterator<Item = Listener>) -> Self {
        self.provider(OwnListeners(listeners.into_iter().collect()))
    }
}

struct OwnListeners(Vec<Listener>);

impl Provider for OwnListeners {
    fn name(&self) -> &'static str {
        "the app's listeners"
    }

    fn register(&self, app: &mut Registrar<'_>) -> Result<()> {
        self.0.iter().try_for_each(|listener| Listeners::add(app.services(), listener.clone()))
    }
}
