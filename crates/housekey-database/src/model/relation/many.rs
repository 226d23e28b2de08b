use std::any::type_name;
use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

use serde::{Serialize, Serializer};

use super::field::not_loaded;
use super::{CountedField, RelationField};
use crate::Model;

macro_rules! many {
    ($(#[$about:meta])* $name:ident) => {
        $(#[$about])*
        ///
        /// Once it was [asked for](crate::Relation), it is read as a slice: `for row in book.rows.iter()`, `book.rows.len()`.
        ///
        /// # Panics
        ///
        /// When it is looked at and was not loaded; `loaded()` looks without.
        pub struct $name<R> {
            rows: Option<Arc<Vec<R>>>,
            count: Option<u64>,
        }

        impl<R> $name<R> {
            pub fn loaded(&self) -> Option<&[R]> {
                self.rows.as_deref().map(Vec::as_slice)
            }

            /// How many there are, as [`with_count`](crate::Query::with_count) counted them, or else how many were loaded.
            ///
            /// # Panics
            ///
            /// When they were neither counted nor loaded.
            #[track_caller]
            pub fn count(&self) -> u64 {
                self.count.unwrap_or_else(|| self.len() as u64)
            }
        }

        impl<R: Model> RelationField for $name<R> {
            type Model = R;

            fn holding(rows: Vec<R>) -> Option<Self> {
                Some(Self { rows: Some(Arc::new(rows)), count: None })
            }

            fn put(&mut self, loaded: Self) {
                self.rows = loaded.rows;
            }
        }

        impl<R: Model> CountedField for $name<R> {
            fn put_count(&mut self, count: u64) {
                self.count = Some(count);
            }
        }

        impl<R> Deref for $name<R> {
            type Target = [R];

            #[track_caller]
            fn deref(&self) -> &[R] {
                match &self.rows {
                    Some(rows) => rows,
                    None => not_loaded(stringify!($name), type_name::<R>()),
                }
            }
        }

        impl<'a, R> IntoIterator for &'a $name<R> {
            type Item = &'a R;
            type IntoIter = std::slice::Iter<'a, R>;

            #[track_caller]
            fn into_iter(self) -> Self::IntoIter {
                self.iter()
            }
        }

        impl<R> Clone for $name<R> {
            fn clone(&self) -> Self {
                Self { rows: self.rows.clone(), count: self.count }
            }
        }

        impl<R> Default for $name<R> {
            fn default() -> Self {
                Self { rows: None, count: None }
            }
        }

        impl<R: fmt::Debug> fmt::Debug for $name<R> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                match (&self.rows, self.count) {
                    (Some(rows), _) => rows.fmt(f),
                    (None, Some(count)) => write!(f, "NotLoaded({count})"),
                    (None, None) => f.write_str("NotLoaded"),
                }
            }
        }

        impl<R: PartialEq> PartialEq for $name<R> {
            fn eq(&self, other: &Self) -> bool {
                self.rows == other.rows
            }
        }

        /// As the list of rows; as nothing when they were not loaded.
        impl<R: Serialize> Serialize for $name<R> {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                self.loaded().serialize(serializer)
            }
        }
    };
}

many! {
    /// The rows of another model that have this row's key: `loans: HasMany<Loan>` of a `Book`, by the column `book_id` of the
    /// loans. Another column is named with `#[relation(foreign_key = "lent_book")]`.
    HasMany
}

many! {
    /// The rows of another model that a table between the two names: `tags: ManyToMany<Tag>` of a `Book`, by the table
    /// `book_tag` (both names in the order of the alphabet) with the columns `book_id` and `tag_id`. Other names are said with
    /// `#[relation(table = "labels", foreign_key = "book", related_key = "label")]`.
    ManyToMany
}
