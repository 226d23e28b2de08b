use http::StatusCode;

use super::row::ApiKey;
use super::{ApiKeyConfig, ApiKeyOptions, KEY_NOT_FOUND, NO_DEFAULT_API_KEY_CONFIGURATION_FOUND, owner};
use crate::{Api, Endpoint, Field, Reply, Result};

/// `GET /api-key/get`
pub(super) fn endpoint() -> Endpoint {
    Endpoint::get("/api-key/get", |api| Box::pin(answer(api)))
        .about("An API key of whoever is signed in, or of an organisation of theirs, without the key itself.")
        .takes([Field::text("id"), Field::text("configId").optional()])
        .answers(ApiKey::shape(None))
        .needs_session()
        .refuses(StatusCode::NOT_FOUND, [KEY_NOT_FOUND])
}

async fn answer(api: &mut Api) -> Result<Reply> {
    let mut query = api.request().read_query();
    let (config_id, id) = (query.optional_text("configId"), query.text("id"));
    query.finish()?;
    Reply::json(&find(api, &id, config_id.as_deref()).await?)
}

/// A key that whoever is signed in may see. `config_id` is its kind; `default` when unset.
pub async fn find(api: &mut Api, id: &str, config_id: Option<&str>) -> Result<ApiKey> {
    let signed_in = api.require_session().await?;
    let options = super::options(api)?;
    let (key, config) = of_kind(api, &options, id, config_id).await?;
    owner::require(api, &signed_in.user.id, &key, config, "read").await?;
    Ok(key)
}

/// The key with an id, if it is of the kind that was named.
pub(super) async fn of_kind<'a>(
    api: &Api,
    options: &'a ApiKeyOptions,
    id: &str,
    config_id: Option<&str>,
) -> Result<(ApiKey, &'a ApiKeyConfig)> {
    let asked = options.named(config_id);
    let asked = asked.ok_or_else(|| NO_DEFAULT_API_KEY_CONFIGURATION_FOUND.bad_request())?;
    let key = ApiKey::with_id(api, id).await?.filter(|key| key.config_id == asked.config_id);
    Ok((key.ok_or_else(|| KEY_NOT_FOUND.not_found())?, asked))
}
