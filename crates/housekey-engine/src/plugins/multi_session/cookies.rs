//! The cookie of each session: `<session cookie>_multi-<token in lower case>`, with the token, signed.

use std::sync::Arc;

use time::Duration;

use crate::{Api, Result, Session, SignedIn};

/// Seconds that a session lives at most when it ends with the browser.
const ONE_DAY: u32 = 86_400;

/// A session whose cookie this browser holds.
pub(super) struct Held {
    /// The cookie's name.
    pub(super) cookie: String,
    pub(super) token: String,
}

/// The sessions whose cookies the request carried, however they are. A cookie of ours under the name of another session is none:
/// somebody put it there.
pub(super) fn held(api: &Api) -> Vec<Held> {
    let prefix = prefix(api);
    let carried = api.signed_cookies(&prefix).into_iter();
    carried
        .filter(|(name, token)| name.strip_prefix(&prefix) == Some(token.to_lowercase().as_str()))
        .map(|(cookie, token)| Held { cookie, token })
        .collect()
}

/// The one among them with this token.
pub(super) fn held_with(api: &Api, token: &str) -> Option<Held> {
    held(api).into_iter().find(|held| held.token == token)
}

/// Those that live, the oldest first, with the names of their cookies; and the names of the others.
pub(super) async fn living(api: &Api) -> Result<(Vec<(String, Arc<SignedIn>)>, Vec<String>)> {
    let (mut living, mut over) = (Vec::new(), Vec::new());
    for Held { cookie, token } in held(api) {
        match api.session_by_token(&token).await? {
            Some(signed_in) => living.push((cookie, signed_in)),
            None => over.push(cookie),
        }
    }
    living.sort_by_key(|(_, signed_in)| signed_in.session.created_at);
    Ok((living, over))
}

/// Sets the cookie of a session, with the life of the session's own.
pub(super) fn set(api: &mut Api, session: &Session) {
    let like = api.session_cookie();
    let name = format!("{}{}", prefix(api), session.token.to_lowercase());
    let max_age = (!ends_with_browser(api, session)).then_some(api.options().session.expires_in);
    api.set_signed_cookie_as(&like, &name, &session.token, max_age);
}

pub(super) fn clear(api: &mut Api, name: &str) {
    let like = api.session_cookie();
    api.clear_cookie_as(&like, name);
}

/// Whether a session was begun to end with the browser: its row tells by its length, which no other session has.
pub(super) fn ends_with_browser(api: &Api, session: &Session) -> bool {
    let day = Duration::seconds(i64::from(ONE_DAY));
    api.options().session.expires_in > ONE_DAY && session.expires_at - session.created_at <= day
}

fn prefix(api: &Api) -> String {
    format!("{}_multi-", api.session_cookie().name())
}
