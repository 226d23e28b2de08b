use super::row::ApiKey;
use super::{INVALID_API_KEY, KEY_NOT_FOUND, KeyOwner, USER_BANNED, lookup, usage};
use crate::access::Permission;
use crate::{Api, Result, Secret};

/// What a key must be and allow.
#[derive(Clone, Copy, Debug, Default)]
pub struct KeyCheck<'a> {
    /// What it must allow. A key that does not is refused, and the use is not counted.
    pub permission: Option<&'a Permission>,
    /// The kind of key; any when unset.
    pub config_id: Option<&'a str>,
}

/// A key that was good, and whose it is.
#[derive(Clone, Debug)]
pub struct VerifiedKey {
    /// The key after this use. Others may have used it at the same moment, so that `remaining` and `request_count` are what they were
    /// for this one.
    pub key: ApiKey,
    pub owner: KeyOwner,
}

/// Says whose a key is, if it is good, and counts the use. Server code only: there is no endpoint.
///
/// It reads once. It writes only where uses are counted, or where the last one was noted more than a minute ago; then once, too.
///
/// ```
/// # tokio::runtime::Runtime::new().unwrap().block_on(async {
/// use housekey_engine::options::EngineOptions;
/// use housekey_engine::plugins::api_key::{self, api_key};
/// use housekey_engine::{Engine, MemoryStorage, Secret};
///
/// # let options = EngineOptions { secret: "a secret of at least thirty-two characters".into(), ..Default::default() };
/// let engine = Engine::builder(options).plugins([api_key(Default::default())]).build(MemoryStorage::new()).unwrap();
/// let refused = api_key::verify(&engine.api(), &Secret::from("nobody's"), Default::default()).await.unwrap_err();
/// assert_eq!(refused.code(), Some("INVALID_API_KEY"));
/// # });
/// ```
// spec: KEY-4
pub async fn verify(api: &Api, key: &Secret, check: KeyCheck<'_>) -> Result<VerifiedKey> {
    let options = super::options(api)?;
    let found = lookup::find(api, &options, key).await?;
    let (key, owner) = found.ok_or_else(|| INVALID_API_KEY.unauthorized())?;
    let config = options.named(Some(&key.config_id)).ok_or_else(|| INVALID_API_KEY.unauthorized())?;
    if check.config_id.is_some_and(|id| id != key.config_id) {
        return Err(INVALID_API_KEY.unauthorized());
    }
    key.require_alive(api).await?;
    if let KeyOwner::User(user) = &owner {
        api.admit(user).await.map_err(|error| match error.is_internal() {
            true => error,
            false => USER_BANNED.unauthorized(),
        })?;
    }
    if check.permission.is_some_and(|permission| !key.allows(permission)) {
        return Err(KEY_NOT_FOUND.unauthorized());
    }
    let key = usage::count(api, &options, config, key).await?;
    Ok(VerifiedKey { key, owner })
}
