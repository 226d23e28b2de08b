use housekey_core::Result;
use housekey_database::{DatabaseError, DatabaseSource, FromRow, Query, Row, Value, record};
use time::OffsetDateTime;

use crate::NotifiableKey;
use crate::inbox::{NotificationStore, StoreFuture, StoredNotification};
use crate::tables::TABLE;

/// Keeps notifications in the `notifications` table, on any engine; the table comes from
/// [`tables::create`](crate::tables::create) or `make:notifications-table`.
///
/// ```
/// use housekey_database::Database;
/// use housekey_notifications::{DatabaseNotificationStore, Inbox};
///
/// let inbox = Inbox::new(DatabaseNotificationStore::new(Database::memory()));
/// # drop(inbox);
/// ```
#[derive(Clone, Debug)]
pub struct DatabaseNotificationStore {
    source: DatabaseSource,
}

impl DatabaseNotificationStore {
    pub fn new(source: impl Into<DatabaseSource>) -> Self {
        Self { source: source.into() }
    }

    /// Somebody's notifications, or the one of them that is meant.
    fn of(&self, owner: &NotifiableKey, id: Option<&str>) -> Result<Query> {
        let theirs = self
            .source
            .get()?
            .table(TABLE)
            .where_eq("notifiable_type", &owner.kind)
            .where_eq("notifiable_id", &owner.id);
        Ok(match id {
            Some(id) => theirs.where_eq("id", id),
            None => theirs,
        })
    }
}

impl NotificationStore for DatabaseNotificationStore {
    fn insert(&self, notification: StoredNotification) -> StoreFuture<'_, ()> {
        explained(async move {
            let StoredNotification { id, kind, owner, data, read_at, created_at } = notification;
            let row = record! {
                "id" => id,
                "type" => kind,
                "notifiable_type" => owner.kind,
                "notifiable_id" => owner.id,
                "data" => Value::Json(data),
                "read_at" => read_at,
                "created_at" => created_at,
            };
            self.source.get()?.table(TABLE).insert_or_ignore(row).await.map(drop)
        })
    }

    fn list<'a>(
        &'a self,
        owner: &'a NotifiableKey,
        unread_only: bool,
    ) -> StoreFuture<'a, Vec<StoredNotification>> {
        explained(async move {
            let theirs = self.of(owner, None)?;
            let wanted = if unread_only { theirs.where_null("read_at") } else { theirs };
            wanted.order_by_desc("created_at").order_by_desc("id").get().await
        })
    }

    fn mark_as_read<'a>(
        &'a self,
        owner: &'a NotifiableKey,
        id: Option<&'a str>,
        at: OffsetDateTime,
    ) -> StoreFuture<'a, u64> {
        explained(async move {
            self.of(owner, id)?.where_null("read_at").update(record! { "read_at" => at }).await
        })
    }

    fn delete<'a>(&'a self, owner: &'a NotifiableKey, id: Option<&'a str>) -> StoreFuture<'a, u64> {
        explained(async move { self.of(owner, id)?.delete().await })
    }
}

impl FromRow for StoredNotification {
    fn from_row(row: &Row) -> Result<Self> {
        Ok(Self {
            id: row.get("id")?,
            kind: row.get("type")?,
            owner: NotifiableKey { kind: row.get("notifiable_type")?, id: row.get("notifiable_id")? },
            data: row.get("data")?,
            read_at: row.get("read_at")?,
            created_at: row.get("created_at")?,
        })
    }
}

fn explained<'a, T>(work: impl Future<Output = Result<T>> + Send + 'a) -> StoreFuture<'a, T> {
    Box::pin(async move {
        work.await.map_err(|error| {
            if DatabaseError::of(&error).is_some_and(DatabaseError::is_missing_table) {
                return error.context(
                    "the channel `database` writes to the `notifications` table, which is not there: run \
                     `housekey make:notifications-table` and `housekey migrate`",
                );
            }
            error
        })
    })
}
