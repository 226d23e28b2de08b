use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::sync::Arc;

use tokio::sync::{Mutex, OwnedMutexGuard};

use super::adjust::sum;
use super::{
    Comparison, Condition, Direction, Filter, Find, Records, Storage, StorageError, StorageResult,
    Transaction,
};
use crate::record::Value;
use crate::schema::Table;
use crate::{BoxFuture, Record};

/// Rows in this process: for tests and examples. Unique rules hold; a transaction locks everything.
///
/// ```
/// use housekey_engine::MemoryStorage;
///
/// let storage = MemoryStorage::new();
/// let the_same = storage.clone();
/// # let _ = the_same;
/// ```
#[derive(Clone, Debug, Default)]
pub struct MemoryStorage {
    rows: Arc<Mutex<Rows>>,
}

impl MemoryStorage {
    pub fn new() -> Self {
        Self::default()
    }

    /// The rows of a table (the engine's name), in the order of their insertion.
    pub async fn rows(&self, table: &str) -> Vec<Record> {
        self.rows.lock().await.0.get(table).cloned().unwrap_or_default()
    }
}

#[derive(Clone, Debug, Default)]
struct Rows(BTreeMap<String, Vec<Record>>);

macro_rules! records {
    ($storage:ty, $self:ident => $rows:expr) => {
        impl Records for $storage {
            fn find<'a>(&'a $self, table: &'a Table, find: &'a Find) -> BoxFuture<'a, StorageResult<Vec<Record>>> {
                Box::pin(async move { Ok($rows.find(table, find)) })
            }

            fn create<'a>(&'a $self, table: &'a Table, record: &'a Record) -> BoxFuture<'a, StorageResult<()>> {
                Box::pin(async move { $rows.create(table, record) })
            }

            fn update<'a>(
                &'a $self,
                table: &'a Table,
                filter: &'a Filter,
                changes: &'a Record,
            ) -> BoxFuture<'a, StorageResult<u64>> {
                Box::pin(async move { $rows.update(table, filter, changes) })
            }

            fn increment<'a>(
                &'a $self,
                table: &'a Table,
                filter: &'a Filter,
                field: &'a str,
                by: i64,
            ) -> BoxFuture<'a, StorageResult<Option<i64>>> {
                Box::pin(async move { Ok($rows.increment(table, filter, field, by)) })
            }

            fn adjust<'a>(
                &'a $self,
                table: &'a Table,
                filter: &'a Filter,
                add: &'a [(&'static str, i64)],
                set: &'a Record,
            ) -> BoxFuture<'a, StorageResult<u64>> {
                Box::pin(async move { Ok($rows.adjust(table, filter, add, set)) })
            }

            fn delete<'a>(&'a $self, table: &'a Table, filter: &'a Filter) -> BoxFuture<'a, StorageResult<u64>> {
                Box::pin(async move { Ok($rows.delete(table, filter)) })
            }

            fn count<'a>(&'a $self, table: &'a Table, filter: &'a Filter) -> BoxFuture<'a, StorageResult<u64>> {
                Box::pin(async move { Ok($rows.count(table, filter)) })
            }
        }
    };
}

records!(MemoryStorage, self => self.rows.lock().await);

impl Storage for MemoryStorage {
    fn begin(&self) -> BoxFuture<'_, StorageResult<Box<dyn Transaction>>> {
        Box::pin(async move {
            let rows = Arc::clone(&self.rows).lock_owned().await;
            let draft = Mutex::new(rows.clone());
            Ok(Box::new(MemoryTransaction { rows, draft }) as Box<dyn Transaction>)
        })
    }
}

/// Holds the lock; what it writes goes to a copy that replaces the rows on commit.
struct MemoryTransaction {
    rows: OwnedMutexGuard<Rows>,
    draft: Mutex<Rows>,
}

records!(MemoryTransaction, self => self.draft.lock().await);

impl Transaction for MemoryTransaction {
    fn commit(mut self: Box<Self>) -> BoxFuture<'static, StorageResult<()>> {
        Box::pin(async move {
            *self.rows = self.draft.into_inner();
            Ok(())
        })
    }
}

impl Rows {
    fn of(&self, table: &Table) -> &[Record] {
        self.0.get(&table.key).map_or(&[], Vec::as_slice)
    }

    fn find(&self, table: &Table, find: &Find) -> Vec<Record> {
        let mut found: Vec<_> = self.of(table).iter().filter(|row| matches(row, &find.filter)).collect();
        if let Some((field, direction)) = &find.order {
            found.sort_by(|a, b| {
                let by = |field: &str| compare(a.get(field), b.get(field)).unwrap_or(Ordering::Equal);
                let then = || find.then_by.as_ref().map_or(Ordering::Equal, |field| by(field));
                let ordering = by(field).then_with(then);
                if *direction == Direction::Descending { ordering.reverse() } else { ordering }
            });
        }
        let (skip, take) = (find.offset as usize, find.limit.map_or(usize::MAX, |limit| limit as usize));
        found.into_iter().skip(skip).take(take).cloned().collect()
    }

