use http::StatusCode;
use serde_json::Value as Json;
use time::Duration;

use super::row::{ApiKey, written};
use super::{
    ApiKeyConfig, EXPIRES_IN_IS_TOO_LARGE, FAILED_TO_UPDATE_API_KEY, INVALID_METADATA_TYPE,
    KEY_DISABLED_EXPIRATION, KEY_NOT_FOUND, KeyRateLimit, NO_VALUES_TO_UPDATE, Refill, SERVER_ONLY_PROPERTY,
    UNAUTHORIZED_SESSION, find, input, owner, rules,
};
use crate::access::Statements;
use crate::{Api, Commit, Endpoint, Field, Record, Reply, Result, SecurityEventKind, Shape};

/// `POST /api-key/update`
pub(super) fn endpoint() -> Endpoint {
    Endpoint::post("/api-key/update", |api| Box::pin(answer(api)))
        .about("Renames an API key, turns it off or on, or gives it another end.")
        .takes([
            Field::text("keyId"),
            Field::text("configId").optional(),
            Field::text("name").optional(),
            Field::boolean("enabled").optional(),
            Field::integer("expiresIn")
                .optional()
                .or_null()
                .about("Seconds from now; null for ever, where keys may last."),
            Field::new("metadata", Shape::any()).optional(),
        ])
        .answers(ApiKey::shape(None))
        .needs_session()
        .refuses(StatusCode::NOT_FOUND, [KEY_NOT_FOUND])
        .refuses(StatusCode::BAD_REQUEST, [NO_VALUES_TO_UPDATE, SERVER_ONLY_PROPERTY])
}

async fn answer(api: &mut Api) -> Result<Reply> {
    let mut body = api.request().read_body();
    let (config_id, id) = (body.optional_text("configId"), body.text("keyId"));
    let changes = ApiKeyChanges {
        name: body.optional_text("name"),
        enabled: body.optional_bool("enabled"),
        expires_in: input::read_expires_in(&mut body),
        metadata: body.all().remove("metadata"),
        ..ApiKeyChanges::default()
    };
    let says_server_only = input::says_server_only(&mut body, &[]);
    let user_id = input::read_id(&body, "userId");
    body.finish()?;
    let signed_in = api.stored_session().await?.ok_or_else(|| UNAUTHORIZED_SESSION.unauthorized())?;
    if user_id.is_some_and(|id| !id.is_empty() && id != signed_in.user.id) {
        return Err(UNAUTHORIZED_SESSION.unauthorized());
    }
    if says_server_only {
        return Err(SERVER_ONLY_PROPERTY.bad_request());
    }
    Reply::json(&update(api, &id, config_id.as_deref(), changes).await?)
}

/// What is to be different about a key. What is unset stays.
#[derive(Clone, Debug, Default)]
pub struct ApiKeyChanges {
    pub name: Option<String>,
    pub enabled: Option<bool>,
    /// How long it lives from now on; `Some(None)` for ever.
    pub expires_in: Option<Option<Duration>>,
    /// What is kept with it. Ignored where the configuration keeps nothing.
    pub metadata: Option<Json>,
    /// What it allows; `Some(None)` nothing.
    pub permissions: Option<Option<Statements>>,
    /// Uses that are left; `Some(None)` any number.
    pub remaining: Option<Option<i64>>,
    /// That uses come back; `Some(None)` they do not.
    pub refill: Option<Option<Refill>>,
    pub rate_limit: Option<KeyRateLimit>,
}

/// Changes a key of whoever is signed in, or of an organisation of theirs whose keys they may change.
///
/// What clients may not say of a key (permissions, uses, limits) server code may.
pub async fn update(
    api: &mut Api,
    id: &str,
    config_id: Option<&str>,
    wanted: ApiKeyChanges,
) -> Result<ApiKey> {
    let signed_in = api.stored_session().await?.ok_or_else(|| UNAUTHORIZED_SESSION.unauthorized())?;
    owner::refuse_impersonation(&signed_in.session)?;
    let options = super::options(api)?;
    let (key, config) = find::of_kind(api, &options, id, config_id).await?;
    owner::require(api, &signed_in.user.id, &key, config, "update").await?;

    let record = fields(api, config, wanted)?;
    if record.is_empty() {
        return Err(NO_VALUES_TO_UPDATE.bad_request());
    }
    let mut changes = api.changes();
    changes.update_expecting("apikey", key.filter(), record).await?;
    if changes.commit().await? == Commit::Lost {
        return Err(KEY_NOT_FOUND.not_found());
    }
    let changed = ApiKey::with_id(api, &key.id).await?;
    let changed = changed.ok_or_else(|| FAILED_TO_UPDATE_API_KEY.with(StatusCode::INTERNAL_SERVER_ERROR))?;
    let kind = SecurityEventKind::ApiKeyChanged;
    api.emit(owner::event(api, kind, Some(&signed_in.user.id), &changed, config)).await;
    Ok(changed)
}

/// The columns that change.
fn fields(api: &Api, config: &ApiKeyConfig, wanted: ApiKeyChanges) -> Result<Record> {
    let mut record = Record::new();
    if let Some(name) = wanted.name {
        config.check_name(&name)?;
        record.set("name", name);
    }
    if let Some(enabled) = wanted.enabled {
        record.set("enabled", enabled);
    }
    match wanted.expires_in {
        Some(Some(lives)) => record.set("expiresAt", config.expiry(api, lives)?),
        Some(None) if config.key_expiration.disable_custom_expires_time => {
            return Err(KEY_DISABLED_EXPIRATION.bad_request());
        }
        // Where every key ends, none is made to last for ever afterwards.
        Some(None) if config.key_expiration.default_expires_in.is_some() => {
            return Err(EXPIRES_IN_IS_TOO_LARGE.bad_request());
        }
        Some(None) => record.set("expiresAt", None::<String>),
        None => {}
    }
    if let Some(metadata) = wanted.metadata.filter(|_| config.enable_metadata) {
        match metadata {
            Json::Null => record.set("metadata", None::<String>),
            Json::Object(_) | Json::Array(_) => record.set("metadata", written(&metadata)?),
            _ => return Err(INVALID_METADATA_TYPE.bad_request()),
        }
    }
    if let Some(permissions) = wanted.permissions {
        record.set("permissions", permissions.as_ref().map(written).transpose()?);
    }
    if let Some(remaining) = wanted.remaining {
        remaining.map(|uses| rules::check_number("remaining", uses)).transpose()?;
        record.set("remaining", remaining);
    }
    if let Some(refill) = wanted.refill {
        rules::check_refill(refill)?;
        record.set("refillAmount", refill.map(|refill| refill.amount));
        record.set("refillInterval", refill.map(|refill| refill.interval));
    }
    if let Some(limit) = wanted.rate_limit {
        rules::check_number("rate_limit.time_window", limit.time_window.into())?;
        rules::check_number("rate_limit.max_requests", limit.max_requests.into())?;
        record.set("rateLimitEnabled", limit.enabled);
        record.set("rateLimitTimeWindow", i64::from(limit.time_window));
        record.set("rateLimitMax", i64::from(limit.max_requests));
    }
    Ok(record)
}
