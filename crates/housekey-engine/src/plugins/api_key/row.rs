use serde::{Serialize, Serializer};
use serde_json::Value as Json;
use time::OffsetDateTime;

use super::options::DEFAULT;
use super::{KEY_DISABLED, KEY_EXPIRED};
use crate::access::{Permission, Role, Statements};
use crate::storage::Filter;
use crate::{Api, Field, Fields, Record, Result, Secret, Shape, Value};

/// A key as its owner sees it. What it says in clear is nowhere.
#[derive(Clone, Debug, PartialEq)]
pub struct ApiKey {
    pub id: String,
    pub config_id: String,
    /// What its owner calls it.
    pub name: Option<String>,
    /// Its first characters, to tell it from others.
    pub start: Option<String>,
    /// The id of the user or the organisation that it belongs to.
    pub reference_id: String,
    pub prefix: Option<String>,
    /// Whether `remaining` is filled up again.
    pub refill: Option<Refill>,
    pub last_refill_at: Option<OffsetDateTime>,
    pub enabled: bool,
    pub rate_limit_enabled: bool,
    /// Milliseconds.
    pub rate_limit_time_window: Option<i64>,
    pub rate_limit_max: Option<i64>,
    /// Uses within the window, or all of them where
    /// [`count_every_use`](super::ApiKeyConfig::count_every_use) is on and nothing is limited.
    pub request_count: i64,
    /// Uses that are left; any number when unset.
    pub remaining: Option<i64>,
    /// When it was last used. Where no use is counted, about when.
    pub last_request: Option<OffsetDateTime>,
    /// When it ends; never when unset.
    pub expires_at: Option<OffsetDateTime>,
    pub created_at: OffsetDateTime,
    pub updated_at: OffsetDateTime,
    /// What it allows; nothing when unset.
    pub permissions: Option<Statements>,
    /// What its maker keeps with it.
    pub metadata: Option<Json>,
}

/// That uses come back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Refill {
    /// So many there are afterwards.
    pub amount: i64,
    /// Milliseconds after which it happens again.
    pub interval: i64,
}

impl ApiKey {
    /// Whether it allows all of something.
    pub fn allows(&self, permission: &Permission) -> bool {
        self.permissions.clone().is_some_and(|allowed| Role::new(allowed).allows(permission))
    }

    pub fn has_expired(&self, now: OffsetDateTime) -> bool {
        self.expires_at.is_some_and(|end| now > end)
    }

    pub(super) async fn with_id(api: &Api, id: &str) -> Result<Option<Self>> {
        let row = api.storage().find_one(api.table("apikey")?, &Filter::by("id", id)).await?;
        row.map(Self::from_record).transpose()
    }

    /// This row, as a condition.
    pub(super) fn filter(&self) -> Filter {
        Filter::by("id", &self.id)
    }

    pub(super) fn from_record(record: Record) -> Result<Self> {
        let number = |field: &str| record.get(field).and_then(Value::as_integer);
        // Columns that may be empty were not there once; what is empty is as the reference reads it.
        let refused = |field: &str| record.get(field).and_then(Value::as_bool) == Some(false);
        let (enabled, limited) = (!refused("enabled"), !refused("rateLimitEnabled"));
        let refill = number("refillAmount").zip(number("refillInterval"));
        let refill = refill.filter(|&(amount, interval)| amount > 0 && interval > 0);
        let refill = refill.map(|(amount, interval)| Refill { amount, interval });
        let (window, most) = (number("rateLimitTimeWindow"), number("rateLimitMax"));
        let (count, remaining) = (number("requestCount").unwrap_or(0), number("remaining"));
        let mut fields = Fields("apikey", record);
        Ok(Self {
            id: fields.text("id")?,
            config_id: fields.optional_text("configId")?.unwrap_or_else(|| DEFAULT.into()),
            name: fields.optional_text("name")?,
            start: fields.optional_text("start")?,
            reference_id: fields.text("referenceId")?,
            prefix: fields.optional_text("prefix")?,
            refill,
            last_refill_at: fields.optional_date("lastRefillAt")?,
            enabled,
            rate_limit_enabled: limited,
            rate_limit_time_window: window,
            rate_limit_max: most,
            request_count: count,
            remaining,
            last_request: fields.optional_date("lastRequest")?,
            expires_at: fields.optional_date("expiresAt")?,
            created_at: fields.date("createdAt")?,
            updated_at: fields.date("updatedAt")?,
            permissions: fields
                .optional_text("permissions")?
                .and_then(|text| serde_json::from_str(&text).ok()),
            metadata: fields.optional_text("metadata")?.and_then(|text| read_metadata(&text)),
        })
    }

