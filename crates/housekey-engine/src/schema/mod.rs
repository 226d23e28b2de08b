//! The tables that the options and plugins of an engine need, as data: what a migration writer or a storage reads.
//!
//! Core tables come first (`user`, `session`, `account`, `verification`), then those of plugins in their order, then
//! `rateLimit`. Every table and column has the engine's own name ([`Table::key`], [`Column::field`]) and the one it
//! has in the database ([`Table::name`], [`Column::name`]); options may change the latter.

mod additional;
mod builder;
mod column;
mod core_tables;
mod index;
mod table;
#[cfg(test)]
mod tests;

use std::fmt;

pub use additional::{additional_column, value_of};
pub use builder::SchemaContribution;
pub(crate) use builder::build;
pub use column::{Column, ColumnDefault, ColumnKind, Reference};
pub use index::Index;
pub use table::Table;

/// The tables of an engine.
///
/// ```
/// use housekey_engine::{Engine, MemoryStorage, options::EngineOptions};
///
/// let options = EngineOptions { secret: "a secret of at least thirty-two characters".into(), ..Default::default() };
/// let engine = Engine::build(options, MemoryStorage::new()).unwrap();
/// let session = engine.schema().table("session").unwrap();
/// assert_eq!(session.column("token").unwrap().bound, Some(255));
/// assert_eq!(session.indexes[0].name, "session_userId_idx");
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Schema {
    tables: Vec<Table>,
}

impl Schema {
    /// Every table, in the order in which they can be created.
    pub fn tables(&self) -> &[Table] {
        &self.tables
    }

    /// A table by the engine's name for it.
    pub fn table(&self, key: &str) -> Option<&Table> {
        self.tables.iter().find(|table| table.key == key)
    }
}

/// A schema that cannot be: the message names the table, the column and the plugin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SchemaError(pub(crate) String);

impl SchemaError {
    /// Says what is wrong, and where.
    pub fn new(message: impl Into<String>) -> Self {
        Self(message.into())
    }
}

impl fmt::Display for SchemaError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for SchemaError {}
