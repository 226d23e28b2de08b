use std::any::type_name;
use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

use serde::{Serialize, Serializer};

use super::RelationField;
use super::field::not_loaded;
use crate::Model;

/// The row of another model whose key this row has: `author: BelongsTo<Author>`, by the column `author_id`. Another column is
/// named with `#[relation(foreign_key = "written_by")]`. Where the column may be empty: `BelongsTo<Option<Author>>`.
///
/// Once it was [asked for](crate::Relation), it is read as if it were the row itself: `book.author.name`.
///
/// It is the row that the column names, also when that was deleted [softly](crate::Query::with_deleted).
///
/// # Panics
///
/// Looking at a row that was not loaded is a mistake in the program, like an index out of bounds, and ends the same way.
/// [`BelongsTo::loaded`] looks without.
pub struct BelongsTo<T: Owner>(Option<T::Held>);

/// What a row can belong to: a model, or a model that may be missing.
#[diagnostic::on_unimplemented(
    message = "a row cannot belong to `{Self}`",
    note = "it belongs to a model, which has `#[derive(FromRow, Model)]`, or to an `Option` of one"
)]
pub trait Owner: 'static {
    type Model: Model;
    #[doc(hidden)]
    type Held: Clone + Send + 'static;
    /// What the field is read as.
    type Seen;

    #[doc(hidden)]
    fn held(row: Option<Self::Model>) -> Option<Self::Held>;
    #[doc(hidden)]
    fn seen(held: &Self::Held) -> &Self::Seen;
    #[doc(hidden)]
    fn row(held: &Self::Held) -> Option<&Self::Model>;
}

impl<M: Model> Owner for M {
    type Model = M;
    type Held = Arc<M>;
    type Seen = M;

    fn held(row: Option<M>) -> Option<Arc<M>> {
        row.map(Arc::new)
    }

    fn seen(held: &Arc<M>) -> &M {
        held
    }

    fn row(held: &Arc<M>) -> Option<&M> {
        Some(held)
    }
}

impl<M: Model> Owner for Option<M> {
    type Model = M;
    type Held = Option<Arc<M>>;
    type Seen = Option<Arc<M>>;

    fn held(row: Option<M>) -> Option<Option<Arc<M>>> {
        Some(row.map(Arc::new))
    }

    fn seen(held: &Option<Arc<M>>) -> &Option<Arc<M>> {
        held
    }

    fn row(held: &Option<Arc<M>>) -> Option<&M> {
        held.as_deref()
    }
}

impl<T: Owner> BelongsTo<T> {
    pub fn loaded(&self) -> Option<&T::Seen> {
        self.0.as_ref().map(T::seen)
    }

    fn row(&self) -> Option<&T::Model> {
        self.0.as_ref().and_then(T::row)
    }
}

impl<T: Owner> RelationField for BelongsTo<T> {
    type Model = T::Model;

    fn holding(rows: Vec<T::Model>) -> Option<Self> {
        T::held(rows.into_iter().next()).map(|held| Self(Some(held)))
    }
}

impl<T: Owner> Deref for BelongsTo<T> {
    type Target = T::Seen;

    #[track_caller]
    fn deref(&self) -> &T::Seen {
        match &self.0 {
            Some(held) => T::seen(held),
            None => not_loaded("BelongsTo", type_name::<T::Model>()),
        }
    }
}

impl<T: Owner> Clone for BelongsTo<T> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<T: Owner> Default for BelongsTo<T> {
    fn default() -> Self {
        Self(None)
    }
}

impl<T: Owner<Model: fmt::Debug>> fmt::Debug for BelongsTo<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Some(_) => self.row().fmt(f),
            None => f.write_str("NotLoaded"),
        }
    }
}

impl<T: Owner<Model: PartialEq>> PartialEq for BelongsTo<T> {
    fn eq(&self, other: &Self) -> bool {
        self.0.is_some() == other.0.is_some() && self.row() == other.row()
    }
}

/// As the row; as nothing when it was not loaded.
impl<T: Owner<Model: Serialize>> Serialize for BelongsTo<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.row().serialize(serializer)
    }
}
