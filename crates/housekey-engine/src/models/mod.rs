//! Users, sessions, accounts and verification values, and the one way in which rows are written ([`Changes`]).

mod account;
mod changes;
mod optimistic_lock;
mod session;
mod user;
mod verification;
mod view;

pub(crate) use account::{CREDENTIAL, credential_account, find_credential};
pub use changes::{Changes, Commit};
pub use optimistic_lock::OptimisticLock;
pub use session::{Session, SignedIn};
pub use user::User;
pub use verification::{Verification, Verifications};
pub use view::{RowView, SessionView, UserView};

use time::OffsetDateTime;

use crate::record::Value;
use crate::schema::{Table, value_of};
use crate::{ApiError, Record, Result};

/// Takes the fields that a model needs out of a row; what is left are the columns of plugins and the app.
///
/// ```
/// use housekey_engine::{Fields, Record};
///
/// let mut fields = Fields("team", Record::new().with("name", "Core").with("colour", "red"));
/// assert_eq!(fields.text("name").unwrap(), "Core");
/// assert!(fields.date("createdAt").is_err());
/// assert_eq!(fields.1.text("colour"), Some("red"));
/// ```
pub struct Fields<'a>(
    /// The table, for whoever reads the error.
    pub &'a str,
    /// The row that is read.
    pub Record,
);

impl Fields<'_> {
    pub fn text(&mut self, field: &str) -> Result<String> {
        match self.1.take(field) {
            Some(Value::Text(text)) => Ok(text),
            other => Err(self.unreadable(field, other.as_ref())),
        }
    }

    pub fn optional_text(&mut self, field: &str) -> Result<Option<String>> {
        match self.1.take(field) {
            Some(Value::Text(text)) => Ok(Some(text)),
            Some(Value::Null) | None => Ok(None),
            other => Err(self.unreadable(field, other.as_ref())),
        }
    }

    pub fn boolean(&mut self, field: &str) -> Result<bool> {
        match self.1.take(field) {
            Some(Value::Bool(value)) => Ok(value),
            other => Err(self.unreadable(field, other.as_ref())),
        }
    }

    pub fn date(&mut self, field: &str) -> Result<OffsetDateTime> {
        match self.1.take(field) {
            Some(Value::Date(moment)) => Ok(moment),
            other => Err(self.unreadable(field, other.as_ref())),
        }
    }

    pub fn optional_date(&mut self, field: &str) -> Result<Option<OffsetDateTime>> {
        match self.1.take(field) {
            Some(Value::Date(moment)) => Ok(Some(moment)),
            Some(Value::Null) | None => Ok(None),
            other => Err(self.unreadable(field, other.as_ref())),
        }
    }

    fn unreadable(&self, field: &str, found: Option<&Value>) -> ApiError {
        let kind = match found {
            None => "nothing",
            Some(Value::Null) => "an empty value",
            Some(_) => "a value of another type",
        };
        ApiError::internal("a row could not be read", format!("{}.{field} holds {kind}", self.0))
    }
}

/// A row from the JSON that clients see, by the types of the table's columns.
pub(crate) fn record_of(table: &Table, json: &serde_json::Map<String, serde_json::Value>) -> Option<Record> {
    let mut record = Record::new();
    for column in &table.columns {
        if let Some(value) = json.get(&*column.field) {
            record.set(column.field.clone(), value_of(column.kind, value)?);
        }
    }
    Some(record)
}
