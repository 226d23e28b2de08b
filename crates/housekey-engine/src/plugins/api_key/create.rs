use http::StatusCode;
use serde_json::Value as Json;
use time::Duration;

use super::options::is_prefix;
use super::row::ApiKey;
use super::{
    ApiKeyConfig, INVALID_METADATA_TYPE, KeyRateLimit, METADATA_DISABLED,
    NO_DEFAULT_API_KEY_CONFIGURATION_FOUND, ORGANIZATION_ID_REQUIRED, OwnerKind, Refill,
    SERVER_ONLY_PROPERTY, UNAUTHORIZED_SESSION, generate, input, owner, rules,
};
use crate::access::Statements;
use crate::storage::Filter;
use crate::{
    Api, ApiError, Changes, Commit, Endpoint, Field, Record, Reply, Result, Secret, SecurityEventKind, Shape,
};

/// `POST /api-key/create`
pub(super) fn endpoint() -> Endpoint {
    Endpoint::post("/api-key/create", |api| Box::pin(answer(api)))
        .about("Makes an API key. The answer is the only one that ever has the key itself.")
        .takes([
            Field::text("configId").optional().about("The kind of key; `default` when left out."),
            Field::text("name").optional(),
            Field::integer("expiresIn").optional().or_null().about("Seconds that it lives."),
            Field::text("prefix").optional().about("How it begins."),
            Field::new("metadata", Shape::any()).optional(),
            Field::text("organizationId")
                .optional()
                .about("Whose it is, where keys of the kind are organisations'."),
        ])
        .answers(ApiKey::shape(Some(Field::secret("key"))))
        .needs_session()
        .refuses(StatusCode::BAD_REQUEST, [SERVER_ONLY_PROPERTY, super::INVALID_NAME_LENGTH])
        .refuses(StatusCode::UNAUTHORIZED, [UNAUTHORIZED_SESSION])
}

async fn answer(api: &mut Api) -> Result<Reply> {
    let mut body = api.request().read_body();
    let config_id = body.optional_text("configId");
    let name = body.optional_text("name");
    let expires_in = input::read_expires_in(&mut body).flatten();
    let prefix = body.optional_text("prefix");
    if prefix.as_deref().is_some_and(|prefix| !is_prefix(prefix)) {
        let what = "Invalid prefix format, must be alphanumeric and contain only underscores and hyphens.";
        body.add_error("prefix", what);
    }
    let says_server_only = input::says_server_only(&mut body, &["remaining"]);
    let names_user = body.all().contains_key("userId");
    let (metadata, organization_id) = (input::read_metadata(&body), input::read_id(&body, "organizationId"));
    body.finish()?;
    if says_server_only {
        return Err(SERVER_ONLY_PROPERTY.bad_request());
    }
    if names_user {
        return Err(UNAUTHORIZED_SESSION.unauthorized());
    }
    let wanted =
        NewApiKey { config_id, name, prefix, expires_in, metadata, organization_id, ..NewApiKey::default() };
    let created = create(api, wanted).await?;
    Reply::json(&created.api_key.view(Some(&created.key)))
}

/// A key to be made. What is unset, its configuration says.
#[derive(Clone, Debug, Default)]
pub struct NewApiKey {
    /// The kind of key; `default` when unset.
    pub config_id: Option<String>,
    pub name: Option<String>,
    pub prefix: Option<String>,
    pub expires_in: Option<Duration>,
    pub metadata: Option<Json>,
    pub permissions: Option<Statements>,
    /// How often it can be used.
    pub remaining: Option<i64>,
    /// That uses come back.
    pub refill: Option<Refill>,
    /// How often it may be used in a while.
    pub rate_limit: Option<KeyRateLimit>,
    /// The organisation that it is for, where keys of the kind are organisations'.
    pub organization_id: Option<String>,
}

