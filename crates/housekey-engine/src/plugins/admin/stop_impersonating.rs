use std::sync::Arc;

use http::StatusCode;

use super::impersonate::{ADMIN_SESSION, reply};
use super::permission::caller;
use crate::storage::Filter;
use crate::{
    Api, ApiError, Endpoint, Field, Reply, Result, SecurityEventKind, Session, Shape, SignedIn, User,
};

/// `POST /admin/stop-impersonating`
pub(super) fn endpoint() -> Endpoint {
    Endpoint::post("/admin/stop-impersonating", |api| Box::pin(answer(api)))
        .about("Goes back to one's own session.")
        .answers(Shape::object([Field::row("session", "session"), Field::row("user", "user")]))
        .needs_session()
}

async fn answer(api: &mut Api) -> Result<Reply> {
    let admin = stop_impersonating(api).await?;
    reply(api, &admin)
}

/// Ends the session in which an admin acts as somebody else, and goes back to their own.
pub async fn stop_impersonating(api: &mut Api) -> Result<Arc<SignedIn>> {
    let signed_in = caller(api).await?;
    let Some(admin_id) = signed_in.session.impersonated_by().map(str::to_owned) else {
        return Err(ApiError::message_only(StatusCode::BAD_REQUEST, "You are not impersonating anyone"));
    };
    let Some((admin, forgotten)) = admin_session(api, &admin_id).await? else {
        return Err(ApiError::message_only(
            StatusCode::INTERNAL_SERVER_ERROR,
            "Failed to find admin session",
        ));
    };
    api.end_session(&signed_in.session.token, None).await?;
    let event = api.event(SecurityEventKind::Custom("impersonation-stopped"), Some(&signed_in.user.id));
    api.emit(event.with("by", &admin_id)).await;
    let admin = Arc::new(admin);
    api.hand_out(&admin, forgotten).await;
    api.clear_cookie(&api.cookie(ADMIN_SESSION));
    Ok(admin)
}

/// The session to go back to, if it lives and is of the admin who came here; and whether it ends with the browser.
async fn admin_session(api: &Api, admin_id: &str) -> Result<Option<(SignedIn, bool)>> {
    let Some((token, forgotten)) = way_back(api) else { return Ok(None) };
    let (sessions, users) = (api.table("session")?, api.table("user")?);
    let filter = Filter::by("token", token);
    let found = api.storage().find_with_parent(sessions, &filter, "userId", users).await?;
    let Some((session, user)) = found else { return Ok(None) };
    let (session, user) = (Session::from_record(session)?, User::from_record(user)?);
    let lives = session.expires_at > api.clock().now() && session.impersonated_by().is_none();
    if !lives || user.id != admin_id || api.admit(&user).await.is_err() {
        return Ok(None);
    }
    Ok(Some((SignedIn::new(session, user), forgotten)))
}

/// The admin's token from the cookie, if it is ours.
fn way_back(api: &Api) -> Option<(String, bool)> {
    let kept = api.signed_cookie(&api.cookie(ADMIN_SESSION))?;
    let (token, remembered) = kept.split_once(':')?;
    Some((token.to_owned(), !remembered.is_empty()))
}

/// Ends the admin's own session that waits behind this one. For whoever signs out while acting as somebody else: they want to
/// be gone. `/sign-out` does this; server code that signs out itself calls it first.
pub async fn forget_admin_session(api: &mut Api) -> Result<()> {
    let cookie = api.cookie(ADMIN_SESSION);
    if !api.has_cookie(&cookie) {
        return Ok(());
    }
    if let Some((token, _)) = way_back(api) {
        api.end_session(&token, None).await?;
    }
    api.clear_cookie(&cookie);
    Ok(())
}

pub(super) async fn before_sign_out(api: &mut Api) -> Result<()> {
    if api.request().path() == "/sign-out" {
        forget_admin_session(api).await?;
    }
    Ok(())
}
