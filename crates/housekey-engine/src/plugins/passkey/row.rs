use serde::{Serialize, Serializer};
use time::OffsetDateTime;

use crate::storage::{Direction, Filter, Find};
use crate::{Api, ApiError, Field, Record, Result, Shape, Value};

/// A passkey, as it is stored and as its owner sees it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Passkey {
    /// What its owner calls it.
    pub name: Option<String>,
    /// The COSE key, in base64.
    pub public_key: String,
    pub user_id: String,
    /// What the device calls it, in base64url.
    #[serde(rename = "credentialID")]
    pub credential_id: String,
    /// How often the device says it was used; many always say 0.
    pub counter: i64,
    /// `singleDevice`, or `multiDevice` when the key can be copied to other devices of its owner.
    pub device_type: String,
    /// Whether such a copy exists.
    pub backed_up: bool,
    /// How the device can be reached, separated by commas.
    pub transports: Option<String>,
    #[serde(serialize_with = "moment")]
    pub created_at: Option<OffsetDateTime>,
    /// The make of the device, as a UUID. [`passkey_provider`](super::passkey_provider) has the names of many.
    pub aaguid: Option<String>,
    /// When somebody last proved with it who they are, where [`track_last_use`](super::PasskeyOptions::track_last_use)
    /// is on.
    #[serde(serialize_with = "moment", skip_serializing_if = "Option::is_none")]
    pub last_used_at: Option<OffsetDateTime>,
    pub id: String,
}

/// A passkey as browsers are told of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CredentialDescriptor {
    /// What the device calls it, in base64url.
    pub id: String,
    /// How the device can be reached.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub transports: Vec<String>,
    /// Always `public-key`.
    #[serde(rename = "type")]
    pub kind: &'static str,
}

impl CredentialDescriptor {
    pub(super) fn shape() -> Shape {
        let transports = Field::list("transports", Shape::text()).optional();
        Shape::object([Field::text("id"), transports, Field::text("type")])
    }
}

impl Passkey {
    /// Who keeps it, where the make of the device is known: see [`passkey_provider`](super::passkey_provider).
    pub fn provider(&self) -> Option<&'static str> {
        super::passkey_provider(self.aaguid.as_deref()?)
    }

    /// How its owner sees it.
    pub(super) fn shape() -> Shape {
        Shape::row_with("passkey", [Field::date("lastUsedAt").optional()])
    }

    pub(super) fn read(row: &Record) -> Result<Self> {
        let text = |field: &str| row.text(field).map(str::to_owned).ok_or_else(|| unreadable(field));
        Ok(Self {
            name: row.text("name").map(str::to_owned),
            public_key: text("publicKey")?,
            user_id: text("userId")?,
            credential_id: text("credentialID")?,
            counter: row.get("counter").and_then(Value::as_integer).ok_or_else(|| unreadable("counter"))?,
            device_type: text("deviceType")?,
            backed_up: row.get("backedUp").and_then(Value::as_bool).ok_or_else(|| unreadable("backedUp"))?,
            transports: row.text("transports").map(str::to_owned),
            created_at: row.get("createdAt").and_then(Value::as_date),
            aaguid: row.text("aaguid").map(str::to_owned),
            last_used_at: row.get("lastUsedAt").and_then(Value::as_date),
            id: text("id")?,
        })
    }

    /// Every passkey of a user, the oldest first.
    pub(super) async fn of(api: &Api, user_id: &str) -> Result<Vec<Self>> {
        let find = Find::new(Filter::by("userId", user_id)).order("createdAt", Direction::Ascending);
        let rows = api.storage().find(api.table("passkey")?, &find).await?;
        rows.iter().map(Self::read).collect()
    }

    /// The passkey with a row id.
    pub(super) async fn with_id(api: &Api, id: &str) -> Result<Option<Self>> {
        let row = api.storage().find_one(api.table("passkey")?, &Filter::by("id", id)).await?;
        row.as_ref().map(Self::read).transpose()
    }

    /// The passkey that a device calls so. Some databases compare texts without regard to case; that is not enough.
    pub(super) async fn with_credential(api: &Api, id: &str) -> Result<Option<Self>> {
        let find = Find::new(Filter::by("credentialID", id));
        let rows = api.storage().find(api.table("passkey")?, &find).await?;
        rows.iter().find(|row| row.text("credentialID") == Some(id)).map(Self::read).transpose()
    }

    pub(super) fn descriptor(&self) -> CredentialDescriptor {
        let transports = self.transports.as_deref().unwrap_or_default().split(',');
        CredentialDescriptor {
            id: self.credential_id.clone(),
            transports: transports.filter(|name| !name.is_empty()).map(str::to_owned).collect(),
            kind: "public-key",
        }
    }
}

fn unreadable(field: &str) -> ApiError {
    ApiError::internal("a row could not be read", format!("passkey.{field} is empty or of another type"))
}

fn moment<S: Serializer>(moment: &Option<OffsetDateTime>, serializer: S) -> Result<S::Ok, S::Error> {
    moment.map(Value::Date).serialize(serializer)
}
