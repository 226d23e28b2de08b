use serde::Serialize;

use super::challenge::{Challenge, Visitor};
use super::registration_options::TIMEOUT;
use super::{CredentialDescriptor, Passkey, Requirement, options};
use crate::{Api, Endpoint, Field, Reply, Result, Shape};

/// What the browser hands to the device, in the JSON form of WebAuthn.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct AuthenticationOptions {
    rp_id: String,
    /// What the device must sign, in base64url.
    pub challenge: String,
    /// The passkeys of whoever is signed in already. Empty: the device offers what it has.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub allow_credentials: Vec<CredentialDescriptor>,
    timeout: u32,
    user_verification: Requirement,
}

/// `GET /passkey/generate-authenticate-options`
pub(super) fn endpoint() -> Endpoint {
    Endpoint::get("/passkey/generate-authenticate-options", |api| {
        Box::pin(async move { Reply::json(&authentication_options(api).await?) })
    })
    .about(
        "Begins a sign-in with a passkey: what the browser hands to the device, in the JSON \
             form of WebAuthn.",
    )
    .answers(Shape::object([
        Field::text("challenge"),
        Field::text("rpId"),
        Field::integer("timeout"),
        Field::text("userVerification"),
        Field::list("allowCredentials", CredentialDescriptor::shape()).optional(),
    ]))
}

/// Begins a sign-in.
pub async fn authentication_options(api: &mut Api) -> Result<AuthenticationOptions> {
    let options = options(api)?;
    let user_id = api.session().await?.map(|signed_in| signed_in.user.id.clone());
    let passkeys = match &user_id {
        Some(user_id) => Passkey::of(api, user_id).await?,
        None => Vec::new(),
    };
    let required = options.requires_user_verification();
    let answer = AuthenticationOptions {
        rp_id: options.rp_id(api).to_owned(),
        challenge: Challenge::random(),
        allow_credentials: passkeys.iter().map(Passkey::descriptor).collect(),
        timeout: TIMEOUT,
        user_verification: if required { Requirement::Required } else { Requirement::Preferred },
    };
    let challenge = Challenge::Authentication {
        expected_challenge: answer.challenge.clone(),
        user_data: Visitor { id: user_id.unwrap_or_default() },
    };
    challenge.issue(api, &options).await?;
    Ok(answer)
}
