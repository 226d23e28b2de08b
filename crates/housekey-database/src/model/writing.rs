//! Rows that are changed, made when they are missing, and deleted.

use housekey_core::{Error, Result};

use super::{HookEvent, Model};
use crate::clock::now;
use crate::{DatabaseError, Record, Records, Value};

impl<M: Model> Records<M> {
    /// Writes a row: what changed since it was read if the type has a field [`Original`](crate::Original), else every column.
    /// A row that is gone is a 404; one that somebody else changed meanwhile a 409, where the model has a `version`.
    // spec: DAT-2
    pub async fn save(&self, row: &mut M) -> Result<()> {
        let mut record = row.record();
        if let Some(original) = row.original() {
            record.without_equal(original);
            if record.is_empty() {
                return Ok(());
            }
        }
        record.remove(M::KEY);
        self.write(row, record).await
    }

    /// Sets some columns of a row, in the database and here.
    // spec: DAT-2
    pub async fn update(&self, row: &mut M, columns: Record) -> Result<()> {
        if columns.is_empty() {
            return Ok(());
        }
        self.write(row, columns).await
    }

    async fn write(&self, row: &mut M, columns: Record) -> Result<()> {
        let Some(run) = M::HOOKS else {
            let written = self.write_columns(row, columns).await?;
            row.keep(&written);
            return Ok(());
        };
        let before = row.values();
        let mut filled = Record::new();
        let outcome = self
            .db()
            .transaction(async |tx| {
                let mut columns = columns;
                run(HookEvent::BeforeUpdate(row, &mut columns), &tx).await?;
                filled = self.through(&tx).write_columns(row, columns).await?;
                run(HookEvent::AfterUpdate(row), &tx).await
            })
            .await;
        match outcome {
            Ok(()) => row.keep(&filled),
            // What was taken back there is taken back here: a version that nobody wrote would make the next save fail.
            Err(_) => row.fill(&before.only(&filled))?,
        }
        outcome
    }

    /// Writes them, and answers with all that was written.
    async fn write_columns(&self, row: &mut M, mut columns: Record) -> Result<Record> {
        if let Some((_, updated)) = M::TIMESTAMPS {
            columns.set(updated, now());
        }
        let mut same = self.query().where_eq(M::KEY, row.key());
        // A copy from before the row was deleted would bring it back: to such a one it is gone.
        if knows_deleted(row) {
            same = same.with_deleted();
        }
        let mut as_read = same.clone();
        if let Some((column, version)) = version_of(row)? {
            columns.set(column, version.wrapping_add(1));
            as_read = as_read.where_eq(column, version);
        }
        if as_read.update(columns.clone()).await? > 0 {
            row.fill(&columns)?;
            return Ok(columns);
        }
        if M::VERSION.is_some() && same.exists().await? { Err(stale::<M>()) } else { Err(Error::not_found()) }
    }

    /// The first row with these columns; if there is none, one is made with these and the others. Under a unique index, two who
    /// ask at the same time get the same row.
    pub async fn first_or_create(&self, find: Record, others: Record) -> Result<M> {
        match self.matching(&find).first().await? {
            Some(row) => Ok(row),
            None => self.create_or_find(find, others).await.map(|(row, _)| row),
        }
    }

    /// Sets columns of the first row with these; if there is none, one is made with all of them.
    pub async fn update_or_create(&self, find: Record, set: Record) -> Result<M> {
        let (mut row, made) = match self.matching(&find).first().await? {
            Some(row) => (row, false),
            None => self.create_or_find(find, set.clone()).await?,
        };
        if !made {
            self.update(&mut row, set).await?;
        }
        Ok(row)
    }

    /// Whether it was made, too.
    async fn create_or_find(&self, find: Record, others: Record) -> Result<(M, bool)> {
        let record = find.clone().merge(others);
        // In a transaction of somebody's, PostgreSQL would let nothing follow a row that was refused.
        let created = match self.db().in_transaction() {
            true => self.db().transaction(async |tx| self.through(&tx).create(record).await).await,
            false => self.create(record).await,
        };
        match created {
            Err(error) if DatabaseError::of(&error).is_some_and(DatabaseError::is_unique_violation) => {
                // Locked: MySQL shows a transaction what was there when it began, and only so what is there now.
                let row = self.matching(&find).lock_for_update().first().await?;
                row.map(|row| (row, false)).ok_or(error)
            }
            created => created.map(|row| (row, true)),
        }
    }

