//! SQLite, read where it is asked: a read by key takes a few microseconds in the thread that wants it, and many times that
//! in another one. What writes, waits or takes long runs on a thread that may block.

mod connection;
mod decimal;
mod error;
mod pool;

pub(crate) use error::classify;
pub(crate) use pool::{SqliteConnection, SqlitePool};

use std::sync::Arc;

use super::Position;
use crate::Value;

/// A row, read out: SQLite's own is gone with the next step of its statement.
pub(crate) struct SqliteRow {
    names: Arc<ColumnNames>,
    values: Box<[Value]>,
}

impl SqliteRow {
    pub(super) fn read(&self, index: usize) -> Result<Value, sqlx::error::BoxDynError> {
        self.values.get(index).cloned().ok_or_else(|| no_column(index))
    }

    pub(super) fn take(&mut self, index: usize) -> Result<Value, sqlx::error::BoxDynError> {
        self.values.get_mut(index).map(std::mem::take).ok_or_else(|| no_column(index))
    }

    pub(super) fn position(&self, column: &str) -> Position {
        Position::among(self.names.iter(), column)
    }

    pub(super) fn name(&self, index: usize) -> Option<&str> {
        self.names.iter().nth(index)
    }

    pub(super) fn names(&self) -> Vec<&str> {
        self.names.iter().collect()
    }
}

fn no_column(index: usize) -> sqlx::error::BoxDynError {
    format!("there is no column {index}").into()
}

/// The names of the columns of a result, each with a zero byte behind it, which no name has: one text is quicker made than many.
struct ColumnNames(String);

impl ColumnNames {
    fn iter(&self) -> impl Iterator<Item = &str> {
        self.0.split_terminator('\0')
    }
}

impl<'a> FromIterator<&'a str> for ColumnNames {
    fn from_iter<I: IntoIterator<Item = &'a str>>(names: I) -> Self {
        let mut text = String::with_capacity(USUAL_NAMES);
        for name in names {
            text.push_str(name);
            text.push('\0');
        }
        Self(text)
    }
}

/// How long the names of most results are together.
const USUAL_NAMES: usize = 256;
