use http::StatusCode;
use serde::Serialize;
use serde_json::Value;

use super::challenge::Challenge;
use super::webauthn::{Expected, KnownCredential, WRONG_SIGNATURE, verify_assertion};
use super::{Passkey, codes, options};
use crate::storage::Filter;
use crate::{
    Api, ApiError, Changes, Commit, Endpoint, Field, Record, Reply, Result, SecurityEventKind, SessionView,
    Shape, SignIn, SignedIn, User, UserView,
};

/// `POST /passkey/verify-authentication`
pub(super) fn endpoint() -> Endpoint {
    Endpoint::post("/passkey/verify-authentication", |api| {
        Box::pin(async move {
            let mut body = api.request().read_body();
            let response = body.record("response");
            body.finish()?;
            match verify_authentication(api, &Value::Object(response)).await? {
                SignIn::Done(signed_in) => answer(api, &signed_in),
                SignIn::Challenged(challenge) => Reply::json(&challenge.body),
            }
        })
    })
    .about(
        "Signs in with a device's answer. A device that made sure who uses it is two factors \
             in one.",
    )
    .takes([Field::new("response", Shape::map(Shape::any()))
        .about("What `navigator.credentials.get` gave, in the JSON form of WebAuthn.")])
    .answers(Shape::object([Field::row("session", "session"), Field::row("user", "user")]))
    .may_challenge()
}

/// Checks a device's answer, in the JSON form of WebAuthn, and begins a session for whom it proves to be there.
///
/// A device that made sure who uses it is two factors in one. One that only knows that somebody touched it is one: who has a
/// second factor is asked for it, as after a password.
// spec: SEC-3
pub async fn verify_authentication(api: &mut Api, response: &Value) -> Result<SignIn> {
    let options = options(api)?;
    let required = options.requires_user_verification();
    let refused = SecurityEventKind::SignInRefused;
    let Checked { changes, user, user_verified } = check(api, response, required, refused).await?;
    if user_verified {
        api.confirm_two_factors();
    }
    api.set_sign_in_method("passkey");
    let signed_in = api.sign_in_user_with(changes, user, None).await?;
    signed_in.ok_or_else(|| codes::AUTHENTICATION_FAILED.bad_request())
}

/// Checks a device's answer and says whom it proves to be there, without beginning a session: for asking somebody who is
/// signed in once more. The device must have made sure who uses it, whatever the options say: a touch by whoever sits there
/// would not do in place of a password. Server code only: there is no endpoint.
// spec: SEC-3
pub async fn verify_owner(api: &mut Api, response: &Value) -> Result<User> {
    let refused = SecurityEventKind::ConfirmationRefused;
    let Checked { changes, user, .. } = check(api, response, true, refused).await?;
    match changes.commit().await? {
        Commit::Lost => Err(codes::AUTHENTICATION_FAILED.bad_request()),
        Commit::Done => Ok(user),
    }
}

/// A device's answer that was right.
struct Checked {
    /// What keeps it from being used again.
    changes: Changes,
    /// Whom it proves to be there.
    user: User,
    /// Whether the device made sure of that.
    user_verified: bool,
}

async fn check(
    api: &mut Api,
    response: &Value,
    user_verified: bool,
    refused: SecurityEventKind,
) -> Result<Checked> {
    let options = options(api)?;
    let origins = options.origins(api).await;
    if origins.is_empty() {
        return Err(ApiError::message_only(StatusCode::BAD_REQUEST, "origin missing"));
    }
    let Some(Challenge::Authentication { expected_challenge, .. }) = Challenge::take(api, &options).await?
    else {
        return Err(codes::CHALLENGE_NOT_FOUND.bad_request());
    };
    let unknown = || codes::PASSKEY_NOT_FOUND.unauthorized();
    // No database can be asked for a text with a NUL in it.
    let id =
        response.get("id").and_then(Value::as_str).filter(|id| !id.contains('\0')).ok_or_else(unknown)?;
    let Some(passkey) = Passkey::with_credential(api, id).await? else {
        api.emit(api.event(refused, None).with("reason", "unknown-passkey")).await;
        return Err(unknown());
    };
    let user = api.user(&passkey.user_id).await?.ok_or_else(unknown)?;
    let expected = Expected {
        challenge: &expected_challenge,
        origins: &origins,
        rp_id: options.rp_id(api),
        user_verified,
    };
    let known = KnownCredential {
        id: &passkey.credential_id,
        public_key: &passkey.public_key,
        counter: passkey.counter,
    };
    let asserted = match verify_assertion(response, &known, &expected) {
        Ok(asserted) => asserted,
        Err(refusal) => {
            tracing::warn!(%refusal, passkey = passkey.id, "a sign-in with a passkey was refused");
            api.emit(api.event(refused, Some(&user.id)).with("reason", "passkey")).await;
            return Err(if refusal == WRONG_SIGNATURE {
                codes::AUTHENTICATION_FAILED.unauthorized()
            } else {
                codes::AUTHENTICATION_FAILED.bad_request()
            });
        }
    };
    let mut changes = api.changes();
    // The counter that was compared is part of the condition: of two answers with one counter, one is believed.
    let unchanged = Filter::by("id", &passkey.id).and_by("counter", passkey.counter);
    let mut used = Record::new().with("counter", asserted.counter);
    if options.track_last_use {
        used = used.with("lastUsedAt", api.clock().now());
    }
    changes.update_expecting("passkey", unchanged, used).await?;
    Ok(Checked { changes, user, user_verified: asserted.user_verified })
}

fn answer(api: &Api, signed_in: &SignedIn) -> Result<Reply> {
    #[derive(Serialize)]
    struct Answer<'a> {
        session: SessionView<'a>,
        user: UserView<'a>,
    }
    Reply::json(&Answer {
        session: api.session_view(&signed_in.session)?,
        user: api.user_view(&signed_in.user)?,
    })
}
