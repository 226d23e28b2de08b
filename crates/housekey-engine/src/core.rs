use std::any::Any;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use data_encoding::BASE32HEX_NOPAD;
use time::OffsetDateTime;

use crate::cookies::{CookieSpec, Cookies};
use crate::crypto::{Keys, sha256};
use crate::hooks::DatabaseHooks;
use crate::options::{EngineOptions, IdGeneration};
use crate::password::Passwords;
use crate::plugin::Recovery;
use crate::rate_limit::Limiter;
use crate::schema::{ColumnDefault, Schema, Table};
use crate::storage::Storage;
use crate::url::BaseUrl;
use crate::wire::Addresses;
use crate::{ApiError, Clock, Record, Result, codes, random};

const SECONDS_BETWEEN_SWEEPS: i64 = 60;

/// What every call shares: the options and everything worked out from them.
pub(crate) struct Core {
    pub(crate) options: EngineOptions,
    pub(crate) schema: Schema,
    pub(crate) storage: Box<dyn Storage>,
    pub(crate) clock: Clock,
    pub(crate) base: BaseUrl,
    pub(crate) keys: Keys,
    pub(crate) cookies: Cookies,
    pub(crate) passwords: Passwords,
    pub(crate) addresses: Addresses,
    /// The app's database hooks and those of plugins.
    pub(crate) hooks: DatabaseHooks,
    pub(crate) limiter: Option<Limiter>,
    /// What plugins keep for their own functions.
    pub(crate) plugin_states: Vec<Arc<dyn Any + Send + Sync>>,
    /// What ends with the ways in that somebody else may have left in an account.
    pub(crate) recoveries: Vec<Recovery>,
    /// The providers that people sign in with.
    #[cfg(feature = "social")]
    pub(crate) social: crate::social::Social,
    /// When expired verifications are to be removed next, in seconds since 1970.
    pub(crate) next_sweep: AtomicI64,
}

impl Core {
    /// A table by the engine's name for it.
    pub(crate) fn table(&self, key: &str) -> Result<&Table> {
        let table = self.schema.table(key);
        table.ok_or_else(|| ApiError::internal("a table is not part of the schema", key.to_owned()))
    }

    /// Whether it is time to remove what has run out; true for one of those who ask within a minute. Every lookup doing so
    /// would make each of them a write, and two that meet could wait for each other's rows.
    pub(crate) fn sweep_is_due(&self, now: OffsetDateTime) -> bool {
        let (now, due) = (now.unix_timestamp(), self.next_sweep.load(Ordering::Relaxed));
        let next = now + SECONDS_BETWEEN_SWEEPS;
        now >= due
            && self.next_sweep.compare_exchange(due, next, Ordering::Relaxed, Ordering::Relaxed).is_ok()
    }

    /// A new row's id.
    pub(crate) async fn new_id(&self, table: &str) -> Result<String> {
        let options = &self.options.advanced.database;
        match options.generate_id_with.call(table.to_owned()).await {
            Some(made) => made.map_err(|error| ApiError::internal("the id function failed", error)),
            None if options.generate_id == IdGeneration::Uuid => Ok(random::uuid()),
            None => Ok(random::alphanumeric(32)),
        }
    }

    /// Fills in a new row's id and the defaults of its table.
    pub(crate) async fn complete(&self, table: &Table, record: &mut Record) -> Result<()> {
        let now = self.clock.now();
        if !record.has("id") {
            record.set("id", self.new_id(&table.key).await?);
        }
        for column in &table.columns {
            if !record.has(&column.field) {
                let value = match &column.default {
                    Some(ColumnDefault::Now) => now.into(),
                    Some(ColumnDefault::Value(value)) => value.clone(),
                    None if column.field == "updatedAt" => now.into(),
                    None => continue,
                };
                record.set(column.field.clone(), value);
            }
        }
        Ok(())
    }

    /// An id that the same name always gives, in the form that ids have.
    pub(crate) fn id_from(&self, name: &str) -> String {
        let hash = sha256(name.as_bytes());
        let text = BASE32HEX_NOPAD.encode(&hash).to_ascii_lowercase();
        match self.options.advanced.database.generate_id {
            IdGeneration::Random => text.chars().take(32).collect(),
            IdGeneration::Uuid => {
                let bits = hash.first_chunk().map_or(0, |bytes| u128::from_be_bytes(*bytes));
                random::uuid_from(bits)
            }
        }
    }

    /// A cookie by its base name.
    pub(crate) fn cookie(&self, base_name: &str) -> CookieSpec {
        CookieSpec::new(&self.options, &self.base, base_name)
    }

    /// Refuses what is no address of mail: nobody could sign in with it.
    pub(crate) fn check_email(&self, email: &str) -> Result<()> {
        if housekey_base::is_email(email) { Ok(()) } else { Err(codes::INVALID_EMAIL.bad_request()) }
    }
}

impl fmt::Debug for Core {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Core").field("base", &self.base).finish_non_exhaustive()
    }
}
