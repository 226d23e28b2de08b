use std::sync::Arc;

use data_encoding::BASE64URL_NOPAD;
use time::{Duration, OffsetDateTime};

use super::{Changes, Commit};
use crate::core::Core;
use crate::crypto::sha256;
use crate::options::StoredIdentifier;
use crate::record::Value;
use crate::storage::{Comparison, Condition, Direction, Filter, Find, StorageResult};
use crate::{Record, Result};

/// Values that live for a while under an identifier: reset links, challenges, counters of attempts.
/// [`Api::verifications`](crate::Api::verifications) gives them to plugins.
pub struct Verifications<'a>(pub(crate) &'a Arc<Core>);

/// One such value.
#[derive(Clone, Debug)]
pub struct Verification {
    pub id: String,
    pub value: String,
    pub expires_at: OffsetDateTime,
}

impl Verifications<'_> {
    /// Adds the row to some changes.
    pub async fn create_in(
        &self,
        changes: &mut Changes,
        identifier: &str,
        value: &str,
        seconds: u32,
    ) -> Result<()> {
        let record = Record::new()
            .with("identifier", self.stored(identifier))
            .with("value", value)
            .with("expiresAt", self.0.clock.now() + Duration::seconds(i64::from(seconds)));
        changes.create("verification", record).await.map(drop)
    }

    pub async fn create(&self, identifier: &str, value: &str, seconds: u32) -> Result<()> {
        let mut changes = Changes::new(self.0);
        self.create_in(&mut changes, identifier, value, seconds).await?;
        changes.commit().await.map(drop)
    }

    /// The newest living value under an identifier.
    pub async fn find(&self, identifier: &str) -> Result<Option<Verification>> {
        let now = self.0.clock.now();
        let found = self.newest(identifier).await?;
        self.sweep(now).await?;
        Ok(found.as_ref().and_then(read).filter(|found| found.expires_at > now))
    }

    /// The newest value under an identifier, even if it is too old: for whoever tells its owner so.
    pub async fn find_even_expired(&self, identifier: &str) -> Result<Option<Verification>> {
        let found = self.newest(identifier).await?;
        // This one, too, is kept a little longer than it lives.
        self.sweep(self.0.clock.now() - Duration::HOUR).await?;
        Ok(found.as_ref().and_then(read))
    }

    /// The newest values under two identifiers, read at once, even if they are too old.
    pub async fn find_both_even_expired(&self, identifiers: [&str; 2]) -> Result<[Option<Verification>; 2]> {
        let stored = identifiers.map(|identifier| self.stored(identifier));
        let either = stored.each_ref().map(|stored| Condition::new("identifier", Comparison::Equal, stored));
        let find = Find::new(Filter::all().and_any(either));
        let found = self.0.storage.find(self.0.table("verification")?, &find).await?;
        self.sweep(self.0.clock.now() - Duration::HOUR).await?;
        Ok(stored.map(|stored| {
            let rows = found.iter().filter(|row| row.text("identifier") == Some(&stored));
            rows.max_by_key(|row| row.get("createdAt").and_then(Value::as_date)).and_then(read)
        }))
    }

    async fn newest(&self, identifier: &str) -> Result<Option<Record>> {
        let filter = Filter::by("identifier", self.stored(identifier));
        let find = Find::new(filter).order("createdAt", Direction::Descending).limit(1);
        Ok(self.0.storage.find(self.0.table("verification")?, &find).await?.into_iter().next())
    }

    /// Removes what ended before a moment, if it is time for that.
    async fn sweep(&self, before: OffsetDateTime) -> Result<()> {
        if !self.0.options.verification.disable_cleanup && self.0.sweep_is_due(self.0.clock.now()) {
            let ended = Filter::all().and("expiresAt", Comparison::Less, before);
            self.0.storage.delete(self.0.table("verification")?, &ended).await?;
        }
        Ok(())
    }

    /// Takes the newest living value: of two who try, one gets it.
    pub async fn take(&self, identifier: &str) -> Result<Option<Verification>> {
        let Some(found) = self.find(identifier).await? else { return Ok(None) };
        let mut changes = Changes::new(self.0);
        changes.delete_expecting("verification", Filter::by("id", &found.id)).await?;
        Ok((changes.commit().await? == Commit::Done).then_some(found))
    }

    /// Adds to some changes the end of the rows with a value whose identifier begins with a text. Hashed identifiers
    /// do not tell what they begin with: there every row with the value ends, since one that stays could be the one that must
    /// not.
    pub async fn delete_owned_in(&self, changes: &mut Changes, prefix: &str, value: &str) -> Result<()> {
        if self.0.options.verification.store_identifier == StoredIdentifier::Hashed {
            return self.delete_all_owned_in(changes, value).await;
        }
        let table = self.0.table("verification")?;
        let rows = self.0.storage.find(table, &Find::new(Filter::by("value", value))).await?;
        let owned =
            rows.iter().filter(|row| row.text("identifier").is_some_and(|text| text.starts_with(prefix)));
        for id in owned.filter_map(|row| row.text("id")) {
            changes.delete("verification", Filter::by("id", id)).await?;
        }
        Ok(())
    }

    /// Adds to some changes the end of every row with a value. With the id of a user this is all that the account was
    /// given: links, challenges, trusted devices.
    pub async fn delete_all_owned_in(&self, changes: &mut Changes, value: &str) -> Result<()> {
        changes.delete("verification", Filter::by("value", value)).await
    }

    /// Puts a value in the place of all that are under its identifier.
    pub async fn replace(&self, identifier: &str, value: &str, seconds: u32) -> Result<()> {
        let mut changes = Changes::new(self.0);
        self.delete_in(&mut changes, identifier).await?;
        self.create_in(&mut changes, identifier, value, seconds).await?;
        changes.commit().await.map(drop)
    }

    /// Adds to some changes the end of every value under an identifier.
    pub async fn delete_in(&self, changes: &mut Changes, identifier: &str) -> Result<()> {
        changes.delete("verification", Filter::by("identifier", self.stored(identifier))).await
    }

    /// Adds to some changes that the only value under an identifier is taken; if it is gone by then, the commit is lost.
    pub async fn take_in(&self, changes: &mut Changes, identifier: &str) -> Result<()> {
        changes.delete_expecting("verification", Filter::by("identifier", self.stored(identifier))).await
    }

    /// Removes every value under an identifier, and says whether there was one.
    pub async fn delete(&self, identifier: &str) -> Result<bool> {
        let filter = Filter::by("identifier", self.stored(identifier));
        Ok(self.0.storage.delete(self.0.table("verification")?, &filter).await? > 0)
    }

    /// Replaces a value, if it is still the old one.
    pub async fn swap(&self, found: &Verification, value: &str) -> Result<bool> {
        let filter = Filter::by("id", &found.id).and_by("value", &found.value);
        let changes = Record::new().with("value", value).with("updatedAt", self.0.clock.now());
        Ok(self.0.storage.update(self.0.table("verification")?, &filter, &changes).await? == 1)
    }

    /// Marks something as happened, once: false if it had happened before. The mark's id is made from its name, so
    /// that the primary key decides between two who come at the same time.
    pub async fn mark(&self, name: &str, seconds: u32) -> Result<bool> {
        let table = self.0.table("verification")?;
        let now = self.0.clock.now();
        let record = Record::new()
            .with("id", self.0.id_from(name))
            .with("identifier", self.stored(name))
            .with("value", "used")
            .with("expiresAt", now + Duration::seconds(i64::from(seconds)))
            .with("createdAt", now)
            .with("updatedAt", now);
        let created: StorageResult<()> = self.0.storage.create(table, &record).await;
        match created {
            Ok(()) => Ok(true),
            Err(error) if error.is_conflict() => Ok(false),
            Err(error) => Err(error.into()),
        }
    }

    fn stored(&self, identifier: &str) -> String {
        match self.0.options.verification.store_identifier {
            StoredIdentifier::Plain => identifier.to_owned(),
            StoredIdentifier::Hashed => BASE64URL_NOPAD.encode(&sha256(identifier.as_bytes())),
        }
    }
}

fn read(record: &Record) -> Option<Verification> {
    Some(Verification {
        id: record.text("id")?.to_owned(),
        value: record.text("value")?.to_owned(),
        expires_at: record.get("expiresAt").and_then(Value::as_date)?,
    })
}
