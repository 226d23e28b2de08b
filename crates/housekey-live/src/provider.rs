use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, PoisonError};

use housekey_auth::{AccountChanges, Auth};
use housekey_core::{AppConfig, Clock, Encrypter, Error, Result};
use housekey_database::{Databases, Driver};
use housekey_http::{App, Provider, Registrar};
#[cfg(feature = "redis")]
use housekey_redis::RedisServers;
use tokio::sync::watch;

use crate::bus::Bus;
use crate::channels::{ChannelTable, Channels};
use crate::config::LiveConfig;
use crate::hub::Hub;
use crate::live::{Inner, Live};
use crate::stream;

/// Brings [`Live`] into an app, as `config/live.rs` describes it, and the address where browsers listen. It stands in front of the
/// provider of accounts, which tells it whose have changed.
#[derive(Clone, Copy, Debug, Default)]
pub struct LiveProvider;

impl Provider for LiveProvider {
    fn name(&self) -> &'static str {
        "live"
    }

    fn register(&self, app: &mut Registrar<'_>) -> Result<()> {
        if app.services().get::<Auth>().is_some() {
            return Err(Error::internal(
                "put LiveProvider in front of AuthProvider, which tells it who signs out",
            ));
        }
        let config = app.config().get::<LiveConfig>();
        let is_testing = app.config().get::<AppConfig>().env.is_testing();
        let live = Live::new(Inner {
            channels: ChannelTable::of(app.services()),
            bus: bus(app, &config)?,
            hub: Hub::new(&config),
            encrypter: app.services().require::<Encrypter>()?,
            clock: app.services().get::<Clock>().map_or_else(Clock::system, Arc::unwrap_or_clone),
            databases: databases(app),
            is_recording: AtomicBool::new(is_testing),
            is_quiet: AtomicBool::new(false),
            recorded: Default::default(),
            listening: AtomicBool::new(false),
            hears: watch::Sender::new(false),
            config: Arc::clone(&config),
        });
        let tells = live.clone();
        AccountChanges::of(app.services()).listen(move |user_id| {
            let live = tells.clone();
            async move {
                // The streams look by themselves as well, a little later.
                if let Err(error) = live.recheck_now(user_id).await {
                    tracing::warn!(%error, "live streams were not told that an account has changed");
                }
            }
        });
        app.services().insert(live);
        app.routes().get(&config.path, stream::open).middleware("throttle:120,1");
        Ok(())
    }
}

fn bus(app: &mut Registrar<'_>, config: &LiveConfig) -> Result<Bus> {
    let connection = config.connection.as_deref();
    match config.driver.as_str() {
        "process" => Ok(Bus::Process),
        #[cfg(feature = "redis")]
        "redis" => {
            let redis = app.services().require::<RedisServers>()?.connection(connection)?;
            let channel = format!("{}live", redis.prefix());
            Ok(Bus::Redis { redis, channel })
        }
        #[cfg(not(feature = "redis"))]
        "redis" => Err(Error::internal(
            "config/live.rs wants Redis, which this build does not include: add the feature `redis` to `housekey` in Cargo.toml",
        )),
        "postgres" => {
            let database = app.services().require::<Databases>()?.connection(connection)?;
            if database.driver() != Driver::Postgres {
                return Err(Error::internal(format!(
                    "config/live.rs wants PostgreSQL to carry messages, and the connection `{}` is {}: name one that is, or use \
                     Redis",
                    database.name(),
                    database.driver()
                )));
            }
            Ok(Bus::Postgres { database, channel: postgres_channel(&app.config().get::<AppConfig>().name) })
        }
        other => Err(Error::internal(format!(
            "config/live.rs has the driver `{other}`; there are `process`, `redis` and `postgres`"
        ))),
    }
}

/// Names in PostgreSQL have 63 bytes.
fn postgres_channel(app: &str) -> String {
    let letters = app.chars().map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '_' });
    format!("housekey_live_{}", letters.take(48).collect::<String>())
}

/// An app without a default connection has no transactions to wait for.
fn databases(app: &mut Registrar<'_>) -> Option<Arc<Databases>> {
    let databases = app.services().get::<Databases>()?;
    databases.connection(None).is_ok().then_some(databases)
}

/// What live updates add to an [`App`].
pub trait AppLive {
    /// Writes down channels, and who may hear them. May be called several times.
    ///
    /// ```
    /// use housekey_core::ConfigFiles;
    /// use housekey_http::App;
    /// use housekey_live::AppLive;
    ///
    /// let app = App::new(ConfigFiles::new()).live(|live| {
    ///     live.public("news");
    /// });
    /// # drop(app);
    /// ```
    #[must_use]
    fn live(self, define: impl FnOnce(&mut Channels) + Send + 'static) -> Self;
}

impl AppLive for App {
    fn live(self, define: impl FnOnce(&mut Channels) + Send + 'static) -> Self {
        self.provider(OwnChannels(Mutex::new(Some(Box::new(define)))))
    }
}

/// One call of [`AppLive::live`], waiting for the boot.
struct OwnChannels(Mutex<Option<Define>>);

type Define = Box<dyn FnOnce(&mut Channels) + Send>;

impl Provider for OwnChannels {
    fn name(&self) -> &'static str {
        "the app's channels"
    }

    fn register(&self, app: &mut Registrar<'_>) -> Result<()> {
        let Some(define) = self.0.lock().unwrap_or_else(PoisonError::into_inner).take() else {
            return Ok(());
        };
        let mut channels = Channels::default();
        define(&mut channels);
        ChannelTable::of(app.services()).add(channels)
    }
}
