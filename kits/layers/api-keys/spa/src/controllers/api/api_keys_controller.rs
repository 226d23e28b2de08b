use housekey::auth::engine::plugins::api_key::ApiKey;
use housekey::prelude::*;
use serde::Serialize;
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

use crate::controllers::api_keys::keys::{ApiKeyState, mine, why_not};
use crate::controllers::api_keys::keys_controller::KIND;
use crate::controllers::api_keys::lifetimes::{lifetimes, usual_lifetime};

/// `GET /api/settings/api-keys`
#[typescript]
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ApiKeysAnswer {
    /// The newest first.
    pub keys: Vec<ApiKeyRow>,
    /// How long a new one may live: days, or `never`. None: nobody is asked.
    pub lifetimes: Vec<&'static str>,
    /// What is chosen of these before anybody has chosen.
    pub usual_lifetime: &'static str,
    /// Why whoever asks makes none, if they do not.
    pub why_not_create: Option<String>,
    /// Whether they may turn one off and on.
    pub may_change: bool,
    /// Whether they may end one.
    pub may_revoke: bool,
}

/// One key of the list.
#[typescript]
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ApiKeyRow {
    /// For changing and revoking it.
    pub id: String,
    /// What its owner calls it.
    pub name: String,
    /// How it begins.
    pub start: Option<String>,
    /// When it was made.
    pub created: String,
    /// When it was used last, if it ever was.
    pub last_used: Option<String>,
    /// When it ends, if it does.
    pub expires: Option<String>,
    /// Whether it works.
    pub state: ApiKeyState,
}

/// `GET /api/settings/api-keys`
pub async fn index() -> Result<Json<ApiKeysAnswer>> {
    let lifetimes = lifetimes(KIND)?;
    Ok(Json(ApiKeysAnswer {
        keys: mine().await?.into_iter().map(ApiKeyRow::from).collect(),
        usual_lifetime: usual_lifetime(&lifetimes),
        lifetimes,
        why_not_create: why_not(),
        may_change: why_not().is_none(),
        may_revoke: true,
    }))
}

impl From<ApiKey> for ApiKeyRow {
    fn from(key: ApiKey) -> Self {
        Self {
            state: ApiKeyState::of(&key),
            name: key.name.unwrap_or_else(|| t("A key")),
            start: key.start,
            created: rfc3339(key.created_at),
            last_used: key.last_request.map(rfc3339),
            expires: key.expires_at.map(rfc3339),
            id: key.id,
        }
    }
}

fn rfc3339(at: OffsetDateTime) -> String {
    at.format(&Rfc3339).unwrap_or_default()
}
