use data_encoding::BASE64URL_NOPAD;
use serde::Serialize;
use serde_json::{Value, json};

use super::challenge::Challenge;
use super::webauthn::ALGORITHMS;
use super::{
    Attachment, AuthenticatorSelection, CredentialDescriptor, Passkey, PasskeyOptions, PasskeyUser,
    RegistrationRequest, Requirement, codes, options,
};
use crate::{Api, ApiError, Endpoint, Field, Reply, Result, Shape, User, random};

/// Milliseconds that the browser waits for the person.
pub(super) const TIMEOUT: u32 = 60_000;

/// Someone who wants a passkey.
#[derive(Clone, Debug, Default)]
pub struct NewPasskey {
    /// What the device lists it under; the address when unset.
    pub name: Option<String>,
    /// Where the device must sit, over what the options say.
    pub attachment: Option<Attachment>,
    /// Something for [`resolve_user`](super::PasskeyRegistration::resolve_user).
    pub context: Option<String>,
}

/// What the browser hands to the device, in the JSON form of WebAuthn.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RegistrationOptions {
    /// What the device must sign, in base64url.
    pub challenge: String,
    rp: Value,
    user: Value,
    pub_key_cred_params: Vec<Value>,
    timeout: u32,
    attestation: &'static str,
    /// What the user has already: a device that has one of these refuses.
    pub exclude_credentials: Vec<CredentialDescriptor>,
    authenticator_selection: Selection,
    extensions: Value,
    hints: [&'static str; 0],
}

#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Selection {
    #[serde(flatten)]
    selection: AuthenticatorSelection,
    /// What the first version of WebAuthn called a required resident key.
    require_resident_key: bool,
}

/// `GET /passkey/generate-register-options`
pub(super) fn endpoint() -> Endpoint {
    Endpoint::get("/passkey/generate-register-options", |api| {
        Box::pin(async move {
            let mut query = api.request().read_query();
            let attachment =
                match query.optional_choice("authenticatorAttachment", &["platform", "cross-platform"]) {
                    Some("platform") => Some(Attachment::Platform),
                    Some(_) => Some(Attachment::CrossPlatform),
                    None => None,
                };
            let input = NewPasskey {
                attachment,
                name: query.optional_text("name"),
                context: query.optional_text("context"),
            };
            query.finish()?;
            Reply::json(&registration_options(api, input).await?)
        })
    })
    .about(
        "Begins to register a passkey: what the browser hands to the device, in the JSON form \
             of WebAuthn.",
    )
    .takes([
        Field::choice("authenticatorAttachment", ["platform", "cross-platform"]).optional(),
        Field::text("name").optional(),
        Field::text("context").optional().about("For an app that registers people who are not signed in."),
    ])
    .answers(Shape::object([
        Field::text("challenge"),
        Field::new("rp", Shape::object([Field::text("name"), Field::text("id")])),
        Field::new(
            "user",
            Shape::object([Field::text("id"), Field::text("name"), Field::text("displayName")]),
        ),
        Field::list("pubKeyCredParams", Shape::object([Field::integer("alg"), Field::text("type")])),
        Field::integer("timeout"),
        Field::text("attestation"),
        Field::list("excludeCredentials", CredentialDescriptor::shape()),
        Field::new("authenticatorSelection", Shape::map(Shape::any())),
        Field::new("extensions", Shape::map(Shape::any())),
        Field::list("hints", Shape::text()),
    ]))
}

/// Begins a registration for whoever is signed in, or for whom the app names.
pub async fn registration_options(api: &mut Api, input: NewPasskey) -> Result<RegistrationOptions> {
    let options = options(api)?;
    let user = registering_user(api, &options, input.context.clone()).await?;
    let existing = Passkey::of(api, &user.id).await?;
    let mut selection = options.authenticator_selection;
    selection.authenticator_attachment = input.attachment.or(selection.authenticator_attachment);
    let name = input.name.filter(|name| !name.is_empty()).unwrap_or_else(|| user.name.clone());
    let display_name = user.display_name.clone().unwrap_or_else(|| user.name.clone());
    // The device keeps this id where others may read it, so it says nothing about the account.
    let handle = BASE64URL_NOPAD.encode(random::lowercase(32).as_bytes());
    let answer = RegistrationOptions {
        challenge: Challenge::random(),
        rp: json!({ "name": options.rp_name(api), "id": options.rp_id(api) }),
        user: json!({ "id": handle, "name": name, "displayName": display_name }),
        pub_key_cred_params: ALGORITHMS.map(|alg| json!({ "alg": alg, "type": "public-key" })).to_vec(),
        timeout: TIMEOUT,
        attestation: "none",
        exclude_credentials: existing.iter().map(Passkey::descriptor).collect(),
        authenticator_selection: Selection {
            selection,
            require_resident_key: selection.resident_key == Requirement::Required,
        },
        extensions: json!({ "credProps": true }),
        hints: [],
    };
    let challenge = Challenge::Registration {
        expected_challenge: answer.challenge.clone(),
        user_data: user,
        context: input.context,
    };
    challenge.issue(api, &options).await?;
    Ok(answer)
}

async fn registering_user(
    api: &mut Api,
    options: &PasskeyOptions,
    context: Option<String>,
) -> Result<PasskeyUser> {
    let signed_in = if options.registration.require_session {
        Some(api.require_fresh_session().await?)
    } else {
        api.stored_session().await?
    };
    if let Some(signed_in) = signed_in {
        if options.registration.require_email_verification {
            api.require_verified_email(&signed_in.user)?;
        }
        return Ok(PasskeyUser::from(&*signed_in.user));
    }
    let request = RegistrationRequest { context, headers: api.request().headers().clone() };
    match options.registration.resolve_user.call(request).await {
        None => Err(codes::RESOLVE_USER_REQUIRED.bad_request()),
        Some(Err(error)) => {
            Err(ApiError::internal("the function that names a user for a passkey failed", error))
        }
        Some(Ok(user)) => user
            .filter(|user| !user.id.is_empty() && !user.name.is_empty())
            .ok_or_else(|| codes::RESOLVED_USER_INVALID.bad_request()),
    }
}

impl From<&User> for PasskeyUser {
    fn from(user: &User) -> Self {
        Self { id: user.id.clone(), name: user.email.clone(), display_name: Some(user.email.clone()) }
    }
}
