use super::{Filter, Records, Storage, StorageResult};
use crate::Record;
use crate::schema::Table;

/// One of several writes that happen together: what [`Storage::write_together`] is given.
#[derive(Clone, Copy, Debug)]
pub struct Write<'a> {
    pub table: &'a Table,
    pub action: WriteAction<'a>,
    /// Whether exactly one row must be met. If it is not, none of the writes happens.
    pub expecting: bool,
}

#[derive(Clone, Copy, Debug)]
pub enum WriteAction<'a> {
    /// [`Records::create`]
    Create(&'a Record),
    /// [`Records::update`]
    Update(&'a Filter, &'a Record),
    /// [`Records::delete`]
    Delete(&'a Filter),
}

impl Write<'_> {
    /// Does it, and says whether it met what it must.
    pub(crate) async fn run<R: Records + ?Sized>(&self, records: &R) -> StorageResult<bool> {
        let met = match self.action {
            WriteAction::Create(record) => records.create(self.table, record).await.map(|()| 1),
            WriteAction::Update(filter, changes) => records.update(self.table, filter, changes).await,
            WriteAction::Delete(filter) => records.delete(self.table, filter).await,
        }?;
        Ok(!self.expecting || met == 1)
    }
}

/// Writes in a transaction, one call after the other: what [`Storage::write_together`] does unless a storage knows better.
pub async fn write_one_by_one<S: Storage + ?Sized>(storage: &S, writes: &[Write<'_>]) -> StorageResult<bool> {
    let transaction = storage.begin().await?;
    for write in writes {
        if !write.run(transaction.as_ref()).await? {
            return Ok(false);
        }
    }
    transaction.commit().await.map(|()| true)
}
