use housekey::database::{BelongsTo, FromRow, Original};
use housekey::prelude::*;
use time::OffsetDateTime;

use super::{Book, User};

/// What was done with a book, and by whom. The hooks of the models write it, in the transaction of the change itself.
#[derive(Clone, Debug, FromRow, Model)]
#[model(table = "audit_entries", timestamps)]
pub struct AuditEntry {
    pub id: i64,
    /// Nobody for what the app does by itself.
    pub user_id: Option<String>,
    pub book_id: i64,
    pub action: String,
    pub details: String,
    pub created_at: OffsetDateTime,
    pub updated_at: OffsetDateTime,
    pub original: Original,
    pub book: BelongsTo<Book>,
    #[relation(foreign_key = "user_id")]
    pub person: BelongsTo<Option<User>>,
}

impl AuditEntry {
    pub async fn write(book: i64, action: &str, details: &str) -> Result<()> {
        AuditEntry::create(record! {
            AuditEntry::user_id => user().map(|user| user.id.clone()),
            AuditEntry::book_id => book,
            AuditEntry::action => action,
            AuditEntry::details => details.chars().take(300).collect::<String>(),
        })
        .await?;
        Ok(())
    }
}
