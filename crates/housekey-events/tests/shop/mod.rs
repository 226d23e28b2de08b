//! An application with orders, listeners that write down what they were told, and a database of the test's own.

#![allow(
    dead_code,
    clippy::unwrap_used,
    reason = "each test file uses its part, and a test that cannot go on fails"
)]

use housekey_core::{
    AppConfig, AppKey, Clock, ConfigFiles, EncryptionConfig, Env, Environment, Error, Paths, Result,
};
use housekey_database::{ConnectionConfig, Database, DatabaseConfig, Databases, db, record};
use housekey_events::{
    AppEvents, Event, Events, EventsConfig, EventsProvider, Listener, Outbox, Relay, delivery,
};
use housekey_http::{App, Application};
use housekey_queue::{Queue, QueueConfig, QueueProvider, Worker};
use serde::{Deserialize, Serialize};

/// A plain event.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Viewed {
    pub(crate) order: i64,
}

impl Event for Viewed {
    const NAME: &'static str = "viewed";
}

/// A durable one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Paid {
    pub(crate) order: i64,
}

impl Event for Paid {
    const NAME: &'static str = "paid";
    const DURABLE: bool = true;
}

pub(crate) async fn note_viewed(event: Viewed) -> Result<()> {
    note("note_viewed", event.order).await
}

pub(crate) async fn fail_viewed(event: Viewed) -> Result<()> {
    note("fail_viewed", event.order).await?;
    Err(Error::internal("the printer is out of paper"))
}

pub(crate) async fn panic_viewed(_: Viewed) -> Result<()> {
    panic!("a listener that panics")
}

pub(crate) async fn note_paid(event: Paid) -> Result<()> {
    note("note_paid", event.order).await
}

/// Writes, and fails for orders below zero.
pub(crate) async fn book_paid(event: Paid) -> Result<()> {
    note("book_paid", event.order).await?;
    match event.order < 0 {
        true => Err(Error::internal(format!("order {} cannot be booked", event.order))),
        false => Ok(()),
    }
}

/// Writes down under which key it was told.
pub(crate) async fn key_paid(event: Paid) -> Result<()> {
    note(&delivery().unwrap().key(), event.order).await
}

async fn note(who: &str, order: i64) -> Result<()> {
    db()?.table("told").insert(record! { "who" => who, "order_id" => order }).await.map(drop)
}

pub(crate) struct Shop {
    pub(crate) application: Application,
    pub(crate) clock: Clock,
}

/// What a shop is made with.
pub(crate) struct Plan {
    pub(crate) config: ConnectionConfig,
    pub(crate) paths: Paths,
    pub(crate) key: String,
    pub(crate) env: &'static str,
    pub(crate) clock: Clock,
    pub(crate) events: EventsConfig,
}

impl Plan {
    pub(crate) fn new(config: &ConnectionConfig, paths: Paths) -> Self {
        Self {
            config: config.clone(),
            paths,
            key: AppKey::generate().to_text().reveal().to_owned(),
            env: "production",
            clock: Clock::frozen_now(),
            events: EventsConfig::default(),
        }
    }

    pub(crate) fn try_open(self, listeners: impl IntoIterator<Item = Listener>) -> Result<Shop> {
        let Self { config: connection, paths, key, env, clock, events } = self;
        let application = App::new(ConfigFiles::new())
            .at(paths)
            .env(Env::empty())
            .clock(clock.clone())
            .configure(move |config| {
                config.update::<AppConfig>(|app| app.env = Environment::from(env.to_owned()));
                config.update::<EncryptionConfig>(|encryption| encryption.key = key.into());
                config.update::<DatabaseConfig>(|database| {
                    *database = DatabaseConfig { default: "test".into(), ..DatabaseConfig::default() };
                    database.connections.insert("test".into(), connection);
                });
                config.update::<QueueConfig>(|queue| queue.driver = "database".into());
                config.update::<EventsConfig>(|config| *config = events);
            })
            // The order of providers does not matter.
            .listeners(listeners)
            .provider(EventsProvider)
            .provider(QueueProvider)
            .boot()?;
        Ok(Shop { application, clock })
    }

    pub(crate) fn open(self, listeners: impl IntoIterator<Item = Listener>) -> Shop {
        self.try_open(listeners).unwrap()
    }
}

impl Shop {
    pub(crate) async fn make_tables(&self) {
        let db = self.db();
        db.schema(housekey_events::tables::create).await.unwrap();
        db.schema(housekey_queue::tables::create).await.unwrap();
        db.schema(|schema| {
            schema.create("orders", |table| {
                table.id();
                table.string("state", 20);
            });
            schema.create("told", |table| {
                table.id();
                table.string("who", 200);
                table.big_integer("order_id");
            });
        })
        .await
        .unwrap();
    }

    pub(crate) fn db(&self) -> Database {
        self.application.services().require::<Databases>().unwrap().connection(None).unwrap()
    }

    pub(crate) fn events(&self) -> Events {
        (*self.application.services().require::<Events>().unwrap()).clone()
    }

    pub(crate) fn outbox(&self) -> Outbox {
        self.events().outbox().unwrap().clone()
    }

    pub(crate) fn relay(&self) -> Relay {
        Relay::of(self.application.services()).unwrap()
    }

    pub(crate) async fn within<T>(&self, work: impl Future<Output = T>) -> T {
        self.application.scope().enter(work).await
    }

    /// Who was told, in order, as `who order`.
    pub(crate) async fn told(&self) -> Vec<String> {
        let told = self.db().table("told").select(["who", "order_id"]).order_by("id");
        let told: Vec<(String, i64)> = told.get().await.unwrap();
        told.into_iter().map(|(who, order)| format!("{who} {order}")).collect()
    }

    /// Does the jobs that wait.
    pub(crate) async fn work(&self) -> u64 {
        let queue = self.application.services().require::<Queue>().unwrap();
        let worker = Worker::new((*queue).clone(), self.application.services().clone()).stop_when_empty();
        worker.run_until(std::future::pending()).await.unwrap().done
    }
}
