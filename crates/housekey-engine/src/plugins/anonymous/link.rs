use std::sync::Arc;

use super::{LinkedAccount, is_anonymous, is_visitor, options};
use crate::{Api, ApiError, Commit, CookieSpec, Result, SecurityEventKind, SignedIn};

/// Seconds within which one request links somebody and no other does.
const TURN: u32 = 300;

/// Links whoever was anonymous in this browser to whom they signed in as. Whatever comes of it, they are signed in.
// spec: KEY-2
pub(super) async fn after_sign_in(api: &mut Api) {
    if let Err(error) = try_after_sign_in(api).await {
        tracing::error!(%error, "an anonymous user could not be linked");
    }
}

async fn try_after_sign_in(api: &mut Api) -> Result<()> {
    let Some(user) = api.new_session() else {
        if api.new_challenge().is_some() {
            wait_for_second_factor(api).await?;
        }
        return Ok(());
    };
    if is_anonymous(&user.user) || user.session.impersonated_by().is_some() {
        return Ok(());
    }
    let cookie = pending(api);
    let was_pending = api.has_cookie(&cookie);
    let Some(anonymous) = find(api, &cookie).await? else {
        if was_pending {
            api.clear_cookie(&cookie);
        }
        return end_unlinked(api, &user).await;
    };
    if anonymous.user.id == user.user.id {
        return Ok(());
    }
    match link(api, &anonymous, &user).await {
        Ok(()) if was_pending => api.clear_cookie(&cookie),
        Ok(()) => {}
        Err(error) => {
            // The next sign-in in this browser tries it again: nothing of theirs is lost.
            let life = api.options().session.expires_in;
            api.set_signed_cookie(&cookie, &anonymous.session.token, Some(life));
            return Err(error);
        }
    }
    Ok(())
}

/// While a second factor is waited for nobody is signed in here; who was anonymous is found again by a cookie of its own.
async fn wait_for_second_factor(api: &mut Api) -> Result<()> {
    let cookie = pending(api);
    if let Some(anonymous) = find(api, &cookie).await? {
        let life = api.options().session.expires_in;
        api.set_signed_cookie(&cookie, &anonymous.session.token, Some(life));
    }
    Ok(())
}

/// Who is anonymous in this browser: in the session that the request came with, or in one that waits to be linked.
async fn find(api: &Api, pending: &CookieSpec) -> Result<Option<Arc<SignedIn>>> {
    for cookie in [&api.session_cookie(), pending] {
        let Some(token) = api.signed_cookie(cookie) else { continue };
        let found = api.session_by_token(&token).await?;
        let Some(found) = found.filter(|found| is_anonymous(&found.user)) else { continue };
        // An admin who acts as a visitor is not them, and takes nothing of theirs along.
        if found.session.impersonated_by().is_none() && is_visitor(api, &found.user).await? {
            return Ok(Some(found));
        }
    }
    Ok(None)
}

/// Somebody who is anonymous in name only has an account, and its session ends like any other that a sign-in replaces. The plugin had
/// it kept, to be linked.
async fn end_unlinked(api: &Api, user: &SignedIn) -> Result<()> {
    if !api.options().session.revoke_on_sign_in {
        return Ok(());
    }
    let Some(token) = api.signed_cookie(&api.session_cookie()) else { return Ok(()) };
    let Some(presented) = api.session_by_token(&token).await? else { return Ok(()) };
    if is_anonymous(&presented.user) && presented.user.id != user.user.id {
        api.end_session(&token, Some(&presented.user.id)).await?;
    }
    Ok(())
}

async fn link(api: &Api, anonymous: &Arc<SignedIn>, user: &Arc<SignedIn>) -> Result<()> {
    let options = options(api)?;
    let turn = format!("anonymous-link:{}", anonymous.user.id);
    if !api.verifications().mark(&turn, TURN).await? {
        return Ok(());
    }
    let linked = LinkedAccount { anonymous: Arc::clone(anonymous), user: Arc::clone(user) };
    if let Some(Err(error)) = options.on_link_account.call(linked).await {
        api.verifications().delete(&turn).await?;
        return Err(ApiError::internal("anonymous.onLinkAccount failed", error));
    }
    api.emit(api.event(SecurityEventKind::Custom("anonymous-linked"), Some(&user.user.id))).await;
    if options.disable_delete_anonymous_user {
        return api.end_sessions_of(&anonymous.user.id, None).await;
    }
    let mut changes = api.changes();
    api.prepare_removal(&mut changes, &anonymous.user).await?;
    // Somebody who deleted it meanwhile wanted the same.
    if changes.commit().await? == Commit::Done {
        api.emit(
            api.event(SecurityEventKind::AccountDeleted, Some(&anonymous.user.id)).with("reason", "linked"),
        )
        .await;
    }
    Ok(())
}

/// The cookie that finds an anonymous session again whose link is not done.
fn pending(api: &Api) -> CookieSpec {
    api.cookie("anonymous_session")
}
