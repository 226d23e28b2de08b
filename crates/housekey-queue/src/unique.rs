use std::fmt::{self, Display};
use std::time::Duration;

use data_encoding::BASE64URL_NOPAD;
use sha2::{Digest, Sha256};

use crate::driver::UniqueLock;
use crate::payload_codec::PayloadCodec;

/// What makes a job the same as another of its kind, and for how long: the answer of [`Job::unique`](crate::Job::unique).
///
/// ```
/// use std::time::Duration;
/// use housekey_core::Result;
/// use housekey_queue::{Job, Unique};
/// use serde::{Deserialize, Serialize};
///
/// #[derive(Serialize, Deserialize)]
/// struct IndexBook {
///     book: i64,
/// }
///
/// impl Job for IndexBook {
///     const NAME: &'static str = "index-book";
///
///     async fn handle(self) -> Result<()> {
///         Ok(())
///     }
///
///     fn unique(&self) -> Option<Unique> {
///         Some(Unique::by(self.book, Duration::from_secs(600)))
///     }
/// }
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Unique {
    key: String,
    lasts: Duration,
}

impl Unique {
    /// While a job of the same kind and key waits or runs, no second one is queued; but no longer than `at_most`, counted
    /// from the moment it was dispatched.
    pub fn by(key: impl Display, at_most: Duration) -> Self {
        Self { key: key.to_string(), lasts: at_most }
    }

    /// The lock that stands for it in a store, which must not tell the key: it may be somebody's address.
    pub(crate) fn lock(&self, name: &str, codec: &PayloadCodec) -> UniqueLock {
        // The length keeps one job's name and key from reading as another's.
        let text = format!("{}:{name}{}", name.len(), self.key);
        let digest: [u8; 32] = match &codec.0 {
            Some(encrypter) => encrypter.sign(text.as_bytes(), "unique job"),
            None => Sha256::digest(text).into(),
        };
        UniqueLock { key: BASE64URL_NOPAD.encode(&digest), lasts: self.lasts }
    }
}

/// Without the key, which may be somebody's address.
impl fmt::Debug for Unique {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Unique({:?})", self.lasts)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use housekey_core::{AppKey, Encrypter};

    #[test]
    fn a_lock_tells_jobs_apart_and_not_what_they_are_about() {
        let lock = |codec: &PayloadCodec, name: &str, key: &str| {
            Unique::by(key, Duration::from_secs(1)).lock(name, codec).key
        };
        let sealed = || PayloadCodec(Some(Encrypter::new(AppKey::generate()).into()));
        for codec in [PayloadCodec::default(), sealed()] {
            let plain = lock(&codec, "mail", "ada@example.com");
            assert_eq!(plain, lock(&codec, "mail", "ada@example.com"));
            assert_eq!(plain.len(), 43);
            assert_ne!(plain, lock(&codec, "mail", "bob@example.com"));
            assert_ne!(lock(&codec, "mail", "s1"), lock(&codec, "mails", "1"));
        }
        // Without the key of the app nobody can try addresses until one fits.
        assert_ne!(lock(&sealed(), "mail", "ada@example.com"), lock(&sealed(), "mail", "ada@example.com"));
    }
}
