use super::{LastLoginMethodOptions, Login};
use crate::{Api, ApiError, Result};

/// By what this request signs somebody in, in the words of the reference; `None` when that is nothing to offer next time.
pub(super) async fn resolve(api: &Api, options: &LastLoginMethodOptions) -> Result<Option<String>> {
    let login = Login {
        method: api.sign_in_method(),
        provider: api.sign_in_provider().map(str::to_owned),
        path: api.request().path().to_owned(),
    };
    let said = options.resolve_method.call(login.clone()).await.transpose();
    let said = said.map_err(|error| ApiError::internal("lastLoginMethod.resolveMethod failed", error))?;
    Ok(said.flatten().or_else(|| usual(login)))
}

fn usual(login: Login) -> Option<String> {
    match login.method? {
        "password" => Some("email".into()),
        "social" => login.provider,
        // A link in a mail proves an address and happens to sign in; nobody comes back by it. Nor anonymously, nor by a code that
        // was asked for as a second factor.
        "anonymous" | "backup-code" | "email-link" | "otp" | "totp" => None,
        method => Some(method.into()),
    }
}
