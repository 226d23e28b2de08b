//! Files an app keeps: uploads, exports, whatever is too large for a database.
//!
//! - [`StorageConfig`] (`config/storage.rs`) names the disks: folders of this machine and, with the feature `s3`, buckets of
//!   S3 or of anything that speaks its protocol. They are private or [served](DiskConfig).
//! - [`Storage`] holds them; [`storage()`] is the application's. A [`Disk`] has the same words for both kinds: put, get, read,
//!   list, copy, rename, delete, whole or as a stream.
//! - [`Disk::store`] keeps what [`uploads`](housekey_http::uploads) received. [`Disk::temporary_url`] lends a private file,
//!   [`Disk::download`] answers with one.
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
mod download;
mod file;
mod harmless;
mod local;
mod place;
mod provider;
#[cfg(feature = "s3")]
mod s3;
mod served;
mod shown;
mod storage;

pub use config::{DiskConfig, S3Config, StorageConfig};
pub use disk::Disk;
pub use file::{FileInfo, FileList, FileStream};
pub use provider::StorageProvider;
pub use storage::{Storage, storage};
