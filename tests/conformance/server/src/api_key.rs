//! API keys: their options as the Node side says them, and what only server code can do with them.

use axum::Json;
use axum::extract::State;
use housekey_engine::access::{Permission, Statements};
use housekey_engine::plugins::api_key::{
    self, ApiKeyConfig, ApiKeyOptions, KeyCheck, KeyExpiration, KeyFor, KeyRateLimit, NewApiKey, OwnerKind,
    Refill,
};
use housekey_engine::{ApiError, Plugin, Secret};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use time::Duration;

use crate::Harness;

/// One configuration, or several.
#[derive(Deserialize)]
#[serde(untagged)]
pub(crate) enum ApiKeys {
    Several(Vec<Config>),
    One(Box<Config>),
}

impl ApiKeys {
    pub(crate) fn plugin(self) -> Plugin {
        let configurations = match self {
            Self::One(config) => vec![config.read()],
            Self::Several(configs) => configs.into_iter().map(Config::read).collect(),
        };
        api_key::api_key(ApiKeyOptions { configurations, ..ApiKeyOptions::default() })
    }
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub(crate) struct Config {
    config_id: Option<String>,
    references: Option<String>,
    default_prefix: Option<String>,
    require_name: bool,
    enable_metadata: bool,
    rate_limit: Option<RateLimit>,
    key_expiration: Option<Expiration>,
    permissions: Option<Permissions>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct RateLimit {
    enabled: bool,
    time_window: u32,
    max_requests: u32,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Expiration {
    default_expires_in: Option<u32>,
    #[serde(default)]
    disable_custom_expires_time: bool,
    min_expires_in: Option<u32>,
    max_expires_in: Option<u32>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Permissions {
    default_permissions: Statements,
}

impl Config {
    fn read(self) -> ApiKeyConfig {
        let usual = ApiKeyConfig::default();
        let organization = self.references.as_deref() == Some("organization");
        ApiKeyConfig {
            config_id: self.config_id.unwrap_or(usual.config_id),
            references: if organization { OwnerKind::Organization } else { OwnerKind::User },
            default_prefix: self.default_prefix,
            require_name: self.require_name,
            enable_metadata: self.enable_metadata,
            rate_limit: self.rate_limit.map_or(usual.rate_limit, |given| KeyRateLimit {
                enabled: given.enabled,
                time_window: given.time_window,
                max_requests: given.max_requests,
            }),
            key_expiration: self.key_expiration.map_or(usual.key_expiration, |given| KeyExpiration {
                default_expires_in: given.default_expires_in,
                disable_custom_expires_time: given.disable_custom_expires_time,
                min_expires_in: given.min_expires_in.unwrap_or(usual.key_expiration.min_expires_in),
                max_expires_in: given.max_expires_in.unwrap_or(usual.key_expiration.max_expires_in),
            }),
            default_permissions: self.permissions.map(|given| given.default_permissions),
            ..usual
        }
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Verify {
    key: String,
    permissions: Option<Map<String, Value>>,
    config_id: Option<String>,
}

/// What the reference's `verifyApiKey` answers.
pub(crate) async fn verify(State(harness): State<Harness>, Json(asked): Json<Verify>) -> Json<Value> {
    let permission = asked.permissions.as_ref().and_then(|asked| Permission::from_json(asked).ok());
    let check = KeyCheck { permission: permission.as_ref(), config_id: asked.config_id.as_deref() };
    Json(match api_key::verify(&harness.engine.api(), &Secret::from(asked.key), check).await {
        Ok(shown) => json!({ "valid": true, "error": null, "key": shown.key }),
        Err(error) => json!({ "valid": false, "error": refusal(&error), "key": null }),
    })
}

fn refusal(error: &ApiError) -> Value {
    let mut told = json!({ "message": error.message(), "code": error.code() });
    for (name, value) in error.fields() {
        told[*name] = value.clone();
    }
    told
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Create {
    user_id: String,
    name: Option<String>,
    permissions: Option<Statements>,
    remaining: Option<i64>,
    refill_amount: Option<i64>,
    refill_interval: Option<i64>,
    rate_limit_enabled: Option<bool>,
    rate_limit_time_window: Option<u32>,
    rate_limit_max: Option<u32>,
    expires_in: Option<i64>,
}

/// What the reference's `createApiKey` answers to server code.
pub(crate) async fn create(State(harness): State<Harness>, Json(asked): Json<Create>) -> Json<Value> {
    let usual = KeyRateLimit::default();
    let wanted = NewApiKey {
        name: asked.name,
        permissions: asked.permissions,
        remaining: asked.remaining,
        refill: asked
            .refill_amount
            .zip(asked.refill_interval)
            .map(|(amount, interval)| Refill { amount, interval }),
        rate_limit: asked.rate_limit_enabled.map(|enabled| KeyRateLimit {
            enabled,
            time_window: asked.rate_limit_time_window.unwrap_or(usual.time_window),
            max_requests: asked.rate_limit_max.unwrap_or(usual.max_requests),
        }),
        expires_in: asked.expires_in.map(Duration::seconds),
        ..NewApiKey::default()
    };
    let made = api_key::create_for(&harness.engine.api(), KeyFor::User(&asked.user_id), wanted).await;
    Json(match made {
        Ok(created) => {
            let mut told = serde_json::to_value(&created.api_key).unwrap_or_default();
            told["key"] = json!(created.key.reveal());
            told
        }
        Err(error) => refusal(&error),
    })
}
