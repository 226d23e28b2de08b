use std::sync::Arc;

use housekey_core::{AppConfig, Clock, Encrypter, Error, Result, ServicesBuilder};
use housekey_http::{App, Provider, Registrar};

use crate::page;
use crate::queue::QueueBuilder;
use crate::{JobRegistry, JobType, Queue, QueueConfig};

/// Brings the [`Queue`] into an app, as `config/queue.rs` describes it, and `/dev/queue` outside production. Under a test runner jobs are done at
/// once, unless [`QueueConfig::waits_in_tests`] says otherwise; a test that wants them recorded instead calls [`Queue::fake`].
#[derive(Clone, Copy, Debug, Default)]
pub struct QueueProvider;

/// The drivers a configuration can name.
const DRIVERS: [&str; 3] = ["sync", "database", "redis"];

impl Provider for QueueProvider {
    fn name(&self) -> &'static str {
        "queue"
    }

    fn register(&self, app: &mut Registrar<'_>) -> Result<()> {
        let config = app.config().get::<QueueConfig>();
        let about = app.config().get::<AppConfig>();
        let testing = about.env.is_testing();
        let clock = app.services().get::<Clock>().map_or_else(Clock::system, Arc::unwrap_or_clone);
        let registry = JobRegistry::of(app.services());
        let mut queue = Queue::builder(registry).clock(clock.clone()).default_queue(&config.queue);
        if config.encrypt {
            queue = queue.encrypter(app.services().require::<Encrypter>()?);
        }
        let driver = if testing && !config.waits_in_tests { "sync" } else { config.driver.as_str() };
        let queue = open(queue, driver, &config, app.services(), clock)?;
        app.services().insert(queue);
        // spec: SEC-6
        if about.env.is_production() {
            return Ok(());
        }
        if about.is_local() {
            page::routes(app.routes());
        } else {
            app.warn(format!(
                "/dev/queue is not served: it runs jobs again, and APP_URL ({}) is not an address of this machine",
                about.url
            ));
        }
        Ok(())
    }
}

#[cfg_attr(
    not(any(feature = "database", feature = "redis")),
    allow(
        unused_variables,
        clippy::needless_pass_by_value,
        reason = "the drivers that need them are not compiled"
    )
)]
fn open(
    queue: QueueBuilder,
    driver: &str,
    config: &QueueConfig,
    services: &ServicesBuilder,
    clock: Clock,
) -> Result<Queue> {
    match driver {
        "sync" => Ok(queue.build_sync()),
        #[cfg(feature = "database")]
        "database" => {
            let databases = services.require::<housekey_database::Databases>()?;
            let source = housekey_database::DatabaseSource::named(databases, config.connection.as_deref())?;
            Ok(queue.build(crate::DatabaseDriver::new(source, clock)))
        }
        #[cfg(feature = "redis")]
        "redis" => {
            let servers = services.require::<housekey_redis::RedisServers>()?;
            let redis = servers.connection(config.connection.as_deref())?;
            Ok(queue.build(crate::RedisDriver::new(redis, clock)))
        }
        known if DRIVERS.contains(&known) => {
            let feature = if known == "redis" { "redis" } else { "database-sqlite, -postgres or -mysql" };
            Err(Error::internal(format!(
                "this build does not include the queue driver `{known}`: add the feature `{feature}` to `housekey` in \
                 Cargo.toml"
            )))
        }
        unknown => Err(Error::internal(format!(
            "there is no queue driver `{unknown}`; `driver` in config/queue.rs (QUEUE_DRIVER) can be {}",
            DRIVERS.join(", ")
        ))),
    }
}

/// Says which jobs an app has.
///
/// ```
/// # use housekey_core::{ConfigFiles, Result};
/// # use housekey_http::App;
/// # use housekey_queue::{AppJobs, Job, job};
/// # use serde::{Deserialize, Serialize};
/// # #[derive(Serialize, Deserialize)] struct SendInvoice;
/// # impl Job for SendInvoice {
/// #     const NAME: &'static str = "send-invoice";
/// #     async fn handle(self) -> Result<()> { Ok(()) }
/// # }
/// let app = App::new(ConfigFiles::new()).jobs([job::<SendInvoice>()]);
/// # drop(app);
/// ```
pub trait AppJobs {
    /// Adds jobs. Two of one name keep the app from booting.
    #[must_use]
    fn jobs(self, jobs: impl IntoIterator<Item = JobType>) -> Self;
}

impl AppJobs for App {
    fn jobs(self, jobs: impl IntoIterator<Item = JobType>) -> Self {
        self.provider(OwnJobs(jobs.into_iter().collect()))
    }
}

struct OwnJobs(Vec<JobType>);

impl Provider for OwnJobs {
    fn name(&self) -> &'static str {
        "the app's jobs"
    }

    fn register(&self, app: &mut Registrar<'_>) -> Result<()> {
        let registry = JobRegistry::of(app.services());
        self.0.iter().try_for_each(|job| registry.add(job.clone()))
    }
}
