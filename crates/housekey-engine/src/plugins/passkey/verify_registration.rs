use std::sync::Arc;

use serde::Serialize;
use serde_json::Value;

use super::challenge::Challenge;
use super::webauthn::{Expected, NewCredential, verify_attestation};
use super::{Passkey, codes, options};
use crate::storage::Filter;
use crate::{
    Api, Commit, Endpoint, Field, Record, Reply, Result, SecurityEventKind, SessionView, Shape, SignIn,
    SignedIn, User, UserView,
};

/// A device's answer to a registration.
#[derive(Clone, Debug, Default)]
pub struct VerifyRegistration {
    /// The answer, in the JSON form of WebAuthn.
    pub response: Value,
    /// What its owner calls the passkey.
    pub name: Option<String>,
    pub create_session: bool,
}

/// The answer to a registration.
#[derive(Clone, Debug)]
pub struct Registered {
    pub passkey: Passkey,
    /// The new session, if one was wanted, and no plugin wants to see something first: [`Api::new_challenge`].
    pub session: Option<Arc<SignedIn>>,
}

/// `POST /passkey/verify-registration`
pub(super) fn endpoint() -> Endpoint {
    Endpoint::post("/passkey/verify-registration", |api| {
        Box::pin(async move {
            let mut body = api.request().read_body();
            let response = body.value("response");
            let name = body.optional_text("name");
            let create_session = body.optional_bool("createSession").unwrap_or(false);
            body.finish()?;
            let registered =
                verify_registration(api, VerifyRegistration { response, name, create_session }).await?;
            answer(api, &registered)
        })
    })
    .about("Keeps a new passkey.")
    .takes([
        Field::new("response", Shape::any())
            .about("What `navigator.credentials.create` gave, in the JSON form of WebAuthn."),
        Field::text("name").optional().about("What its owner calls it."),
        Field::boolean("createSession").optional(),
    ])
    .answers(Shape::row_with(
        "passkey",
        [
            Field::date("lastUsedAt").optional(),
            Field::row("session", "session").optional(),
            Field::row("user", "user").optional(),
        ],
    ))
    .may_challenge()
}

/// Checks a device's answer and keeps its key.
pub async fn verify_registration(api: &mut Api, input: VerifyRegistration) -> Result<Registered> {
    let options = options(api)?;
    let signed_in = if options.registration.require_session {
        Some(api.require_fresh_session().await?)
    } else {
        api.stored_session().await?
    };
    let origins = options.origins(api).await;
    if origins.is_empty() {
        return Err(codes::FAILED_TO_VERIFY_REGISTRATION.bad_request());
    }
    let Some(Challenge::Registration { expected_challenge, user_data, .. }) =
        Challenge::take(api, &options).await?
    else {
        return Err(codes::CHALLENGE_NOT_FOUND.bad_request());
    };
    if signed_in.as_ref().is_some_and(|signed_in| signed_in.user.id != user_data.id) {
        return Err(codes::YOU_ARE_NOT_ALLOWED_TO_REGISTER_THIS_PASSKEY.unauthorized());
    }
    let expected = Expected {
        challenge: &expected_challenge,
        origins: &origins,
        rp_id: options.rp_id(api),
        user_verified: options.requires_user_verification(),
    };
    let credential = verify_attestation(&input.response, &expected).map_err(|refusal| {
        tracing::warn!(%refusal, "the registration of a passkey was refused");
        codes::FAILED_TO_VERIFY_REGISTRATION.bad_request()
    })?;
    let user = match &signed_in {
        Some(signed_in) => User::clone(&signed_in.user),
        None => {
            let user = api.user(&user_data.id).await?;
            user.ok_or_else(|| codes::RESOLVED_USER_INVALID.bad_request())?
        }
    };
    if options.registration.require_email_verification {
        api.require_verified_email(&user)?;
    }
    if Passkey::with_credential(api, &credential.id).await?.is_some() {
        return Err(codes::PREVIOUSLY_REGISTERED.bad_request());
    }
    keep(api, user, credential, &input, signed_in.is_some()).await
}

/// Writes the passkey and, if one is wanted, the session: both or neither.
async fn keep(
    api: &mut Api,
    user: User,
    credential: NewCredential,
    input: &VerifyRegistration,
    has_session: bool,
) -> Result<Registered> {
    let name = input.name.as_deref().map(str::trim).filter(|name| !name.is_empty());
    let row = Record::new()
        .with("name", name)
        .with("publicKey", credential.public_key)
        .with("userId", &user.id)
        .with("credentialID", credential.id)
        .with("counter", credential.counter)
        .with("deviceType", if credential.can_be_copied { "multiDevice" } else { "singleDevice" })
        .with("backedUp", credential.is_copied)
        .with("transports", credential.transports)
        .with("createdAt", api.clock().now())
        .with("aaguid", credential.aaguid);
    let mut changes = api.changes();
    if !user.email_verified {
        // Of a registration and a reset that is the first proof of the address, at the same time, the reset wins.
        let unproven = Filter::by("id", &user.id).and_by("emailVerified", false);
        let as_it_was = Record::new().with("emailVerified", false).with("updatedAt", user.updated_at);
        changes.update_expecting("user", unproven, as_it_was).await?;
    }
    let passkey = Passkey::read(&changes.create("passkey", row).await?)?;
    // The user is gone by now, or a rule of the app's own stands against it.
    let lost = || codes::FAILED_TO_VERIFY_REGISTRATION.bad_request();
    if input.create_session && !has_session {
        api.set_sign_in_method("passkey");
        // A new key proves nothing about the factor that the account has already.
        let session = match api.sign_in_user_with(changes, user, None).await?.ok_or_else(lost)? {
            SignIn::Done(session) => Some(session),
            SignIn::Challenged(_) => None,
        };
        emit_added(api, &passkey).await;
        return Ok(Registered { passkey, session });
    }
    let session = match input.create_session {
        true => Some(api.prepare_session(&mut changes, &user.id, None).await?),
        false => None,
    };
    if changes.commit().await? == Commit::Lost {
        return Err(lost());
    }
    let session = match session {
        Some(session) => Some(api.adopt_session(SignedIn::new(session, user), None).await),
        None => None,
    };
    emit_added(api, &passkey).await;
    Ok(Registered { passkey, session })
}

async fn emit_added(api: &Api, passkey: &Passkey) {
    api.emit(api.event(SecurityEventKind::PasskeyAdded, Some(&passkey.user_id))).await;
}

fn answer(api: &Api, registered: &Registered) -> Result<Reply> {
    #[derive(Serialize)]
    struct Answer<'a> {
        #[serde(flatten)]
        passkey: &'a Passkey,
        #[serde(skip_serializing_if = "Option::is_none")]
        session: Option<SessionView<'a>>,
        #[serde(skip_serializing_if = "Option::is_none")]
        user: Option<UserView<'a>>,
        #[serde(flatten)]
        challenge: Option<&'a Record>,
    }
    let signed_in = registered.session.as_deref();
    let challenge = api.new_challenge();
    Reply::json(&Answer {
        passkey: &registered.passkey,
        session: signed_in.map(|signed_in| api.session_view(&signed_in.session)).transpose()?,
        user: signed_in.map(|signed_in| api.user_view(&signed_in.user)).transpose()?,
        challenge: challenge.as_ref().map(|challenge| &challenge.body),
    })
}
