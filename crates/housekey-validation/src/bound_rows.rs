use std::sync::{Arc, Mutex, PoisonError};

use housekey_core::Scope;
use housekey_database::Value;

/// The rows that this request is about.
#[derive(Default)]
struct BoundRows(Mutex<Vec<(&'static str, Value)>>);

/// Remembers for the rest of this request that it is about a row, because its address names it, say. The rule
/// [`unique`](crate::FieldRules::unique) leaves the row out: it may keep its own value.
pub fn remember_bound_row(table: &'static str, key: Value) {
    Scope::read(|scope| {
        let rows = scope.get::<BoundRows>().unwrap_or_else(|| {
            let rows = Arc::new(BoundRows::default());
            scope.set(rows.clone());
            rows
        });
        rows.0.lock().unwrap_or_else(PoisonError::into_inner).push((table, key));
    });
}

/// The keys of those rows of a table.
pub(crate) fn bound_keys(table: &str) -> Vec<Value> {
    let Some(rows) = Scope::read(Scope::get::<BoundRows>).flatten() else { return Vec::new() };
    let rows = rows.0.lock().unwrap_or_else(PoisonError::into_inner);
    rows.iter().filter(|(name, _)| *name == table).map(|(_, key)| key.clone()).collect()
}
