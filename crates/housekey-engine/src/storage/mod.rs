//! Where rows are kept: a small trait that a database driver implements.
//!
//! The engine asks for rows by the fields of a [`Table`] and does everything else itself: ids, defaults, hooks,
//! cascades. [`MemoryStorage`] is for tests and examples; [`conformance`] is what every implementation must pass;
//! [`FailingStorage`] breaks on purpose, to show that nothing is half written.

pub mod conformance;

mod adjust;
mod error;
mod failing;
mod filter;
mod memory;
mod write;

pub use error::{StorageError, StorageResult};
pub use failing::FailingStorage;
pub use filter::{Comparison, Condition, Direction, Filter, Find};
pub use memory::MemoryStorage;
pub use write::{Write, WriteAction, write_one_by_one};

use crate::schema::Table;
use crate::{BoxFuture, Record};

/// Reading and writing rows: what a storage and a transaction have in common.
///
/// Records carry field names ([`Column::field`](crate::schema::Column)); an implementation maps them to column names
/// and gives every value back in the type of its column.
pub trait Records: Send + Sync {
    /// Rows that match, in the asked order.
    fn find<'a>(&'a self, table: &'a Table, find: &'a Find) -> BoxFuture<'a, StorageResult<Vec<Record>>>;

    /// Inserts a row; fields that it does not name are empty. A row that breaks a unique rule is a [conflict](StorageError::is_conflict).
    fn create<'a>(&'a self, table: &'a Table, record: &'a Record) -> BoxFuture<'a, StorageResult<()>>;

    /// Changes every row that matches, in one step, and says how many did: with a condition on the old value this
    /// is a compare-and-swap.
    fn update<'a>(
        &'a self,
        table: &'a Table,
        filter: &'a Filter,
        changes: &'a Record,
    ) -> BoxFuture<'a, StorageResult<u64>>;

    /// Adds to a number in the row that matches, in one step, and gives the new number; `None` when no row matches. An
    /// empty field counts as 0.
    fn increment<'a>(
        &'a self,
        table: &'a Table,
        filter: &'a Filter,
        field: &'a str,
        by: i64,
    ) -> BoxFuture<'a, StorageResult<Option<i64>>>;

    /// Adds to numbers of the rows that match and sets other fields with it, and says how many rows that were. An empty number
    /// counts as 0. The conditions are looked at in the same step: with "more than 0 are left" among them, no number of processes
    /// takes more than there is.
    ///
    /// A database does this in one statement. Unless an implementation says how, a row is read and swapped until nobody else was
    /// there in between.
    fn adjust<'a>(
        &'a self,
        table: &'a Table,
        filter: &'a Filter,
        add: &'a [(&'static str, i64)],
        set: &'a Record,
    ) -> BoxFuture<'a, StorageResult<u64>> {
        Box::pin(async move { adjust::by_swapping(self, table, filter, add, set).await })
    }

    /// Deletes every row that matches and says how many did: deleting one row with a count of 1 is taking it.
    fn delete<'a>(&'a self, table: &'a Table, filter: &'a Filter) -> BoxFuture<'a, StorageResult<u64>>;

    fn count<'a>(&'a self, table: &'a Table, filter: &'a Filter) -> BoxFuture<'a, StorageResult<u64>>;

    fn find_one<'a>(
        &'a self,
        table: &'a Table,
        filter: &'a Filter,
    ) -> BoxFuture<'a, StorageResult<Option<Record>>> {
        Box::pin(async move {
            let find = Find::new(filter.clone()).limit(1);
            Ok(self.find(table, &find).await?.into_iter().next())
        })
    }

    /// The first row that matches and the row of `parent` whose id its `reference` field holds. A driver can do this in
    /// one query, and may pass over rows without such a parent; this is how every request loads session and user.
    fn find_with_parent<'a>(
        &'a self,
        table: &'a Table,
        filter: &'a Filter,
        reference: &'a str,
        parent: &'a Table,
    ) -> BoxFuture<'a, StorageResult<Option<(Record, Record)>>> {
        Box::pin(async move {
            let Some(child) = self.find_one(table, filter).await? else { return Ok(None) };
            let Some(id) = child.text(reference) else { return Ok(None) };
            let parent = self.find_one(parent, &Filter::by("id", id)).await?;
            Ok(parent.map(|parent| (child, parent)))
        })
    }
}

/// A place for rows that can change several of them as one.
pub trait Storage: Records + 'static {
    /// Begins a transaction. What it wrote is gone unless it is committed.
    fn begin(&self) -> BoxFuture<'_, StorageResult<Box<dyn Transaction>>>;

    /// Does several writes as one, in their order. `false` when one of them did not meet the row that it must: then none of them
    /// happened, as after an error. Whoever stops waiting may find all of them done or none.
    ///
    /// A database may take all of them at once. Unless an implementation says how, they are a transaction, one call after the
    /// other.
    fn write_together<'a>(&'a self, writes: &'a [Write<'a>]) -> BoxFuture<'a, StorageResult<bool>> {
        Box::pin(write_one_by_one(self, writes))
    }
}

/// Several writes as one. Dropped, it leaves nothing behind.
pub trait Transaction: Records {
    fn commit(self: Box<Self>) -> BoxFuture<'static, StorageResult<()>>;
}
