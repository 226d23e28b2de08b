//! An app with a schedule, on a clock that the test moves.

#![allow(
    dead_code,
    unused_imports,
    clippy::unwrap_used,
    reason = "each test file uses its part, and a test that cannot go on fails"
)]

mod failing_locks;

use std::path::Path;
use std::sync::{Arc, Mutex};

pub(crate) use failing_locks::FailingLocks;
use housekey_cache::{Cache, CacheConfig};
use housekey_core::{
    AppConfig, AppKey, Clock, Config, ConfigFiles, EncryptionConfig, Env, Environment, Result,
};
use housekey_database::{ConnectionConfig, DatabaseConfig};
use housekey_http::{App, Application, Provider, Registrar};
use housekey_queue::{QueueConfig, QueueProvider};
use housekey_schedule::{AppSchedule, Schedule, ScheduleConfig, Scheduler};
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

pub(crate) fn moment(text: &str) -> OffsetDateTime {
    OffsetDateTime::parse(text, &Rfc3339).unwrap()
}

/// Where an app under test keeps its things.
#[derive(Clone)]
pub(crate) struct Site<'a> {
    pub(crate) folder: &'a Path,
    pub(crate) clock: Clock,
    pub(crate) cache: &'a str,
    /// A cache that no configuration can name.
    pub(crate) own_cache: Option<Cache>,
    pub(crate) database: Option<ConnectionConfig>,
    pub(crate) queue: &'a str,
    pub(crate) schedule: ScheduleConfig,
}

impl<'a> Site<'a> {
    pub(crate) fn new(folder: &'a Path, clock: &Clock) -> Self {
        let schedule = ScheduleConfig::default();
        Self {
            folder,
            clock: clock.clone(),
            cache: "file",
            own_cache: None,
            database: None,
            queue: "sync",
            schedule,
        }
    }

    /// Everything in this database.
    pub(crate) fn on(mut self, database: &ConnectionConfig) -> Self {
        self.database = Some(database.clone());
        self.schedule.store = "database".into();
        self.queue = "database";
        self
    }

    pub(crate) fn boot(&self, write: impl Fn(&mut Schedule) + Send + Sync + 'static) -> Result<Application> {
        let (cache, queue) = (self.cache.to_owned(), self.queue.to_owned());
        let (schedule, database) = (self.schedule.clone(), self.database.clone());
        App::new(ConfigFiles::new())
            .root(self.folder)
            .env(Env::empty())
            .clock(self.clock.clone())
            .configure(move |config: &mut Config| {
                config.update::<AppConfig>(|app| app.env = Environment::Production);
                config.update::<EncryptionConfig>(|encryption| encryption.key = AppKey::generate().to_text());
                config.update::<CacheConfig>(|config| config.store = cache);
                config.update::<QueueConfig>(|config| config.driver = queue);
                config.update::<ScheduleConfig>(|config| *config = schedule);
                if let Some(database) = database {
                    config.update::<DatabaseConfig>(|config| {
                        config.connections.insert("sqlite".into(), database);
                    });
                }
            })
            .provider(QueueProvider)
            .provider(OwnCache(self.own_cache.clone()))
            .schedule(write)
            .boot()
    }

    pub(crate) fn scheduler(&self, write: impl Fn(&mut Schedule) + Send + Sync + 'static) -> Scheduler {
        Scheduler::new(self.boot(write).unwrap().services()).unwrap()
    }
}

struct OwnCache(Option<Cache>);

impl Provider for OwnCache {
    fn name(&self) -> &'static str {
        "the test's own cache"
    }

    fn register(&self, app: &mut Registrar<'_>) -> Result<()> {
        if let Some(cache) = &self.0 {
            app.services().insert(cache.clone());
        }
        Ok(())
    }
}

/// What tasks wrote down.
#[derive(Clone, Default)]
pub(crate) struct Notes(Arc<Mutex<Vec<String>>>);

impl Notes {
    pub(crate) fn add(&self, note: impl Into<String>) {
        self.0.lock().unwrap().push(note.into());
    }

    pub(crate) fn all(&self) -> Vec<String> {
        self.0.lock().unwrap().clone()
    }
}

/// The time that the running task runs for.
pub(crate) fn time_of_run() -> String {
    housekey_schedule::task_run().unwrap().time.format(&Rfc3339).unwrap()
}
