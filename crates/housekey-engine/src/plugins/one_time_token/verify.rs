use std::sync::Arc;

use http::StatusCode;
use serde::Serialize;

use super::options;
use crate::{
    Api, ApiError, Endpoint, Field, Reply, Result, Secret, SecurityEventKind, SessionView, Shape, SignedIn,
    UserView,
};

/// `POST /one-time-token/verify`
pub(super) fn endpoint() -> Endpoint {
    Endpoint::post("/one-time-token/verify", |api| Box::pin(answer(api)))
        .about("Gives the session of a token to whoever brings it first.")
        .takes([Field::secret("token")])
        .answers(Shape::object([Field::row("session", "session"), Field::row("user", "user")]))
}

async fn answer(api: &mut Api) -> Result<Reply> {
    #[derive(Serialize)]
    struct Body<'a> {
        session: SessionView<'a>,
        user: UserView<'a>,
    }
    let mut body = api.request().read_body();
    let token = body.secret("token");
    body.finish()?;
    api.check_sign_in_origin().await?;
    let signed_in = verify(api, &token).await?;
    Reply::json(&Body {
        session: api.session_view(&signed_in.session)?,
        user: api.user_view(&signed_in.user)?,
    })
}

/// Spends a token: its session becomes this client's, unless the options say that no cookie is to be set. Of two who bring it, one
/// gets it.
pub async fn verify(api: &mut Api, token: &Secret) -> Result<Arc<SignedIn>> {
    let options = options(api)?;
    // No database can be asked for a text with a NUL in it.
    if token.reveal().contains('\0') {
        return Err(refuse(api, "invalid-token", "Invalid token").await);
    }
    let Some(found) = api.verifications().take(&options.identifier(token.reveal())).await? else {
        return Err(refuse(api, "invalid-token", "Invalid token").await);
    };
    let Some(signed_in) = api.session_by_token(&found.value).await? else {
        return Err(refuse(api, "session-ended", "Session not found").await);
    };
    if !options.disable_set_session_cookie {
        api.hand_out(&signed_in, api.is_forgotten()).await;
    }
    api.set_sign_in_method("one-time-token");
    api.emit(api.sign_in_event(SecurityEventKind::SignIn, &signed_in.user.id)).await;
    Ok(signed_in)
}

/// Tells why nobody was let in. A token that comes a second time may have been somebody else's.
// spec: SEC-9
async fn refuse(api: &Api, reason: &'static str, message: &'static str) -> ApiError {
    let event = api.event(SecurityEventKind::SignInRefused, None);
    api.emit(event.with("method", "one-time-token").with("reason", reason)).await;
    ApiError::message_only(StatusCode::BAD_REQUEST, message)
}
