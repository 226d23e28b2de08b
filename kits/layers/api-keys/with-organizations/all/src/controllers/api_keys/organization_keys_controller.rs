use housekey::auth::engine::Api;
use housekey::auth::engine::plugins::api_key::{self, ApiKeyChanges, NewApiKey};
use housekey::auth::{CurrentOrganization, api};
use housekey::prelude::*;

use super::keys_controller::{expect_oneself, expect_room, turned};
use super::lifetimes::lifetime;
use super::organization_keys::{KIND, keys_of_organization};
use crate::requests::api_keys::{ApiKeyRequest, ApiKeyStateRequest};

/// `POST /settings/organization/api-keys`: the key is shown by what comes next, this once.
pub async fn store(
    CurrentOrganization(active): CurrentOrganization,
    Valid(form): Valid<ApiKeyRequest>,
) -> Result<Redirect> {
    expect_oneself()?;
    let mut api = api()?;
    expect_room(keys_of_organization(&mut api).await?.len())?;
    let wanted = NewApiKey {
        config_id: Some(KIND.to_owned()),
        organization_id: Some(active.id().to_owned()),
        name: Some(form.name),
        expires_in: lifetime(KIND, form.lifetime.as_deref())?,
        ..default()
    };
    let created = api_key::create(&mut api, wanted).await.or_field_error("name")?;
    Ok(redirect(&route("settings.organization.api-keys")?)
        .with("api_key", created.key.reveal())
        .with("status", t("The key is made.")))
}

/// `PATCH /settings/organization/api-keys/{id}`: turns a key off, or on again.
pub async fn update(Path(id): Path<String>, Valid(form): Valid<ApiKeyStateRequest>) -> Result<Redirect> {
    expect_oneself()?;
    let mut api = api()?;
    expect_key(&mut api, &id).await?;
    let changes = ApiKeyChanges { enabled: Some(form.enabled), ..default() };
    api_key::update(&mut api, &id, Some(KIND), changes).await.or_http_error()?;
    Ok(back().with("status", turned(form.enabled)))
}

/// `DELETE /settings/organization/api-keys/{id}`
pub async fn destroy(Path(id): Path<String>) -> Result<Redirect> {
    let mut api = api()?;
    expect_key(&mut api, &id).await?;
    api_key::delete(&mut api, &id, Some(KIND)).await.or_http_error()?;
    Ok(back().with("status", t("The key is revoked.")))
}

/// The key of another organisation is answered like one that does not exist, also to who is in both.
async fn expect_key(api: &mut Api, id: &str) -> Result<()> {
    let known = keys_of_organization(api).await?;
    if known.iter().any(|key| key.id == id) { Ok(()) } else { Err(Error::not_found()) }
}
