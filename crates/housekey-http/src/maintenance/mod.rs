//! Maintenance: while it lasts, every address answers 503 with `Retry-After`, and the people who work on it are let in.
//!
//! ```sh
//! housekey down --retry=60 --secret --except=/up
//! housekey up
//! ```
//!
//! [`MaintenanceConfig`] says where it is written down: in a file, which every process of this machine sees, or in the cache,
//! which several machines share. A process looks there twice a second at most, so that a request costs nothing, and follows
//! within that time. If the cache cannot be reached, things stay as they were seen last: maintenance is a courtesy, not a
//! lock.
//!
//! Files below `public` are served all the while, because the page may need them. Addresses in `except` answer as always:
//! a health check that a load balancer looks at, a webhook that must not be missed.
//!
//! A person is let in by opening any address with `?maintenance=<secret>`: a cookie then lets this browser pass until `up`.
//! The secret stands in the query, which no log of ours shows, and is kept as a signature only.
//!
//! ```
//! use std::time::Duration;
//!
//! use housekey_http::maintenance::{Downtime, Maintenance};
//! # use housekey_core::{AppConfig, ConfigFiles, Env, Environment};
//! # use housekey_http::App;
//!
//! # #[tokio::main(flavor = "current_thread")] async fn main() -> housekey_core::Result<()> {
//! # let folder = tempfile::tempdir()?;
//! # let app = App::new(ConfigFiles::new()).root(folder.path()).env(Env::empty());
//! # let app = app.configure(|config| config.update::<AppConfig>(|app| app.env = Environment::Testing)).boot()?;
//! let maintenance = app.services().require::<Maintenance>()?;
//! maintenance.down(Downtime::new().retry_after(Duration::from_secs(60)).except(["/up"])).await?;
//! assert!(maintenance.is_down().await?);
//! assert!(maintenance.up().await?);
//! # Ok(()) }
//! ```

mod config;
mod downtime;
mod page;
mod service;
mod stop;
mod store;

pub use config::MaintenanceConfig;
pub use downtime::Downtime;
pub use service::Maintenance;

pub(crate) use page::page;

/// What programs know the answer by.
pub(crate) const CODE: &str = "maintenance";