/// Whom a key is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyFor<'a> {
    /// The user with this id.
    User(&'a str),
    /// The organisation with this id.
    Organization(&'a str),
}

/// A key that has just been made.
#[derive(Clone, Debug)]
pub struct CreatedApiKey {
    pub api_key: ApiKey,
    /// The key itself. Show it once; nobody can find it again.
    pub key: Secret,
}

/// Makes a key for whoever is signed in, or for an organisation of theirs whose keys they may make.
///
/// What clients may not say of a key (permissions, uses, limits) server code may.
// spec: KEY-4
pub async fn create(api: &mut Api, wanted: NewApiKey) -> Result<CreatedApiKey> {
    let options = super::options(api)?;
    let config = configuration(&options, &wanted)?;
    let signed_in = api.stored_session().await?;
    let organization_id = wanted.organization_id.as_deref().filter(|id| !id.is_empty());
    if config.references == OwnerKind::Organization && organization_id.is_none() {
        return Err(ORGANIZATION_ID_REQUIRED.bad_request());
    }
    let signed_in = signed_in.ok_or_else(|| UNAUTHORIZED_SESSION.unauthorized())?;
    owner::refuse_impersonation(&signed_in.session)?;
    let reference_id = match (config.references, organization_id) {
        (OwnerKind::Organization, Some(organization_id)) => {
            owner::require_in_organization(api, &signed_in.user.id, organization_id, "create").await?;
            organization_id.to_owned()
        }
        _ => signed_in.user.id.clone(),
    };
    let mut changes = api.changes();
    if !signed_in.user.email_verified {
        // Of a key and the first proof of the address, at the same time, the proof wins: it takes this row first and ends the keys
        // then.
        let unproven = Filter::by("id", &signed_in.user.id).and_by("emailVerified", false);
        changes.expect("user", unproven, Record::new().with("emailVerified", false));
    }
    make(api, changes, config, reference_id, &wanted, Some(&signed_in.user.id)).await
}

/// Makes a key for somebody, or for an organisation, without anybody being signed in. Server code only: nobody is asked whether
/// they may.
pub async fn create_for(api: &Api, whom: KeyFor<'_>, wanted: NewApiKey) -> Result<CreatedApiKey> {
    let options = super::options(api)?;
    let config = configuration(&options, &wanted)?;
    let (kind, id) = match whom {
        KeyFor::User(id) => (OwnerKind::User, id),
        KeyFor::Organization(id) => (OwnerKind::Organization, id),
    };
    if kind != config.references {
        let cause = format!("keys of `{}` belong to others", config.config_id);
        return Err(ApiError::internal("a key was to be made for somebody of the wrong kind", cause));
    }
    let about = (kind == OwnerKind::User).then_some(id);
    make(api, api.changes(), config, id.to_owned(), &wanted, about).await
}

fn configuration<'a>(options: &'a super::ApiKeyOptions, wanted: &NewApiKey) -> Result<&'a ApiKeyConfig> {
    let config = options.named(wanted.config_id.as_deref());
    config.ok_or_else(|| NO_DEFAULT_API_KEY_CONFIGURATION_FOUND.bad_request())
}

async fn make(
    api: &Api,
    mut changes: Changes,
    config: &ApiKeyConfig,
    reference_id: String,
    wanted: &NewApiKey,
    about: Option<&str>,
) -> Result<CreatedApiKey> {
    if let Some(metadata) = &wanted.metadata {
        check_metadata(config, metadata)?;
    }
    let lives = config.key_expiration.default_expires_in;
    let expires_at = match wanted.expires_in {
        Some(lives) => Some(config.expiry(api, lives)?),
        None => lives.map(|seconds| api.clock().now() + Duration::seconds(seconds.into())),
    };
    let prefix = wanted.prefix.as_deref();
    prefix.map(|prefix| config.check_prefix(prefix)).transpose()?;
    config.check_new_name(wanted.name.as_deref())?;
    let prefix = prefix.or(config.default_prefix.as_deref());
    rules::check_refill(wanted.refill)?;
    wanted.remaining.map(|uses| rules::check_number("remaining", uses)).transpose()?;
    let limit = wanted.rate_limit.unwrap_or(config.rate_limit);
    rules::check_number("rate_limit.time_window", limit.time_window.into())?;
    rules::check_number("rate_limit.max_requests", limit.max_requests.into())?;

    let key = generate::new_key(prefix.unwrap_or_default(), config.default_key_length);
    let shown = config.starting_characters.map(|count| key.reveal().chars().take(count).collect());
    let now = api.clock().now();
    let api_key = ApiKey {
        id: api.new_id("apikey").await?,
        config_id: config.config_id.clone(),
        name: wanted.name.clone(),
        start: shown,
        reference_id,
        prefix: prefix.map(str::to_owned),
        refill: wanted.refill,
        last_refill_at: None,
        enabled: true,
        rate_limit_enabled: limit.enabled,
        rate_limit_time_window: Some(limit.time_window.into()),
        rate_limit_max: Some(limit.max_requests.into()),
        request_count: 0,
        remaining: wanted.remaining.or(wanted.refill.map(|refill| refill.amount)),
        last_request: None,
        expires_at,
        created_at: now,
        updated_at: now,
        permissions: wanted.permissions.clone().or_else(|| config.default_permissions.clone()),
        metadata: wanted.metadata.clone(),
    };
    changes.create("apikey", api_key.to_record()?.with("key", generate::hash(&key))).await?;
    match changes.commit().await? {
        Commit::Done => {}
        Commit::Lost => return Err(ApiError::too_busy(std::time::Duration::from_secs(1))),
    }
    api.emit(owner::event(api, SecurityEventKind::ApiKeyCreated, about, &api_key, config)).await;
    Ok(CreatedApiKey { api_key, key })
}

pub(super) fn check_metadata(config: &ApiKeyConfig, metadata: &Json) -> Result<()> {
    if !config.enable_metadata {
        return Err(METADATA_DISABLED.bad_request());
    }
    match metadata.is_object() || metadata.is_array() {
        true => Ok(()),
        false => Err(INVALID_METADATA_TYPE.bad_request()),
    }
}
