use std::sync::Arc;

use http::StatusCode;

use super::{AccountView, codes, cookies};
use crate::{Api, Endpoint, Field, Reply, Result, Shape, SignedIn};

/// `POST /multi-session/set-active`
pub(super) fn endpoint() -> Endpoint {
    Endpoint::post("/multi-session/set-active", |api| Box::pin(answer(api)))
        .about("Makes another account of this browser the active one.")
        .takes([Field::text("sessionToken")])
        .answers(Shape::object([Field::row("session", "session"), Field::row("user", "user")]))
        .refuses(StatusCode::UNAUTHORIZED, [codes::INVALID_SESSION_TOKEN])
}

async fn answer(api: &mut Api) -> Result<Reply> {
    let mut body = api.request().read_body();
    let token = body.text("sessionToken");
    body.finish()?;
    let account = set_active(api, &token).await?;
    Reply::json(&AccountView::of(api, &account)?)
}

/// Makes another account of this browser the active one. The browser must hold the cookie of that session, and the session must be
/// alive; its copy in a cookie takes the place of the one that was there.
pub async fn set_active(api: &mut Api, token: &str) -> Result<Arc<SignedIn>> {
    let invalid = || codes::INVALID_SESSION_TOKEN.unauthorized();
    let held = cookies::held_with(api, token).ok_or_else(invalid)?;
    let Some(account) = api.session_by_token(&held.token).await? else {
        cookies::clear(api, &held.cookie);
        return Err(invalid());
    };
    let forgotten = cookies::ends_with_browser(api, &account.session);
    api.hand_out(&account, forgotten).await;
    Ok(account)
}
