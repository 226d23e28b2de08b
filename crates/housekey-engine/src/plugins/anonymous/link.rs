use std::sync::Arc;

use super::{LinkedAccount, is_anonymous, options};
use crate::storage::Filter;
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
        return Ok(());
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
        if let Some(found) = found.filter(|found| is_anonymous(&found.user)) {
            return Ok(Some(found));
        }
    }
    Ok(None)
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
    if options.disable_delete_anonymous_user || has_another_way_in(api, anonymous).await? {
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

/// Whether somebody who came anonymously could come back in another way: then it is an account, and not ours to delete.
async fn has_another_way_in(api: &Api, anonymous: &SignedIn) -> Result<bool> {
    if anonymous.user.email_verified {
        return Ok(true);
    }
    for table in ["account", "passkey"] {
        let Some(table) = api.schema().table(table) else { continue };
        let theirs = Filter::by("userId", &anonymous.user.id);
        if api.storage().find_one(table, &theirs).await?.is_some() {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The cookie that finds an anonymous session again whose link is not done.
fn pending(api: &Api) -> CookieSpec {
    api.cookie("anonymous_session")
}
