use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use data_encoding::BASE64URL_NOPAD;
use housekey_core::BoundedMap;
use sha2::{Digest, Sha256};

/// Names the bytes of files. Small files, nearly all of them, are named by their content: container images give all
/// files one modification time, and then a changed file of the same length would pass for the old one. Names are kept
/// until length or time changes.
#[derive(Debug)]
pub(crate) struct ETags {
    known: Mutex<BoundedMap<PathBuf, Known>>,
}

#[derive(Debug)]
struct Known {
    length: u64,
    modified: Option<SystemTime>,
    etag: String,
}

/// Larger files are named by length and time: reading one through for its name would take longer than sending it.
const LARGEST_READ: u64 = 4 * 1024 * 1024;

/// Only existing files are remembered; this is for folders that someone keeps filling.
const MOST_KNOWN: usize = 10_000;

impl Default for ETags {
    fn default() -> Self {
        Self { known: Mutex::new(BoundedMap::new(MOST_KNOWN)) }
    }
}

impl ETags {
    pub(crate) fn of(
        &self,
        path: &Path,
        file: &mut File,
        length: u64,
        modified: Option<SystemTime>,
    ) -> io::Result<String> {
        if length > LARGEST_READ {
            let time = modified.and_then(|time| time.duration_since(UNIX_EPOCH).ok()).unwrap_or_default();
            return Ok(format!("\"{length:x}-{:x}\"", time.as_nanos()));
        }
        if let Some(etag) = self.remembered(path, length, modified) {
            return Ok(etag);
        }
        let mut bytes = Vec::new();
        file.take(LARGEST_READ).read_to_end(&mut bytes)?;
        let etag = format!("\"{}\"", BASE64URL_NOPAD.encode(&Sha256::digest(&bytes)[..18]));
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.insert(path.to_owned(), Known { length, modified, etag: etag.clone() });
        Ok(etag)
    }

    fn remembered(&self, path: &Path, length: u64, modified: Option<SystemTime>) -> Option<String> {
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let known = known.get(path).filter(|known| known.length == length && known.modified == modified)?;
        Some(known.etag.clone())
    }
}