    fn create(&mut self, table: &Table, record: &Record) -> StorageResult<()> {
        let rows = self.0.entry(table.key.clone()).or_default();
        refuse_duplicates(table, rows, record, None)?;
        rows.push(record.clone());
        Ok(())
    }

    fn update(&mut self, table: &Table, filter: &Filter, changes: &Record) -> StorageResult<u64> {
        let Some(rows) = self.0.get_mut(&table.key) else { return Ok(0) };
        let mut changed = rows.clone();
        let mut count = 0;
        for position in 0..changed.len() {
            let Some(row) = changed.get_mut(position).filter(|row| matches(row, filter)) else { continue };
            row.merge(changes.clone());
            let row = row.clone();
            refuse_duplicates(table, &changed, &row, Some(position))?;
            count += 1;
        }
        *rows = changed;
        Ok(count)
    }

    fn increment(&mut self, table: &Table, filter: &Filter, field: &str, by: i64) -> Option<i64> {
        let row = self.0.get_mut(&table.key)?.iter_mut().find(|row| matches(row, filter))?;
        let number = sum(row.get(field), by);
        row.set(field.to_owned(), number);
        Some(number)
    }

    fn adjust(&mut self, table: &Table, filter: &Filter, add: &[(&'static str, i64)], set: &Record) -> u64 {
        let rows = self.0.get_mut(&table.key).into_iter().flatten().filter(|row| matches(row, filter));
        let mut count = 0;
        for row in rows {
            for &(field, by) in add {
                row.set(field, sum(row.get(field), by));
            }
            row.merge(set.clone());
            count += 1;
        }
        count
    }

    fn delete(&mut self, table: &Table, filter: &Filter) -> u64 {
        let Some(rows) = self.0.get_mut(&table.key) else { return 0 };
        let before = rows.len();
        rows.retain(|row| !matches(row, filter));
        (before - rows.len()) as u64
    }

    fn count(&self, table: &Table, filter: &Filter) -> u64 {
        self.of(table).iter().filter(|row| matches(row, filter)).count() as u64
    }
}

fn refuse_duplicates(
    table: &Table,
    rows: &[Record],
    record: &Record,
    own: Option<usize>,
) -> StorageResult<()> {
    let single = table.columns.iter().filter(|column| column.unique || column.field == "id");
    let single = single.map(|column| vec![&*column.field]);
    let compound = table.indexes.iter().filter(|index| index.unique);
    let compound = compound.map(|index| index.fields.iter().map(String::as_str).collect());
    for fields in single.chain(compound) {
        let value = |row: &Record, field: &str| row.get(field).cloned().unwrap_or_default();
        // An empty value differs from every other, as in SQL.
        if fields.iter().any(|field| value(record, field).is_null()) {
            continue;
        }
        let mut others = rows.iter().enumerate().filter(|(position, _)| Some(*position) != own);
        if others.any(|(_, row)| fields.iter().all(|field| value(row, field) == value(record, field))) {
            return Err(StorageError::conflict(format!("{} ({})", table.name, fields.join(", "))));
        }
    }
    Ok(())
}

fn matches(row: &Record, filter: &Filter) -> bool {
    filter.conditions().iter().all(|condition| meets(row, condition))
        && filter.alternatives().iter().all(|group| group.iter().any(|condition| meets(row, condition)))
}

fn meets(row: &Record, Condition { field, comparison, value }: &Condition) -> bool {
    let found = row.get(field).unwrap_or(&Value::Null);
    let ordering = compare(Some(found), Some(value));
    match comparison {
        Comparison::Equal => found == value,
        Comparison::NotEqual => found != value,
        Comparison::Less => ordering == Some(Ordering::Less),
        Comparison::LessOrEqual => matches!(ordering, Some(Ordering::Less | Ordering::Equal)),
        Comparison::Greater => ordering == Some(Ordering::Greater),
        Comparison::GreaterOrEqual => matches!(ordering, Some(Ordering::Greater | Ordering::Equal)),
        Comparison::Contains => texts(found, value).is_some_and(|(text, part)| text.contains(&part)),
        Comparison::StartsWith => texts(found, value).is_some_and(|(text, part)| text.starts_with(&part)),
        Comparison::EndsWith => texts(found, value).is_some_and(|(text, part)| text.ends_with(&part)),
    }
}

/// A text and what is looked for in it, in small letters.
fn texts(found: &Value, value: &Value) -> Option<(String, String)> {
    Some((found.as_text()?.to_lowercase(), value.as_text()?.to_lowercase()))
}

fn compare(a: Option<&Value>, b: Option<&Value>) -> Option<Ordering> {
    match (a?, b?) {
        (Value::Text(a), Value::Text(b)) => Some(a.cmp(b)),
        (Value::Integer(a), Value::Integer(b)) => Some(a.cmp(b)),
        (Value::Date(a), Value::Date(b)) => Some(a.cmp(b)),
        (Value::Bool(a), Value::Bool(b)) => Some(a.cmp(b)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::storage::conformance;

    #[tokio::test]
    async fn memory_passes_what_every_storage_must() {
        conformance::check(&MemoryStorage::new(), &conformance::schema().unwrap()).await.unwrap();
    }
}
