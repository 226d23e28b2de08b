use housekey_core::Result;
use housekey_database::{FromRow, Row};

/// A delivery that is due, as it was when somebody looked.
pub(crate) struct Candidate {
    pub(super) id: String,
    pub(super) event_id: String,
    pub(super) event: String,
    pub(super) listener: String,
    pub(super) payload: String,
    pub(super) attempts: u32,
    pub(super) available_at: i64,
    pub(super) lease: Option<String>,
}

impl FromRow for Candidate {
    fn from_row(row: &Row) -> Result<Self> {
        Ok(Self {
            id: row.get("id")?,
            event_id: row.get("event_id")?,
            event: row.get("event")?,
            listener: row.get("listener")?,
            payload: row.get("payload")?,
            attempts: row.get("attempts")?,
            available_at: row.get("available_at")?,
            lease: row.get("lease")?,
        })
    }
}

/// A delivery that a relay has in hand.
#[derive(Clone)]
pub(crate) struct Borrowed {
    pub(crate) id: String,
    pub(crate) event_id: String,
    pub(crate) event: String,
    pub(crate) listener: String,
    pub(crate) payload: String,
    pub(crate) attempt: u32,
    /// Only who knows it has a say.
    pub(crate) lease: String,
}

/// A delivery that was given up, from [`Outbox::failed`](crate::Outbox::failed). What the event carries stays in the table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FailedDelivery {
    pub event_id: String,
    /// The name of the event.
    pub event: String,
    pub listener: String,
    pub attempts: u32,
    /// What the last one ended with.
    pub error: String,
}

impl FromRow for FailedDelivery {
    fn from_row(row: &Row) -> Result<Self> {
        Ok(Self {
            event_id: row.get("event_id")?,
            event: row.get("event")?,
            listener: row.get("listener")?,
            attempts: row.get("attempts")?,
            error: row.get::<Option<String>>("error")?.unwrap_or_default(),
        })
    }
}
