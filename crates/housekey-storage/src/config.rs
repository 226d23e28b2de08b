use std::collections::BTreeMap;
use std::path::PathBuf;

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

/// One disk: a folder of this machine.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct DiskConfig {
    /// The folder, seen from the app's root.
    pub root: PathBuf,
    /// Where its files are found: a path such as `/storage`, which the app then serves to anyone, or the address of
    /// whoever else serves the folder. Without one the files are private.
    pub url: Option<String>,
}

impl DiskConfig {
    /// A folder that only the app itself reads.
    pub fn private(root: impl Into<PathBuf>) -> Self {
        Self { root: root.into(), url: None }
    }

    /// A folder whose files anyone can fetch.
    pub fn public(root: impl Into<PathBuf>, url: impl Into<String>) -> Self {
        Self { root: root.into(), url: Some(url.into()) }
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
