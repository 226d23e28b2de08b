use housekey_core::Result;
use housekey_engine::storage::{Comparison, Direction, Filter, Find, Records};
use housekey_engine::{Record, SecurityEventKind, Value};
use housekey_engine_sql::SqlStorage;
use serde::Serialize;
use time::OffsetDateTime;

use super::table;
use crate::Auth;

/// A security event as the database keeps it.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct KeptEvent {
    /// What happened, by its [name](SecurityEventKind::name): `sign-in`. A plugin may have names of its own.
    pub kind: String,
    #[serde(with = "time::serde::rfc3339")]
    pub at: OffsetDateTime,
    /// Whose account, if it is anybody's.
    pub user_id: Option<String>,
    /// The session in which it happened.
    pub session_id: Option<String>,
    /// The client's address.
    pub address: Option<String>,
    pub user_agent: Option<String>,
    /// How, or why: `{"method":"password"}`.
    pub detail: Option<serde_json::Value>,
}

/// Narrows what [`find`] looks for. A field that is unset leaves nothing out.
#[derive(Clone, Debug, Default)]
pub struct EventFilter {
    pub user_id: Option<String>,
    pub kind: Option<String>,
    pub since: Option<OffsetDateTime>,
    /// How many of the newest to leave out: for the next page.
    pub offset: u32,
}

/// The newest events of an account that its owner wants to see, if they are kept: for a page of theirs. A second factor that
/// was right is left out, since the sign-in that it led to stands beside it.
///
/// ```no_run
/// use housekey_auth::{CurrentUser, events};
///
/// async fn history(CurrentUser(user): CurrentUser) -> housekey_core::Result<String> {
///     let events = events::recent(&user.id, 10).await?;
///     Ok(events.iter().map(|event| format!("{} {}\n", event.at, event.kind)).collect())
/// }
/// ```
pub async fn recent(user_id: &str, most: u32) -> Result<Vec<KeptEvent>> {
    let passed = SecurityEventKind::SecondFactorPassed.name();
    let filter = Filter::by("userId", user_id).and("kind", Comparison::NotEqual, passed);
    let auth = Auth::current()?;
    read(&auth, filter, most, 0).await
}

/// The newest events that match; none where they are not kept.
pub async fn find(auth: &Auth, wanted: &EventFilter, most: u32) -> Result<Vec<KeptEvent>> {
    let mut filter = Filter::all();
    if let Some(user_id) = &wanted.user_id {
        filter = filter.and_by("userId", user_id);
    }
    if let Some(kind) = &wanted.kind {
        filter = filter.and_by("kind", kind);
    }
    if let Some(since) = wanted.since {
        filter = filter.and("createdAt", Comparison::GreaterOrEqual, since);
    }
    read(auth, filter, most, wanted.offset).await
}

async fn read(auth: &Auth, filter: Filter, most: u32, offset: u32) -> Result<Vec<KeptEvent>> {
    if auth.config().events.days().is_none() {
        return Ok(Vec::new());
    }
    let storage = SqlStorage::new(auth.database()?);
    let newest = Find::new(filter).order("createdAt", Direction::Descending).limit(most).offset(offset);
    let rows = storage.find(&table::table(), &newest).await?;
    Ok(rows.iter().map(KeptEvent::from).collect())
}

impl From<&Record> for KeptEvent {
    fn from(row: &Record) -> Self {
        let text = |field| row.text(field).map(str::to_owned);
        let detail = match row.get("detail") {
            Some(Value::Json(detail)) => Some(detail.clone()),
            _ => None,
        };
        Self {
            kind: text("kind").unwrap_or_default(),
            at: row.get("createdAt").and_then(Value::as_date).unwrap_or(OffsetDateTime::UNIX_EPOCH),
            user_id: text("userId"),
            session_id: text("sessionId"),
            address: text("address"),
            user_agent: text("userAgent"),
            detail,
        }
    }
}
