use serde_json::json;

use super::code::otpauth_uri;
use super::password::{check_password, field, read_password};
use super::row::TwoFactorRow;
use super::{TwoFactorOptions, enrolment, options};
use crate::{Api, Endpoint, Field, Reply, Result, Secret, Shape, User, codes};

/// `POST /two-factor/get-totp-uri`
pub(super) fn endpoint(chosen: &TwoFactorOptions) -> Endpoint {
    Endpoint::post("/two-factor/get-totp-uri", |api| {
        Box::pin(async move {
            let password = read_password(api)?;
            let uri = totp_uri(api, password.as_ref()).await?;
            Reply::json(&json!({ "totpURI": uri }))
        })
    })
    .about("Tells the address for an authenticator app once more.")
    .takes([field(chosen)])
    .answers(Shape::object([Field::url("totpURI")]))
    .needs_session()
}

/// The address for an authenticator app once more, for whoever is signed in and knows the password.
pub async fn totp_uri(api: &mut Api, password: Option<&Secret>) -> Result<String> {
    let signed_in = api.require_stored_session().await?;
    let none = || codes::TOTP_NOT_ENABLED.bad_request();
    let row = TwoFactorRow::shown_to(api, &signed_in.user).await?.ok_or_else(none)?;
    if !row.verified && !enrolment::is_open(api, &signed_in.user, &row).await? {
        return Err(none());
    }
    check_password(api, &signed_in.user, password).await?;
    Ok(uri(api, &*options(api)?, &signed_in.user, &api.decrypt(&row.secret)?, None))
}

pub(super) fn uri(
    api: &Api,
    options: &TwoFactorOptions,
    user: &User,
    secret: &str,
    issuer: Option<&str>,
) -> String {
    let issuer = issuer.or(options.issuer.as_deref()).unwrap_or(&api.options().app_name);
    otpauth_uri(secret.as_bytes(), issuer, &user.email, options.totp.digits, options.totp.period)
}
