use data_encoding::BASE64URL_NOPAD;
use serde::Serialize;
use serde_json::{Map, Value, json};

use super::{claims, keyring, options};
use crate::{Api, ApiError, Result};

/// A token for whoever is signed in, or 401: what `GET /token` gives.
pub async fn token(api: &mut Api) -> Result<String> {
    let signed_in = api.require_session().await?;
    let options = options(api)?;
    let claims = claims::of(api, &options, &signed_in).await?;
    sign(api, claims).await
}

/// A token with any claims, for server code. `iat`, `exp`, `iss` and `aud` are added where they are not named.
///
/// ```
/// # tokio::runtime::Runtime::new().unwrap().block_on(async {
/// use housekey_engine::plugins::jwt;
/// # use housekey_engine::{Engine, MemoryStorage, options::EngineOptions};
/// # let options = EngineOptions { secret: "a secret of at least thirty-two characters".into(), ..Default::default() };
/// # let engine = Engine::builder(options).plugins([jwt(Default::default())]).build(MemoryStorage::new()).unwrap();
/// let claims = [("sub".to_owned(), "report-7".into()), ("aud".to_owned(), "https://files.example".into())];
/// let token = jwt::sign(&engine.api(), claims.into_iter().collect()).await.unwrap();
/// assert_eq!(token.split('.').count(), 3);
/// # });
/// ```
pub async fn sign(api: &Api, claims: Map<String, Value>) -> Result<String> {
    let options = options(api)?;
    let claims = claims::complete(api, &options, claims);
    if options.sign.is_set() {
        let signed = options.sign.call(claims).await.transpose();
        let signed =
            signed.map_err(|error| ApiError::internal("the function that signs tokens failed", error))?;
        return signed
            .ok_or_else(|| ApiError::internal("a token could not be signed", "there is no function"));
    }
    let current = keyring::current(api).await?;
    let header = json!({ "alg": options.algorithm, "kid": current.kid });
    let signed = format!("{}.{}", encode(&header)?, encode(&claims)?);
    let signature = current.key.sign(signed.as_bytes());
    let signature = signature
        .ok_or_else(|| ApiError::internal("a token could not be signed", options.algorithm.name()))?;
    Ok(format!("{signed}.{}", BASE64URL_NOPAD.encode(&signature)))
}

fn encode(part: &impl Serialize) -> Result<String> {
    let json = serde_json::to_vec(part);
    let json = json.map_err(|error| ApiError::internal("a token could not be written", error))?;
    Ok(BASE64URL_NOPAD.encode(&json))
}
