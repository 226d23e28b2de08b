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
    names: Arc<[Box<str>]>,
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
        Position::among(self.names.iter().map(|name| &**name), column)
    }

    pub(super) fn name(&self, index: usize) -> Option<&str> {
        self.names.get(index).map(|name| &**name)
    }

    pub(super) fn names(&self) -> Vec<&str> {
        self.names.iter().map(|name| &**name).collect()
    }
}

fn no_column(index: usize) -> sqlx::error::BoxDynError {
    format!("there is no column {index}").into()
}
