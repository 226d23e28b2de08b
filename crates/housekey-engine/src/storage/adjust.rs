use super::{Filter, Records, StorageError, StorageResult};
use crate::Record;
use crate::record::Value;
use crate::schema::Table;

/// How often a row is swapped again because somebody else was there in between.
const TRIES: usize = 1000;

/// Adds to numbers of the one row that matches, for storages that cannot do it in one step: what was read must still be there
/// when it is written.
pub(super) async fn by_swapping<R: Records + ?Sized>(
    records: &R,
    table: &Table,
    filter: &Filter,
    add: &[(&'static str, i64)],
    set: &Record,
) -> StorageResult<u64> {
    for _ in 0..TRIES {
        let Some(row) = records.find_one(table, filter).await? else { return Ok(0) };
        let mut unchanged = filter.clone();
        if let Some(id) = row.text("id") {
            unchanged = unchanged.and_by("id", id);
        }
        let mut changes = set.clone();
        for &(field, by) in add {
            let before = row.get(field).cloned().unwrap_or_default();
            changes.set(field, sum(Some(&before), by));
            unchanged = unchanged.and_by(field, before);
        }
        if records.update(table, &unchanged, &changes).await? > 0 {
            return Ok(1);
        }
    }
    Err(StorageError::failure("a number changed each time before it could be added to"))
}

/// A number that may be empty, and what is added to it.
pub(super) fn sum(before: Option<&Value>, by: i64) -> i64 {
    before.and_then(Value::as_integer).unwrap_or(0).saturating_add(by)
}
