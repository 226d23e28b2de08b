use http::StatusCode;

use super::{codes, cookies, set_active, status};
use crate::{Api, Endpoint, Field, Reply, Result, SecurityEventKind, Shape};

/// `POST /multi-session/revoke`
pub(super) fn endpoint() -> Endpoint {
    Endpoint::post("/multi-session/revoke", |api| Box::pin(answer(api)))
        .about("Signs one account of this browser out. If it was the active one, another becomes it.")
        .takes([Field::text("sessionToken")])
        .answers(Shape::status())
        .needs_session()
        .refuses(StatusCode::UNAUTHORIZED, [codes::INVALID_SESSION_TOKEN])
}

async fn answer(api: &mut Api) -> Result<Reply> {
    let mut body = api.request().read_body();
    let token = body.text("sessionToken");
    body.finish()?;
    revoke(api, &token).await?;
    status()
}

/// Signs one account of this browser out. If it was the active one, the oldest of the others becomes it, or nobody is signed in.
pub async fn revoke(api: &mut Api, token: &str) -> Result<()> {
    let active = api.require_stored_session().await?;
    let held = cookies::held_with(api, token);
    let held = held.ok_or_else(|| codes::INVALID_SESSION_TOKEN.unauthorized())?;
    let account = api.session_by_token(&held.token).await?;
    cookies::clear(api, &held.cookie);
    if let Some(account) = account
        && api.end_session(&held.token, Some(&account.user.id)).await?
    {
        api.emit(api.event(SecurityEventKind::SessionRevoked, Some(&account.user.id))).await;
    }
    if active.session.token == held.token { next(api).await } else { Ok(()) }
}

/// Makes the oldest account that is left the active one.
pub(super) async fn next(api: &mut Api) -> Result<()> {
    let (living, _) = cookies::living(api).await?;
    match living.first() {
        Some((_, account)) => set_active(api, &account.session.token).await.map(drop),
        None => {
            api.clear_session_cookies();
            Ok(())
        }
    }
}
