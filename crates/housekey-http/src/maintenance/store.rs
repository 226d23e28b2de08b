use std::io::ErrorKind;
use std::path::PathBuf;

use housekey_cache::Cache;
use housekey_core::{Error, Result};
use serde::{Deserialize, Serialize};

/// Where it is written down that the app is down.
#[derive(Debug)]
pub(super) enum Store {
    File(PathBuf),
    Cache(Cache),
}

/// A downtime as every process reads it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Notice {
    /// Tells this downtime from every other: a cookie of the last one lets nobody in.
    pub(super) id: String,
    pub(super) retry_after: u64,
    /// A signature of the secret; the secret itself is nowhere.
    pub(super) secret: Option<String>,
    pub(super) except: Vec<String>,
    pub(super) message: Option<String>,
}

const KEY: &str = "housekey:maintenance";

impl Store {
    pub(super) async fn read(&self) -> Result<Option<Notice>> {
        match self {
            Self::File(path) => match tokio::fs::read(path).await {
                // Whoever made the file by hand meant it, whatever is in it.
                Ok(bytes) => Ok(Some(serde_json::from_slice(&bytes).unwrap_or_default())),
                Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
                Err(error) => Err(Error::from(error).context(format!("reading {}", path.display()))),
            },
            Self::Cache(cache) => cache.get(KEY).await,
        }
    }

    pub(super) async fn write(&self, notice: &Notice) -> Result<()> {
        match self {
            Self::File(path) => {
                let failed = |error| Error::from(error).context(format!("writing {}", path.display()));
                if let Some(folder) = path.parent() {
                    tokio::fs::create_dir_all(folder).await.map_err(failed)?;
                }
                // By another name first: nobody reads half a notice.
                let draft = path.with_extension(format!("{}.tmp", notice.id));
                tokio::fs::write(&draft, serde_json::to_vec_pretty(notice)?).await.map_err(failed)?;
                tokio::fs::rename(&draft, path).await.map_err(failed)
            }
            Self::Cache(cache) => cache.put(KEY, notice, None).await,
        }
    }

    /// Removes it, and says whether there was one.
    pub(super) async fn remove(&self) -> Result<bool> {
        match self {
            Self::File(path) => match tokio::fs::remove_file(path).await {
                Ok(()) => Ok(true),
                Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
                Err(error) => Err(Error::from(error).context(format!("removing {}", path.display()))),
            },
            Self::Cache(cache) => cache.forget(KEY).await,
        }
    }
}
