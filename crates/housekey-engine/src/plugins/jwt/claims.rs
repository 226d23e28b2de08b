use std::sync::Arc;

use serde_json::{Map, Value};

use super::JwtOptions;
use crate::{Api, ApiError, Result, SignedIn};

/// Claims that have a meaning of their own (RFC 7519, 4.1). A column of a user that is called like one does not decide how long
/// a token holds and for whom.
const REGISTERED: [&str; 7] = ["iss", "sub", "aud", "exp", "nbf", "iat", "jti"];

/// What a token says about whoever is signed in.
pub(super) async fn of(
    api: &Api,
    options: &JwtOptions,
    signed_in: &Arc<SignedIn>,
) -> Result<Map<String, Value>> {
    let failed = |error| ApiError::internal("a function of the jwt plugin's options failed", error);
    let mut claims = match options.define_payload.call(Arc::clone(signed_in)).await {
        Some(made) => made.map_err(failed)?,
        None => user(api, signed_in)?,
    };
    let own = options.subject.call(Arc::clone(signed_in)).await.transpose().map_err(failed)?.flatten();
    let subject = own.unwrap_or_else(|| signed_in.user.id.clone());
    claims.insert("sub".into(), subject.into());
    Ok(claims)
}

/// The claims with those that every token has.
pub(super) fn complete(
    api: &Api,
    options: &JwtOptions,
    mut claims: Map<String, Value>,
) -> Map<String, Value> {
    claims.retain(|name, value| !(value.is_null() && REGISTERED.contains(&name.as_str())));
    let now = api.clock().now().unix_timestamp();
    let issued = claims.entry("iat").or_insert_with(|| now.into()).as_i64().unwrap_or(now);
    claims.entry("exp").or_insert_with(|| (issued + i64::from(options.expiration_time)).into());
    claims.entry("iss").or_insert_with(|| options.issuer.as_deref().unwrap_or(api.origin()).into());
    claims.entry("aud").or_insert_with(|| match options.audience.as_slice() {
        [] => api.origin().into(),
        [one] => one.as_str().into(),
        several => several.into(),
    });
    claims
}

fn user(api: &Api, signed_in: &SignedIn) -> Result<Map<String, Value>> {
    let view = serde_json::to_value(api.user_view(&signed_in.user)?);
    match view {
        Ok(Value::Object(mut user)) => {
            user.retain(|name, _| !REGISTERED.contains(&name.as_str()));
            Ok(user)
        }
        Ok(_) => Err(ApiError::internal("a token could not be written", "the user is no object")),
        Err(error) => Err(ApiError::internal("a token could not be written", error)),
    }
}
