use time::macros::datetime;

use super::Changes;
use crate::storage::Filter;
use crate::{Api, Record, Result, random};

/// Lets one at a time do something of which each of several sees that it may be done.
///
/// Whoever wants to change how many of something there are (owners, seats, invitations) reads the lock, then counts, then
/// [writes](Self::write_in) the lock together with the change. Nobody waits for it: two who counted the same both want to write
/// one row, on the condition that it is as it was before they counted. The database lets one of them, and the other is
/// [lost](crate::Commit::Lost) and counts again.
pub struct OptimisticLock {
    id: String,
    name: String,
    before: Option<String>,
}

impl OptimisticLock {
    /// The lock on what this name stands for, as it is now. Count only after this.
    pub async fn read(api: &Api, name: impl Into<String>) -> Result<Self> {
        let name = name.into();
        let id = api.id_from(&name);
        let row = api.storage().find_one(api.table("verification")?, &Filter::by("id", &id)).await?;
        let before = row.and_then(|row| row.text("value").map(str::to_owned));
        Ok(Self { id, name, before })
    }

    /// Adds to some changes that whoever read the same is late.
    pub async fn write_in(self, changes: &mut Changes) -> Result<()> {
        let value = random::alphanumeric(16);
        match self.before {
            Some(before) => {
                let same = Filter::by("id", &self.id).and_by("value", before);
                changes.update_expecting("verification", same, Record::new().with("value", value)).await?;
            }
            None => {
                let row = Record::new()
                    .with("id", self.id)
                    .with("identifier", self.name)
                    .with("value", value)
                    // What has run out is swept away; this must not be.
                    .with("expiresAt", datetime!(9999-01-01 00:00 UTC));
                changes.create("verification", row).await?;
            }
        }
        Ok(())
    }

    /// Adds to some changes the end of a lock that nobody needs any more.
    pub async fn forget_in(api: &Api, changes: &mut Changes, name: &str) -> Result<()> {
        changes.delete("verification", Filter::by("id", api.id_from(name))).await
    }
}
