use std::any::type_name;
use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

use serde::{Serialize, Serializer};

use super::RelationField;
use super::field::not_loaded;
use crate::Model;

/// The row of another model that has this row's key, if there is one: `card: HasOne<LibraryCard>` of a `Reader`, by the column
/// `reader_id` of the cards. Another column is named with `#[relation(foreign_key = "owner_id")]`.
///
/// `#[relation(latest)]` makes it the one of many with the greatest key: `#[relation(latest)] last_loan: HasOne<Loan>`.
///
/// Once it was [asked for](crate::Relation), it is read as an `Option`: `book.last_loan.as_ref()`.
///
/// # Panics
///
/// When it is looked at and was not loaded; [`HasOne::loaded`] looks without.
pub struct HasOne<R>(Option<Option<Arc<R>>>);

impl<R> HasOne<R> {
    /// The row or that there is none, if it was loaded.
    pub fn loaded(&self) -> Option<Option<&R>> {
        self.0.as_ref().map(Option::as_deref)
    }
}

impl<R: Model> RelationField for HasOne<R> {
    type Model = R;

    fn holding(rows: Vec<R>) -> Option<Self> {
        Some(Self(Some(rows.into_iter().next().map(Arc::new))))
    }
}

impl<R> Deref for HasOne<R> {
    type Target = Option<Arc<R>>;

    #[track_caller]
    fn deref(&self) -> &Option<Arc<R>> {
        match &self.0 {
            Some(row) => row,
            None => not_loaded("HasOne", type_name::<R>()),
        }
    }
}

impl<R> Clone for HasOne<R> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<R> Default for HasOne<R> {
    fn default() -> Self {
        Self(None)
    }
}

impl<R: fmt::Debug> fmt::Debug for HasOne<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Some(row) => row.fmt(f),
            None => f.write_str("NotLoaded"),
        }
    }
}

impl<R: PartialEq> PartialEq for HasOne<R> {
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}

/// As the row; as nothing when there is none, or when it was not loaded.
impl<R: Serialize> Serialize for HasOne<R> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.loaded().flatten().serialize(serializer)
    }
}
