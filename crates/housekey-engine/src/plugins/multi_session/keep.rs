use super::{cookies, options};
use crate::{Api, Result, SecurityEventKind, SignedIn};

/// Gives the session that an answer hands out a cookie of its own, if there is room for it.
pub(super) async fn after_request(api: &mut Api) -> Result<()> {
    if api.session_token_to_set().is_none() {
        return Ok(());
    }
    let Some(active) = api.known_session().flatten() else { return Ok(()) };
    // An admin who acts as somebody has not signed in as them.
    if active.session.impersonated_by().is_some() {
        return Ok(());
    }
    let most = options(api)?.maximum_sessions;
    if cookies::held_with(api, &active.session.token).is_some() {
        cookies::set(api, &active.session);
        let presented = api.signed_cookie(&api.session_cookie());
        if presented.is_some_and(|token| token != active.session.token) {
            let has_room = cookies::living(api).await?.0.len() < most;
            keep_presented(api, &active, has_room).await?;
        }
        return Ok(());
    }
    let (living, over) = cookies::living(api).await?;
    let mut kept = 0;
    for cookie in over {
        cookies::clear(api, &cookie);
    }
    for (cookie, account) in living {
        if account.user.id == active.user.id {
            replace(api, &cookie, &account).await?;
        } else {
            kept += 1;
        }
    }
    if kept < most {
        cookies::set(api, &active.session);
        kept += 1;
    }
    keep_presented(api, &active, kept < most).await
}

/// Of one person there is one session: the older one ends.
async fn replace(api: &mut Api, cookie: &str, older: &SignedIn) -> Result<()> {
    cookies::clear(api, cookie);
    if api.end_session(&older.session.token, Some(&older.user.id)).await? {
        api.emit(api.event(SecurityEventKind::SessionRevoked, Some(&older.user.id))).await;
    }
    Ok(())
}

/// A session that this browser came with and that has no cookie of its own was begun before there were several, or was one too
/// many. It gets one if there is room; else it ends, because nothing would lead back to it and signing out would leave it alive.
async fn keep_presented(api: &mut Api, active: &SignedIn, has_room: bool) -> Result<()> {
    let Some(token) = api.signed_cookie(&api.session_cookie()) else { return Ok(()) };
    if token == active.session.token || cookies::held_with(api, &token).is_some() {
        return Ok(());
    }
    let Some(presented) = api.session_by_token(&token).await? else { return Ok(()) };
    if presented.user.id == active.user.id || presented.session.impersonated_by().is_some() {
        return Ok(());
    }
    if has_room {
        cookies::set(api, &presented.session);
    } else if api.end_session(&token, Some(&presented.user.id)).await? {
        api.emit(api.event(SecurityEventKind::SessionRevoked, Some(&presented.user.id))).await;
    }
    Ok(())
}
