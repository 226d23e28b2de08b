use serde::de::DeserializeOwned;

use super::{keyring, options};
use crate::jwt::VerifyError;
use crate::{Api, ApiError, Result};

/// The claims of a token of this engine, for server code beside it: `Err` in the inner result says why it does not hold.
/// Other services have the [`Verifier`](crate::jwt::Verifier).
pub async fn verify<T: DeserializeOwned>(api: &Api, token: &str) -> Result<Result<T, VerifyError>> {
    if options(api)?.sign.is_set() {
        return Err(ApiError::internal(
            "a token could not be checked",
            "who signs elsewhere has the keys there",
        ));
    }
    let checked = keyring::current(api).await?.verifier.verify(token).await;
    match checked {
        // Another process may have made it.
        Err(VerifyError::UnknownKey) => match keyring::newer(api).await? {
            Some(newer) => Ok(newer.verifier.verify(token).await),
            None => Ok(checked),
        },
        _ => Ok(checked),
    }
}
