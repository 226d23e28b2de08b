use std::collections::BTreeMap;
use std::path::PathBuf;

use housekey_core::Secret;
use serde::{Deserialize, Serialize};

/// `config/storage.rs`: the disks by name, and which one is meant when none is named.
///
/// ```
/// use housekey_core::env;
/// use housekey_storage::{DiskConfig, StorageConfig};
///
/// pub fn storage() -> StorageConfig {
///     StorageConfig { default: env("STORAGE_DISK", "local"), ..Default::default() }
///         .with("invoices", DiskConfig::private("storage/app/invoices"))
/// }
/// # assert_eq!(storage().disks.len(), 3);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct StorageConfig {
    /// The disk used when none is named.
    pub default: String,
    /// Every disk by its name. `local` (private) and `public` (served at `/storage`) are there from the start.
    pub disks: BTreeMap<String, DiskConfig>,
}

/// One disk: a folder of this machine, or a bucket.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct DiskConfig {
    /// The folder, seen from the app's root; of a bucket, what stands in front of every path in it.
    pub root: PathBuf,
    /// Where its files are found: a path such as `/storage`, which the app then serves to anyone, or the address of
    /// whoever else serves the folder. Without one the files are private.
    pub url: Option<String>,
    /// The bucket, if it is one.
    pub s3: Option<S3Config>,
}

/// A bucket of S3, or of a service that speaks its protocol: MinIO, Garage, Ceph, R2, B2, Spaces.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct S3Config {
    pub bucket: String,
    /// Where it is: `eu-central-1`. Services that have none take any.
    pub region: String,
    /// The address of a service that is not AWS: `https://s3.example.org`. Its buckets are paths below it.
    pub endpoint: Option<String>,
    /// Without a key, the machine is asked for one, as programs in AWS do.
    pub access_key_id: String,
    pub secret_access_key: Secret,
}

impl Default for S3Config {
    fn default() -> Self {
        Self {
            bucket: String::new(),
            region: "us-east-1".into(),
            endpoint: None,
            access_key_id: String::new(),
            secret_access_key: Secret::default(),
        }
    }
}

impl DiskConfig {
    /// A folder that only the app itself reads.
    pub fn private(root: impl Into<PathBuf>) -> Self {
        Self { root: root.into(), ..Self::default() }
    }

    /// A folder whose files anyone can fetch.
    pub fn public(root: impl Into<PathBuf>, url: impl Into<String>) -> Self {
        Self::private(root).with_url(url)
    }

    /// A bucket that only the app itself reads, with the cargo feature `storage-s3`.
    ///
    /// ```
    /// use housekey_core::{default, env};
    /// use housekey_storage::{DiskConfig, S3Config};
    ///
    /// fn covers() -> DiskConfig {
    ///     DiskConfig::s3(S3Config {
    ///         bucket: env("S3_BUCKET", "shelf"),
    ///         region: env("S3_REGION", "eu-central-1"),
    ///         access_key_id: env("S3_ACCESS_KEY_ID", ""),
    ///         secret_access_key: env("S3_SECRET_ACCESS_KEY", ""),
    ///         ..default()
    ///     })
    /// }
    /// # covers();
    /// ```
    pub fn s3(bucket: S3Config) -> Self {
        Self { s3: Some(bucket), ..Self::default() }
    }

    /// Says where anyone can fetch the files.
    #[must_use]
    pub fn with_url(mut self, url: impl Into<String>) -> Self {
        self.url = Some(url.into());
        self
    }

    /// Puts everything below a path of the bucket: several apps may share one.
    #[must_use]
    pub fn with_root(mut self, root: impl Into<PathBuf>) -> Self {
        self.root = root.into();
        self
    }
}

impl StorageConfig {
    /// Adds a disk, or replaces the one of that name.
    #[must_use]
    pub fn with(mut self, name: impl Into<String>, disk: DiskConfig) -> Self {
        self.disks.insert(name.into(), disk);
        self
    }
}

impl Default for StorageConfig {
    fn default() -> Self {
        Self { default: "local".into(), disks: BTreeMap::new() }
            .with("local", DiskConfig::private("storage/app/private"))
            .with("public", DiskConfig::public("storage/app/public", "/storage"))
    }
}
