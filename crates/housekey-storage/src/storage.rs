use std::collections::BTreeMap;
use std::sync::Arc;

use housekey_core::{Error, Paths, Result, service};

use crate::{Disk, DiskConfig, StorageConfig};

/// The disks of an application. Cheap to clone; [`storage()`] gives the application's.
#[derive(Clone, Debug)]
pub struct Storage {
    default: Disk,
    disks: Arc<BTreeMap<String, Disk>>,
}

impl Storage {
    /// The disks that `config/storage.rs` describes. Fails when the default is not among them.
    pub fn new(config: &StorageConfig, paths: &Paths) -> Result<Self> {
        let disks: BTreeMap<String, Disk> = config
            .disks
            .iter()
            .map(|(name, disk)| Ok((name.clone(), make(name, disk, paths)?)))
            .collect::<Result<_>>()?;
        let default = find(&disks, &config.default)?;
        Ok(Self { default, disks: Arc::new(disks) })
    }

    pub fn disk(&self, name: &str) -> Result<Disk> {
        find(&self.disks, name)
    }

    /// Every disk, by name.
    pub fn disks(&self) -> impl Iterator<Item = &Disk> {
        self.disks.values()
    }

    /// [`Disk::put`] on the default disk.
    pub async fn put(&self, path: &str, content: impl Into<Vec<u8>>) -> Result<()> {
        self.default.put(path, content).await
    }

    /// [`Disk::get`] on the default disk.
    pub async fn get(&self, path: &str) -> Result<Option<Vec<u8>>> {
        self.default.get(path).await
    }

    /// [`Disk::exists`] on the default disk.
    pub async fn exists(&self, path: &str) -> Result<bool> {
        self.default.exists(path).await
    }

    /// [`Disk::delete`] on the default disk.
    pub async fn delete(&self, path: &str) -> Result<bool> {
        self.default.delete(path).await
    }

    /// [`Disk::url`] on the default disk.
    pub fn url(&self, path: &str) -> Result<String> {
        self.default.url(path)
    }
}

fn make(name: &str, config: &DiskConfig, paths: &Paths) -> Result<Disk> {
    let url = config.url.as_deref();
    match &config.s3 {
        None => Ok(Disk::new(name, paths.locate(&config.root), url)),
        #[cfg(feature = "s3")]
        Some(bucket) => {
            let root = config.root.to_string_lossy();
            Ok(Disk::on_s3(name, crate::s3::S3Disk::new(name, bucket, &root)?, url))
        }
        #[cfg(not(feature = "s3"))]
        Some(_) => Err(Error::internal(format!(
            "the disk `{name}` is a bucket, and this app was built without them; add the feature `storage-s3` to \
             housekey in Cargo.toml"
        ))),
    }
}

fn find(disks: &BTreeMap<String, Disk>, name: &str) -> Result<Disk> {
    disks.get(name).cloned().ok_or_else(|| {
        let names: Vec<&str> = disks.keys().map(String::as_str).collect();
        Error::internal(format!(
            "there is no disk `{name}`; config/storage.rs has {}",
            if names.is_empty() { "none".to_owned() } else { names.join(", ") }
        ))
    })
}

/// The application's storage, from anywhere below a handler, a command or a job.
pub fn storage() -> Result<Storage> {
    service::<Storage>().map(Arc::unwrap_or_clone).ok_or_else(|| {
        Error::internal(
            "storage() found no disks: add housekey's `storage` feature (StorageProvider) to the app, and outside a \
             request pass a Storage or carry the scope with housekey::spawn",
        )
    })
}
