use std::sync::{Arc, Mutex, PoisonError};

use housekey_core::Scope;
use housekey_database::Value;

/// The rows that the address of this request names: a rule that a value is unique leaves them out.
#[derive(Default)]
struct BoundRows(Mutex<Vec<(&'static str, Value)>>);

pub(crate) fn remember(table: &'static str, key: Value) {
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
