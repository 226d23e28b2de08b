use time::OffsetDateTime;

use super::SecurityEventKind;
use crate::Record;
use crate::record::{FieldName, Value};

/// Something that happened to an account, or that somebody tried.
///
/// [`Api::event`](crate::Api::event) makes one and [`Api::emit`](crate::Api::emit) hands it over.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct SecurityEvent {
    pub kind: SecurityEventKind,
    /// Whose account, if it is anybody's.
    pub user_id: Option<String>,
    /// The id of the session in which it happened, or that it began. Never its token.
    pub session_id: Option<String>,
    /// The client's address, as it is stored with a session.
    pub address: Option<String>,
    /// What the client calls itself, cut to [`LONGEST_USER_AGENT`](Self::LONGEST_USER_AGENT) characters.
    pub user_agent: String,
    pub at: OffsetDateTime,
    /// How, or why: `method`, `reason`. [`SecurityEventKind`] says what there is.
    pub detail: Record,
}

impl SecurityEvent {
    /// Characters that are kept of what a client calls itself. Anybody may write anything there, as often as they like.
    pub const LONGEST_USER_AGENT: usize = 512;

    /// The event of a session by its id: for one that is not the session of whoever asks. Never a token.
    #[must_use]
    pub fn in_session(mut self, id: impl Into<String>) -> Self {
        self.session_id = Some(id.into());
        self
    }

    /// The event with one more detail. Nothing secret may stand there, and nothing that a visitor wrote.
    #[must_use]
    pub fn with(mut self, field: impl Into<FieldName>, value: impl Into<Value>) -> Self {
        self.detail.set(field, value);
        self
    }
}
