//! Work that is done later: jobs by name, a store that keeps them, workers that lose none.
//!
//! - A [`Job`] is a value that can be written down and a `handle` that does the work. An app says which jobs it has
//!   with [`AppJobs::jobs`]; there is no other registry.
//! - [`Job::dispatch`] hands it to the application's [`Queue`], from a request or from anywhere else in the
//!   application. [`QueueConfig`] (`config/queue.rs`) says where it waits: [`SyncDriver`] does it at once,
//!   `DatabaseDriver` and `RedisDriver` (a cargo feature each) keep it for a worker. All stand behind [`QueueDriver`].
//! - A [`Worker`] (`queue:work`) takes jobs, several at a time, in the order of its queues. What fails is tried again
//!   later and later ([`Job::retries`], [`Job::backoff`]), and at last kept with the failed jobs, from where
//!   `queue:retry` brings it back.
//! - `/dev/queue` shows all of it while an app is developed.
//! - [`FakeQueue`] takes jobs in tests and answers questions about them.
//!
//! ```
//! use housekey_core::{ConfigFiles, Result};
//! use housekey_http::App;
//! use housekey_queue::{AppJobs, Job, QueueProvider, job};
//! use serde::{Deserialize, Serialize};
//!
//! #[derive(Serialize, Deserialize)]
//! struct SendInvoice {
//!     order: i64,
//! }
//!
//! impl Job for SendInvoice {
//!     const NAME: &'static str = "send-invoice";
//!
//!     async fn handle(self) -> Result<()> {
//!         // …
//!         Ok(())
//!     }
//! }
//!
//! async fn buy() -> Result<&'static str> {
//!     SendInvoice { order: 7 }.dispatch().await?;
//!     Ok("Thank you!")
//! }
//!
//! let app = App::new(ConfigFiles::new())
//!     .provider(QueueProvider)
//!     .jobs([job::<SendInvoice>()])
//!     .routes(|route| { route.post("/buy", buy); });
//! # drop(app);
//! ```
//!
//! # What is promised
//!
//! A job runs **at least once**. A worker does not take a job out, it borrows it for a while (the *lease*) and renews
//! the loan while it works; the job goes only when it is done. A worker that is killed stops renewing, and the next one
//! gets the job. The price: a job whose worker died between the work and the last word runs twice, so a job should not
//! mind. Exactly once cannot be promised by anybody.
//!
//! A job that was dispatched inside a database transaction on the queue's own connection is part of it: it exists if
//! the transaction does.
//!
//! What a job carries is sealed with `APP_KEY` while it waits, and bound to the job's name: who reads the store learns
//! nothing, and who writes to it runs nothing.
//!
//! # Why this is our own
//!
//! [apalis](https://docs.rs/apalis) 1.0 was looked at first. Its SQLite and PostgreSQL backends stand on sqlx 0.9, as we
//! do, but the MySQL backend has not left its candidate (1.0.0-rc.8), and stands on sqlx 0.8 and async-std: beside ours
//! that is a second sqlx with a second set of pools, and a second runtime. Each backend also brings its own tables and
//! migrations with `CREATE TABLE` text of its own, which our migrator, `--pretend` and introspection would not see, and
//! none lets a job join a transaction of the application. What is left after the store is small enough to own.

mod ambient;
mod any_job;
mod backoff;
mod batch;
mod chain;
mod config;
mod context;
mod dispatched;
mod driver;
mod drivers;
mod fake;
mod id;
mod job;
mod locks_in_memory;
mod page;
mod payload_codec;
mod permanent_failure;
mod provider;
mod queue;
mod rate_limit;
mod redact;
mod registry;
mod runner;
mod unique;
mod worker;

#[cfg(feature = "database")]
pub mod tables;

pub use ambient::queue;
pub use any_job::{AnyJob, IntoJobs};
pub use backoff::{exponential, jitter};
pub use batch::{Batch, BatchId, BatchStatus, batch};
pub use chain::{Chain, chain};
pub use config::QueueConfig;
pub use context::{JobContext, job_context};
pub use dispatched::{DispatchedBatch, DispatchedJob};
pub use driver::{
    DriverFuture, FailedJob, FailedJobFilter, JobState, NewBatch, NewJob, QueueDriver, QueueSize, QueuedJob,
    ReservedJob, UniqueLock,
};
#[cfg(feature = "database")]
pub use drivers::DatabaseDriver;
#[cfg(feature = "redis")]
pub use drivers::RedisDriver;
pub use drivers::SyncDriver;
pub use fake::FakeQueue;
pub use id::JobId;
pub use job::{Job, job};
pub use permanent_failure::permanent_failure;
pub use provider::{AppJobs, QueueProvider};
pub use queue::{Queue, QueueBuilder};
pub use rate_limit::RateLimit;
pub use redact::redact;
pub use registry::{JobRegistry, JobType};
pub use unique::Unique;
pub use worker::{Worker, WorkerReport};
