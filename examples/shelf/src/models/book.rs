use std::time::Duration;

use housekey::database::{
    Database, Date, DbEnum, Decimal, FromRow, HasMany, HasOne, ManyToMany, ModelHooks, Original, Query,
    Record,
};
use housekey::prelude::*;
use serde::{Deserialize, Serialize};
use time::OffsetDateTime;

use super::{AuditEntry, Loan, Tag};
use crate::events::BookAdded;

/// A book of the library.
#[derive(Clone, Debug, FromRow, Model)]
#[model(table = "books", timestamps, version, soft_deletes, hooks)]
pub struct Book {
    pub id: i64,
    pub isbn: String,
    pub title: String,
    pub author: String,
    pub pages: Option<i64>,
    pub price: Decimal,
    pub condition: Condition,
    pub bought_on: Date,
    /// Where its picture lies on the disk `covers`.
    pub cover: Option<String>,
    pub version: i64,
    pub created_at: OffsetDateTime,
    pub updated_at: OffsetDateTime,
    pub deleted_at: Option<OffsetDateTime>,
    pub original: Original,
    pub tags: ManyToMany<Tag>,
    pub loans: HasMany<Loan>,
    /// The loan that is open, where it was loaded with [`Book::with_shelf`].
    pub open_loan: HasOne<Loan>,
}

/// What it looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq, DbEnum, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Condition {
    New,
    Good,
    Worn,
}

impl Condition {
    /// As people read it.
    pub fn words(self) -> String {
        match self {
            Self::New => t("Like new"),
            Self::Good => t("Good"),
            Self::Worn => t("Worn"),
        }
    }
}

impl Book {
    /// The tags, and who has it now: what every list shows.
    pub fn with_shelf(books: Query<Book>) -> Query<Book> {
        books.with(Book::tags).with(Book::open_loan.only(Loan::open))
    }

    /// Those with these words in title, author or number.
    pub fn search(books: Query<Book>, words: &str) -> Query<Book> {
        books.where_any(|any| {
            any.where_contains(Book::title, words)
                .where_contains(Book::author, words)
                .where_starts_with(Book::isbn, words)
        })
    }

    /// Whether somebody has it.
    pub fn is_lent(&self) -> bool {
        self.open_loan.is_some()
    }

    /// An address for its picture that is good for ten minutes.
    pub async fn cover_url(&self) -> Result<Option<String>> {
        let Some(cover) = &self.cover else { return Ok(None) };
        let url = storage()?.disk("covers")?.temporary_url(cover, Duration::from_secs(600)).await?;
        Ok(Some(url))
    }
}

impl ModelHooks for Book {
    async fn after_create(&self, _: &Database) -> Result<()> {
        AuditEntry::write(self.id, "added", "").await?;
        emit(BookAdded { book: self.id }).await
    }

    async fn before_update(&self, columns: &mut Record, _: &Database) -> Result<()> {
        let changed: Vec<&str> = columns.columns().filter(|column| *column != "updated_at").collect();
        AuditEntry::write(self.id, "changed", &changed.join(", ")).await
    }

    async fn after_delete(&self, _: &Database) -> Result<()> {
        AuditEntry::write(self.id, "removed", "").await
    }
}
