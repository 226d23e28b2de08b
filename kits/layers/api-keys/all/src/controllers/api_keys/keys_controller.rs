use housekey::auth::api;
use housekey::auth::engine::plugins::api_key::{self, ApiKeyChanges, NewApiKey};
use housekey::prelude::*;

use super::keys::{MOST, mine, why_not};
use super::lifetimes::lifetime;
use crate::requests::api_keys::{ApiKeyRequest, ApiKeyStateRequest};

/// The kind of key that people have, in `config/auth.rs`.
pub const KIND: &str = "default";

/// `POST /settings/api-keys`: the key is shown by what comes next, this once.
pub async fn store(Valid(form): Valid<ApiKeyRequest>) -> Result<Redirect> {
    expect_oneself()?;
    expect_room(mine().await?.len())?;
    let expires_in = lifetime(KIND, form.lifetime.as_deref())?;
    let wanted = NewApiKey { name: Some(form.name), expires_in, ..default() };
    let created = api_key::create(&mut api()?, wanted).await.or_field_error("name")?;
    Ok(redirect(&route("settings.api-keys")?)
        .with("api_key", created.key.reveal())
        .with("status", t("The key is made.")))
}

/// `PATCH /settings/api-keys/{id}`: turns a key off, or on again.
pub async fn update(Path(id): Path<String>, Valid(form): Valid<ApiKeyStateRequest>) -> Result<Redirect> {
    expect_oneself()?;
    let changes = ApiKeyChanges { enabled: Some(form.enabled), ..default() };
    api_key::update(&mut api()?, &id, Some(KIND), changes).await.or_http_error()?;
    Ok(back().with("status", turned(form.enabled)))
}

/// `DELETE /settings/api-keys/{id}`
pub async fn destroy(Path(id): Path<String>) -> Result<Redirect> {
    api_key::delete(&mut api()?, &id, Some(KIND)).await.or_http_error()?;
    Ok(back().with("status", t("The key is revoked.")))
}

/// What was done to a key that was turned on or off.
pub fn turned(on: bool) -> String {
    if on { t("The key works again.") } else { t("The key is off.") }
}

/// Refuses an admin who acts as somebody else.
pub fn expect_oneself() -> Result<()> {
    why_not().map_or(Ok(()), |why_not| Err(Error::forbidden(why_not)))
}

/// Refuses one key too many.
pub fn expect_room(keys: usize) -> Result<()> {
    if keys < MOST {
        return Ok(());
    }
    let mut errors = FieldErrors::new();
    errors.add("name", t!("There are :count keys already. Revoke one first.", count = MOST));
    Err(Error::invalid(errors))
}
