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
    let refused = |message| ApiError::message_only(StatusCode::BAD_REQUEST, message);
    // No database can be asked for a text with a NUL in it.
    if token.reveal().contains('\0') {
        return Err(refused("Invalid token"));
    }
    let found = api.verifications().take(&options.identifier(token.reveal())).await?;
    let session_token = found.ok_or_else(|| refused("Invalid token"))?.value;
    let signed_in = api.session_by_token(&session_token).await?;
    let signed_in = signed_in.ok_or_else(|| refused("Session not found"))?;
    if !options.disable_set_session_cookie {
        api.hand_out(&signed_in, api.is_forgotten()).await;
    }
    api.set_sign_in_method("one-time-token");
    api.emit(api.sign_in_event(SecurityEventKind::SignIn, &signed_in.user.id)).await;
    Ok(signed_in)
}
