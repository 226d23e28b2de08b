use std::{path::Path, sync::Arc};

use housekey_cache::CacheConfig;
use housekey_core::{AppConfig, AppKey, Clock, Config, EncryptionConfig, Env, Environment, Paths};
use housekey_http::{App, session::SessionConfig};

#[cfg(feature = "database")]
use crate::database::OwnDatabases;

/// How a test wants its app to differ from the real one.
#[derive(Clone)]
pub(crate) struct Settings {
    pub(crate) app: Arc<dyn Fn() -> App + Send + Sync>,
    pub(crate) env: Vec<(String, String)>,
    pub(crate) config: Vec<Change>,
    pub(crate) clock: Clock,
}

/// A change to the configuration, made again at every boot.
pub(crate) type Change = Arc<dyn Fn(&mut Config) + Send + Sync>;

impl Settings {
    pub(crate) fn new(app: impl Fn() -> App + Send + Sync + 'static) -> Self {
        Self { app: Arc::new(app), env: Vec::new(), config: Vec::new(), clock: Clock::frozen_now() }
    }

    /// The app with everything a test changes about it, writing below `storage` and into its own databases only.
    pub(crate) fn apply(&self, storage: &Path, #[cfg(feature = "database")] own: &Arc<OwnDatabases>) -> App {
        let app = (self.app)();
        let paths = app.paths().with_storage(storage);
        let changes = self.config.clone();
        #[cfg(feature = "database")]
        let own = own.clone();
        app.at(paths.clone()).env(self.variables(&paths)).clock(self.clock.clone()).configure(move |config| {
            for_testing(config);
            #[cfg(feature = "database")]
            crate::database::keep_apart(config, &paths.storage(), &own);
            changes.iter().for_each(|change| change(config));
        })
    }

    /// The process's variables and those of `.env.testing`, but never the developer's own `.env`: a test must not
    /// pass on one machine and fail on the next.
    fn variables(&self, paths: &Paths) -> Env {
        let file = paths.join(".env.testing");
        let env = Env::load(&file)
            .unwrap_or_else(|error| panic!("the app under test has a broken environment: {error}"));
        let env = env
            .with("APP_ENV", "testing")
            .with("APP_DEBUG", "false")
            .with("APP_KEY", AppKey::generate().to_text().reveal())
            .with("CACHE_STORE", "memory")
            .with("SESSION_DRIVER", "memory");
        self.env.iter().fold(env, |env, (key, value)| env.with(key, value))
    }
}

/// What holds in every test even if the app's config functions ask for no variable.
fn for_testing(config: &mut Config) {
    config.update::<AppConfig>(|app| {
        app.env = Environment::Testing;
        app.debug = false;
    });
    config.update::<EncryptionConfig>(|encryption| {
        if encryption.key.is_empty() {
            encryption.key = AppKey::generate().to_text();
        }
    });
    config.update::<CacheConfig>(|cache| cache.store = "memory".into());
    config.update::<SessionConfig>(|session| session.driver = "memory".into());
}
