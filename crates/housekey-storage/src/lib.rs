//! Files an app keeps: uploads, exports, whatever is too large for a database.
//!
//! - [`StorageConfig`] (`config/storage.rs`) names the disks: folders of this machine, private or [served](DiskConfig).
//! - [`Storage`] holds them; [`storage()`] is the application's. A [`Disk`] puts, gets and deletes files by a path.
//! - [`StorageProvider`] brings them into an app, with the routes of the disks that are served.
//!
//! A path is `avatars/7.png`: below its disk, without `..`, hidden parts or a slash in front. Everything else is
//! refused, so a name may come from a visitor.
//!
//! ```
//! use housekey_core::Result;
//! use housekey_storage::storage;
//!
//! async fn keep(avatar: Vec<u8>) -> Result<String> {
//!     let disk = storage()?.disk("public")?;
//!     disk.put("avatars/7.png", avatar).await?;
//!     disk.url("avatars/7.png")
//! }
//! ```

mod config;
mod disk;
mod place;
mod provider;
mod served;
mod storage;

pub use config::{DiskConfig, StorageConfig};
pub use disk::Disk;
pub use provider::StorageProvider;
pub use storage::{Storage, storage};
