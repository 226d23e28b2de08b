use housekey_core::{Error, Result};
use sea_query::{Condition as Built, Expr, ExprTrait};

use super::{Query, iden};
use crate::clock::now;
use crate::{Record, Value};

/// How a query looks at rows that were deleted softly.
#[derive(Clone, Copy)]
pub(super) struct SoftDeletes {
    column: &'static str,
    /// The column that counts the changes of a row, where its model has one.
    version: Option<&'static str>,
    shown: Shown,
}

#[derive(Clone, Copy)]
enum Shown {
    Present,
    All,
    Deleted,
}

/// Of a model with `soft_deletes`, whose rows say in `deleted_at` since when they are gone. A query means those that are not.
impl<T> Query<T> {
    pub(crate) fn softly_deleted(mut self, column: &'static str, version: Option<&'static str>) -> Self {
        self.deleted = Some(SoftDeletes { column, version, shown: Shown::Present });
        self
    }

    pub fn with_deleted(self) -> Self {
        self.showing(Shown::All)
    }

    /// Rows that were deleted, and no others.
    pub fn only_deleted(self) -> Self {
        self.showing(Shown::Deleted)
    }

    fn showing(mut self, shown: Shown) -> Self {
        if let Some(deleted) = &mut self.deleted {
            deleted.shown = shown;
        }
        self
    }

    /// Brings deleted rows back, and says how many that were.
    pub async fn restore(&self) -> Result<u64> {
        let Some(SoftDeletes { column, .. }) = self.deleted else {
            return Err(Error::internal(format!(
                "rows of `{}` do not come back: its model has no soft_deletes",
                self.table
            )));
        };
        self.restore_with(Record::new().with(column, Value::Null)).await
    }

    /// Sets these columns of deleted rows, so that they are back. To whoever has a copy of such a row, that is a change.
    pub(crate) async fn restore_with(&self, columns: Record) -> Result<u64> {
        let version = self.deleted.and_then(|deleted| deleted.version);
        self.clone().only_deleted().update_adding(columns, version.map(|version| (version, 1))).await
    }

    /// Removes every row that was asked for, for good, and says how many that were.
    pub async fn force_delete(&self) -> Result<u64> {
        self.remove_rows().await
    }

    /// Says of every row that was asked for that it is gone; `None` when rows of this table really go. To whoever has a copy
    /// of such a row, that is a change.
    pub(super) async fn delete_softly(&self) -> Option<Result<u64>> {
        let SoftDeletes { column, version, .. } = self.deleted?;
        let since = Record::new().with(column, now());
        Some(self.update_adding(since, version.map(|version| (version, 1))).await)
    }

    /// Kept beside the conditions, as the organisation is: no `or_where` leads around it.
    pub(super) fn besides_deleted(&self, asked: Option<Built>) -> Option<Built> {
        let Some(SoftDeletes { column, shown, .. }) = self.deleted else { return asked };
        let column = match self.joins.is_empty() {
            true => Expr::col(iden(column)),
            false => Expr::col((iden(self.own_name()), iden(column))),
        };
        let shown = match shown {
            Shown::Present => column.is_null(),
            Shown::All => return asked,
            Shown::Deleted => column.is_not_null(),
        };
        Some(match asked {
            Some(asked) => Built::all().add(shown).add(Expr::tuple([asked.into()])),
            None => Built::all().add(shown),
        })
    }
}
