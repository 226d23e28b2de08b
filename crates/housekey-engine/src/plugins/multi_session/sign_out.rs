use super::cookies;
use super::revoke::next;
use crate::{Api, Result, SecurityEventKind};

/// Signs the active account of this browser out and makes another one active, if there is one. [`Api::sign_out`] signs all of them
/// out.
pub async fn sign_out(api: &mut Api) -> Result<()> {
    let Some(active) = api.stored_session().await? else {
        api.clear_session_cookies();
        return Ok(());
    };
    let token = active.session.token.as_str();
    if let Some(held) = cookies::held_with(api, token) {
        cookies::clear(api, &held.cookie);
    }
    let event = api.event(SecurityEventKind::SignOut, Some(&active.user.id));
    if api.end_session(token, Some(&active.user.id)).await? {
        api.emit(event).await;
    }
    next(api).await
}

/// What signing out ends beside the active session: every other one of this browser.
pub(super) async fn end_all(api: &mut Api) -> Result<()> {
    let active = api.signed_cookie(&api.session_cookie());
    for held in cookies::held(api) {
        cookies::clear(api, &held.cookie);
        // The engine ends that one.
        if Some(&held.token) == active.as_ref() {
            continue;
        }
        let Some(account) = api.session_by_token(&held.token).await? else { continue };
        let event = api.event(SecurityEventKind::SignOut, Some(&account.user.id));
        let event = event.in_session(&account.session.id);
        if api.end_session(&held.token, None).await? {
            api.emit(event).await;
        }
    }
    Ok(())
}
