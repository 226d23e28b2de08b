//! The rules of a field that ask the database.

use housekey_database::{Model, ModelColumn, Value};
use serde::de::DeserializeOwned;

use crate::rules::{FieldRules, Rule};
use crate::stored::StoredRule;

impl FieldRules {
    /// No row has this value in the column yet: `unique(Book::isbn)`. Rows that are softly deleted count. The row that the
    /// address names (`Bound`, standing in front of `Valid`) may keep its own.
    ///
    /// Between this look and the handler's write another request may be faster. So the column needs a unique index, as
    /// `table.string("isbn", 13).unique()` makes it: what it refuses then is the error of this field, as if the rule had seen it.
    pub fn unique<M: Model, T>(&mut self, column: ModelColumn<M, T>) -> &mut Self
    where
        T: DeserializeOwned + Into<Value> + 'static,
    {
        self.rule(Rule::Stored(StoredRule::new(true, column)))
    }

    /// A row has this value in the column: `exists(Author::id)`. Rows that are softly deleted, or another organization's, do not
    /// count.
    ///
    /// When the row goes before the handler writes, a foreign key refuses to refer to it, and that is the error of this field.
    pub fn exists<M: Model, T>(&mut self, column: ModelColumn<M, T>) -> &mut Self
    where
        T: DeserializeOwned + Into<Value> + 'static,
    {
        self.rule(Rule::Stored(StoredRule::new(false, column)))
    }
}
