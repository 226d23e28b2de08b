use time::OffsetDateTime;

use super::DeviceAuthorizationOptions;
use super::code::{self, Kind};
use crate::storage::Filter;
use crate::{Api, Record, Result, Value};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeviceStatus {
    /// Nobody decided yet.
    Pending,
    /// Approved, and not yet picked up.
    Approved,
    Denied,
}

impl DeviceStatus {
    /// Its word on the wire and in the column.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Approved => "approved",
            Self::Denied => "denied",
        }
    }

    fn named(name: &str) -> Option<Self> {
        [Self::Pending, Self::Approved, Self::Denied].into_iter().find(|status| status.name() == name)
    }
}

/// A request of a device, as it is stored.
pub(super) struct Row {
    pub(super) id: String,
    /// Unknown words are nobody's to act on.
    pub(super) status: Option<DeviceStatus>,
    pub(super) user_id: Option<String>,
    pub(super) expires_at: OffsetDateTime,
    pub(super) last_polled_at: Option<OffsetDateTime>,
    /// In milliseconds.
    pub(super) polling_interval: i64,
    pub(super) client_id: Option<String>,
    pub(super) scope: Option<String>,
    pub(super) created_at: Option<OffsetDateTime>,
    pub(super) ip_address: Option<String>,
    pub(super) user_agent: Option<String>,
    /// The token of the session that approved it, encrypted.
    pub(super) approved_by: Option<String>,
}

impl Row {
    pub(super) async fn by_device_code(
        api: &Api,
        options: &DeviceAuthorizationOptions,
        code: &str,
    ) -> Result<Option<Self>> {
        // No database can be asked for a text with a NUL in it.
        if code.contains('\0') {
            return Ok(None);
        }
        let stored = code::stored(api, options, Kind::Device, code);
        Self::find(api, "deviceCode", &stored).await
    }

    pub(super) async fn by_user_code(
        api: &Api,
        options: &DeviceAuthorizationOptions,
        typed: &str,
    ) -> Result<Option<Self>> {
        for code in code::meant(typed) {
            let stored = code::stored(api, options, Kind::User, &code);
            if let Some(row) = Self::find(api, "userCode", &stored).await? {
                return Ok(Some(row));
            }
        }
        Ok(None)
    }

    async fn find(api: &Api, field: &'static str, stored: &str) -> Result<Option<Self>> {
        let row = api.storage().find_one(api.table("deviceCode")?, &Filter::by(field, stored)).await?;
        // A database may think that capital and small letters are the same.
        let row = row.filter(|row| row.text(field) == Some(stored));
        Ok(row.as_ref().and_then(Self::read))
    }

    fn read(record: &Record) -> Option<Self> {
        let text = |field: &str| record.text(field).map(str::to_owned);
        let date = |field: &str| record.get(field).and_then(Value::as_date);
        Some(Self {
            id: text("id")?,
            status: DeviceStatus::named(record.text("status")?),
            user_id: text("userId"),
            expires_at: date("expiresAt")?,
            last_polled_at: date("lastPolledAt"),
            polling_interval: record.get("pollingInterval").and_then(Value::as_integer).unwrap_or_default(),
            client_id: text("clientId"),
            scope: text("scope"),
            created_at: date("createdAt"),
            ip_address: text("ipAddress"),
            user_agent: text("userAgent"),
            approved_by: text("approvedBy"),
        })
    }

    pub(super) fn is_expired(&self, api: &Api) -> bool {
        self.expires_at < api.clock().now()
    }
}