    /// Refuses a key that was turned off or whose time is over; the latter is deleted.
    pub(super) async fn require_alive(&self, api: &Api) -> Result<()> {
        if !self.enabled {
            return Err(KEY_DISABLED.unauthorized());
        }
        if self.has_expired(api.clock().now()) {
            // Unless somebody gave it another end at this moment.
            let same = self.filter().and_by("expiresAt", self.expires_at);
            api.storage().delete(api.table("apikey")?, &same).await?;
            return Err(KEY_EXPIRED.unauthorized());
        }
        Ok(())
    }

    /// As it is stored, but for the hash of the key.
    pub(super) fn to_record(&self) -> Result<Record> {
        let mut record = self.view(None);
        record.set("permissions", self.permissions.as_ref().map(written).transpose()?);
        record.set("metadata", self.metadata.as_ref().map(written).transpose()?);
        Ok(record)
    }

    /// What clients are told about [`view`](Self::view).
    pub(super) fn shape(key: Option<Field>) -> Shape {
        let text = |name: &'static str| Field::text(name).or_null();
        let number = |name: &'static str| Field::integer(name).or_null();
        let date = |name: &'static str| Field::date(name).or_null();
        let permissions = Shape::map(Shape::list(Shape::text()));
        let before = [
            Field::text("configId"),
            text("name"),
            text("start"),
            Field::text("referenceId"),
            text("prefix"),
        ];
        let after = [
            number("refillInterval"),
            number("refillAmount"),
            date("lastRefillAt"),
            Field::boolean("enabled"),
            Field::boolean("rateLimitEnabled"),
            number("rateLimitTimeWindow"),
            number("rateLimitMax"),
            Field::integer("requestCount"),
            number("remaining"),
            date("lastRequest"),
            date("expiresAt"),
            Field::date("createdAt"),
            Field::date("updatedAt"),
            Field::new("permissions", permissions).or_null(),
            Field::new("metadata", Shape::any()),
            Field::text("id"),
        ];
        Shape::object(before.into_iter().chain(key).chain(after))
    }

    /// As clients see it: schema order, `id` last. The key itself only when it has just been made.
    pub(super) fn view(&self, key: Option<&Secret>) -> Record {
        let mut record = Record::new()
            .with("configId", &self.config_id)
            .with("name", self.name.as_deref())
            .with("start", self.start.as_deref())
            .with("referenceId", &self.reference_id)
            .with("prefix", self.prefix.as_deref());
        if let Some(key) = key {
            record.set("key", key.reveal());
        }
        let permissions = self.permissions.as_ref().and_then(|allowed| serde_json::to_value(allowed).ok());
        record
            .with("refillInterval", self.refill.map(|refill| refill.interval))
            .with("refillAmount", self.refill.map(|refill| refill.amount))
            .with("lastRefillAt", self.last_refill_at)
            .with("enabled", self.enabled)
            .with("rateLimitEnabled", self.rate_limit_enabled)
            .with("rateLimitTimeWindow", self.rate_limit_time_window)
            .with("rateLimitMax", self.rate_limit_max)
            .with("requestCount", self.request_count)
            .with("remaining", self.remaining)
            .with("lastRequest", self.last_request)
            .with("expiresAt", self.expires_at)
            .with("createdAt", self.created_at)
            .with("updatedAt", self.updated_at)
            .with("permissions", permissions)
            .with("metadata", self.metadata.clone())
            .with("id", &self.id)
    }
}

impl Serialize for ApiKey {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.view(None).serialize(serializer)
    }
}

pub(super) fn written(value: &impl Serialize) -> Result<String> {
    serde_json::to_string(value)
        .map_err(|error| crate::ApiError::internal("a field of a key could not be written", error))
}

/// Older versions of the reference wrote the JSON of the JSON; `null` is nothing.
fn read_metadata(text: &str) -> Option<Json> {
    match serde_json::from_str(text).ok()? {
        Json::Null => None,
        Json::String(inner) => serde_json::from_str(&inner).ok(),
        other => Some(other),
    }
}