    fn matching(&self, find: &Record) -> crate::Query<M> {
        find.clone().into_pairs().fold(self.query(), |query, (name, value)| query.where_eq(name, value))
    }

    /// Removes a row. Of a model with `soft_deletes` it stays and says since when it is gone.
    pub async fn delete(&self, row: &M) -> Result<()> {
        self.remove(row, false).await
    }

    /// Removes a row for good.
    pub async fn force_delete(&self, row: &M) -> Result<()> {
        self.remove(row, true).await
    }

    async fn remove(&self, row: &M, for_good: bool) -> Result<()> {
        let Some(run) = M::HOOKS else { return self.remove_row(row, for_good).await.map(drop) };
        let mut was_there = true;
        let outcome = self
            .db()
            .transaction(async |tx| {
                run(HookEvent::BeforeDelete(row), &tx).await?;
                was_there = self.through(&tx).remove_row(row, for_good).await?;
                // Of two who delete a row at the same time, one did: what the hooks of the other wrote is taken back.
                if !was_there {
                    return Err(Error::not_found());
                }
                run(HookEvent::AfterDelete(row), &tx).await
            })
            .await;
        if was_there { outcome } else { Ok(()) }
    }

    /// Whether it was there.
    async fn remove_row(&self, row: &M, for_good: bool) -> Result<bool> {
        let same = self.query().where_eq(M::KEY, row.key());
        let removed = if for_good { same.with_deleted().force_delete().await } else { same.delete().await };
        removed.map(|rows| rows > 0)
    }

    /// Brings a row back that was deleted softly. To [hooks](crate::ModelHooks) it is a change.
    pub async fn restore(&self, row: &mut M) -> Result<()> {
        let deleted = self.query().where_eq(M::KEY, row.key());
        let Some(column) = M::DELETED_AT else { return deleted.restore().await.map(drop) };
        let mut columns = Record::new().with(column, Value::Null);
        let version = version_when_restored(row)?;
        let Some(run) = M::HOOKS else {
            if deleted.restore_with(columns.clone()).await? > 0 {
                columns = columns.merge(version);
            }
            row.keep(&columns);
            return row.fill(&columns);
        };
        let before = row.values();
        let mut was_deleted = true;
        let outcome = self
            .db()
            .transaction(async |tx| {
                run(HookEvent::BeforeUpdate(row, &mut columns), &tx).await?;
                // It is counted up there, whatever a hook says.
                for column in version.columns() {
                    columns.remove(column);
                }
                was_deleted = deleted.through(&tx).restore_with(columns.clone()).await? > 0;
                if !was_deleted {
                    return Err(Error::not_found());
                }
                columns = columns.clone().merge(version);
                row.fill(&columns)?;
                run(HookEvent::AfterUpdate(row), &tx).await
            })
            .await;
        match outcome {
            Ok(()) => row.keep(&columns),
            Err(_) if !was_deleted => return Ok(()),
            Err(_) => row.fill(&before.only(&columns))?,
        }
        outcome
    }
}

/// Whether this copy of a row was deleted softly when it was read.
fn knows_deleted<M: Model>(row: &M) -> bool {
    let Some(column) = M::DELETED_AT else { return false };
    let read = row.original().and_then(|original| original.get(column).cloned());
    read.or_else(|| row.values().remove(column)).is_some_and(|since| !since.is_null())
}

/// The column that counts the changes of a row, and what this copy has in it.
fn version_of<M: Model>(row: &M) -> Result<Option<(&'static str, i64)>> {
    let Some(column) = M::VERSION else { return Ok(None) };
    match row.record().remove(column) {
        Some(Value::Int(version)) => Ok(Some((column, version))),
        _ => Err(Error::internal(format!("the version of a row of `{}` is no number", M::TABLE))),
    }
}

/// The version that a row has when it is back, if all that happened since this copy was read is that it was deleted. If more
/// happened, it has a later one, and this copy cannot be saved.
fn version_when_restored<M: Model>(row: &M) -> Result<Record> {
    let changes = if knows_deleted(row) { 1 } else { 2 };
    let version = version_of(row)?;
    Ok(version.map(|(column, version)| (column, version.wrapping_add(changes))).into_iter().collect())
}

fn stale<M: Model>() -> Error {
    Error::conflict("Somebody else has changed this meanwhile. Look at it again, and change it then.")
        .with_code("STALE_ROW")
        .context(format!("a row of `{}` has another version than when it was read", M::TABLE))
}
