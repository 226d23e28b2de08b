use housekey::database::{BelongsTo, Database, DatabaseError, Date, FromRow, ModelHooks, Original, Query};
use housekey::prelude::*;
use time::{Duration, OffsetDateTime};

use super::{AuditEntry, Book, User};
use crate::calendar::today;
use crate::events::{BookLent, BookReturned};

/// Somebody has a book, or had it.
#[derive(Clone, Debug, FromRow, Model)]
#[model(table = "loans", timestamps, hooks)]
pub struct Loan {
    pub id: i64,
    pub book_id: i64,
    pub user_id: Option<String>,
    pub lent_on: Date,
    pub due_on: Date,
    pub returned_on: Option<Date>,
    pub reminded_on: Option<Date>,
    /// True while the book is out, empty afterwards: by the index over it, one loan of a book can be open.
    pub is_open: Option<bool>,
    pub created_at: OffsetDateTime,
    pub updated_at: OffsetDateTime,
    pub original: Original,
    pub book: BelongsTo<Book>,
    #[relation(foreign_key = "user_id")]
    pub reader: BelongsTo<Option<User>>,
}

impl Loan {
    const DAYS: i64 = 28;

    /// Those whose book is still out.
    pub fn open(loans: Query<Loan>) -> Query<Loan> {
        loans.where_eq(Loan::is_open, true)
    }

    /// Lends a book to somebody; `None` if it is lent already, also when two ask at the same moment.
    pub async fn lend(book: &Book, reader: &str) -> Result<Option<Loan>> {
        let today = today();
        let loan = record! {
            Loan::book_id => book.id,
            Loan::user_id => reader,
            Loan::lent_on => today,
            Loan::due_on => today + Duration::days(Loan::DAYS),
            Loan::is_open => true,
        };
        match Loan::create(loan).await {
            Ok(loan) => Ok(Some(loan)),
            Err(error) if DatabaseError::of(&error).is_some_and(DatabaseError::is_unique_violation) => {
                Ok(None)
            }
            Err(error) => Err(error),
        }
    }

    /// The book is back. Doing it twice changes nothing.
    pub async fn take_back(&mut self) -> Result<()> {
        if self.is_open.is_none() {
            return Ok(());
        }
        self.update(record! { Loan::is_open => None::<bool>, Loan::returned_on => today() }).await
    }

    pub fn is_overdue(&self) -> bool {
        self.is_open.is_some() && self.due_on < today()
    }
}

impl ModelHooks for Loan {
    async fn after_create(&self, _: &Database) -> Result<()> {
        AuditEntry::write(self.book_id, "lent", &format!("until {}", self.due_on)).await?;
        emit(BookLent { book: self.book_id, loan: self.id }).await
    }

    async fn after_update(&self, _: &Database) -> Result<()> {
        if self.is_open.is_some() {
            return Ok(());
        }
        AuditEntry::write(self.book_id, "returned", "").await?;
        emit(BookReturned { book: self.book_id }).await
    }
}
