use std::fmt;
use std::pin::Pin;
use std::sync::Arc;

use data_encoding::HEXLOWER_PERMISSIVE;
use housekey_core::{Result, random};

pub type StoreFuture<'a, T> = Pin<Box<dyn Future<Output = Result<T>> + Send + 'a>>;

/// Keeps the records of sessions: the contract that every driver fulfils.
///
/// A store knows nothing of what a record means. It must do one thing well: replace a record only when it is still
/// the one that was read. Everything that keeps concurrent requests from losing each other's changes rests on that.
///
/// A store that cannot be reached answers with an error, never with "no record".
pub trait SessionStore: Send + Sync + 'static {
    /// The name used in `config/session.rs`.
    fn name(&self) -> &'static str;

    /// The record of a session. One that has expired may be returned or not; the caller looks at the date.
    fn read<'a>(&'a self, id: &'a SessionId) -> StoreFuture<'a, Option<SessionRecord>>;

    /// Puts `record` in the place of the one whose version is `expected` (`None`: there must be none), in one
    /// step that no other writer can come between. Answers whether it did.
    fn swap<'a>(
        &'a self,
        id: &'a SessionId,
        expected: Option<u64>,
        record: SessionRecord,
    ) -> StoreFuture<'a, bool>;

    /// Removes a record, whatever its version.
    fn remove<'a>(&'a self, id: &'a SessionId) -> StoreFuture<'a, ()>;

    /// Removes what expired before `now` (seconds since 1970) and answers how many records that were.
    fn collect_garbage(&self, now: u64) -> StoreFuture<'_, u64>;
}

/// A shared store is a store.
impl<S: SessionStore + ?Sized> SessionStore for Arc<S> {
    fn name(&self) -> &'static str {
        (**self).name()
    }

    fn read<'a>(&'a self, id: &'a SessionId) -> StoreFuture<'a, Option<SessionRecord>> {
        (**self).read(id)
    }

    fn swap<'a>(
        &'a self,
        id: &'a SessionId,
        expected: Option<u64>,
        record: SessionRecord,
    ) -> StoreFuture<'a, bool> {
        (**self).swap(id, expected, record)
    }

    fn remove<'a>(&'a self, id: &'a SessionId) -> StoreFuture<'a, ()> {
        (**self).remove(id)
    }

    fn collect_garbage(&self, now: u64) -> StoreFuture<'_, u64> {
        (**self).collect_garbage(now)
    }
}

/// What a store keeps for one session.
#[derive(Clone, PartialEq, Eq)]
pub struct SessionRecord {
    /// Changes with every write and never comes back, so that it names one state of one record.
    pub version: u64,
    /// When the record ends, in seconds since 1970.
    pub expires_at: u64,
    /// The sealed contents.
    pub payload: Vec<u8>,
}

impl SessionRecord {
    /// A record with a version of its own. Versions are random and fit a signed 64-bit column.
    pub fn new(payload: Vec<u8>, expires_at: u64) -> Self {
        let version = u64::from_be_bytes(random::bytes()) >> 1;
        Self { version, expires_at, payload }
    }
}

impl fmt::Debug for SessionRecord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SessionRecord")
            .field("version", &self.version)
            .field("expires_at", &self.expires_at)
            .field("bytes", &self.payload.len())
            .finish()
    }
}

/// The name of a session: 128 random bits.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct SessionId([u8; 16]);

impl SessionId {
    /// A name nobody has had before.
    pub fn random() -> Self {
        Self(random::bytes())
    }

    /// The name as 32 lower-case hexadecimal digits: safe as a file name and as a key.
    pub fn to_hex(&self) -> String {
        HEXLOWER_PERMISSIVE.encode(&self.0)
    }

    /// Reads [`to_hex`](Self::to_hex) back.
    pub fn from_hex(text: &str) -> Option<Self> {
        HEXLOWER_PERMISSIVE.decode(text.as_bytes()).ok()?.try_into().ok().map(Self)
    }

    pub(crate) const fn from_bytes(bytes: [u8; 16]) -> Self {
        Self(bytes)
    }

    pub(crate) fn as_bytes(&self) -> &[u8; 16] {
        &self.0
    }
}

/// Eight digits are enough to follow a session through a log, and too few to name it.
impl fmt::Debug for SessionId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SessionId({}…)", &self.to_hex()[..8])
    }
}
