use std::fmt::Write as _;
use std::time::Duration;

use housekey_cache::cache;
use housekey_core::{Error, Result};
use housekey_engine::storage::Filter;
use housekey_engine::{Session, User};
use housekey_http::RequestContext;
use serde::{Deserialize, Serialize};

use crate::{Auth, Refuse, api};

const KEY: &str = "auth.confirmed";

/// The proof that somebody knew the password a while ago.
#[derive(Serialize, Deserialize)]
struct Window {
    /// When, in seconds since 1970.
    at: u64,
    /// The session that was confirmed: a new sign-in begins with a closed window.
    session: String,
    /// What the password was then: a changed one closes every window, in every session.
    password: String,
    /// How: `password`, or what the app named.
    by: String,
}

/// Whether the password was confirmed in this session, recently, and is still the same.
pub(super) async fn is_open(auth: &Auth, user: &User, session: &Session) -> Result<bool> {
    let context = present()?;
    let Some(window) = read(auth, &context, session).await? else { return Ok(false) };
    let age = context.clock().unix().saturating_sub(window.at);
    if window.session != session.id || age >= auth.config().confirm_window {
        return Ok(false);
    }
    Ok(window.password == fingerprint(user).await?)
}

pub(super) async fn open(auth: &Auth, user: &User, session: &Session, by: &str) -> Result<()> {
    let context = present()?;
    let window = Window {
        at: context.clock().unix(),
        session: session.id.clone(),
        password: fingerprint(user).await?,
        by: by.to_owned(),
    };
    match auth.reads_cookies(&context) {
        true => context.session().put(KEY, window),
        false => {
            let seconds = Duration::from_secs(auth.config().confirm_window.max(1));
            cache()?.put(&place(session), &window, Some(seconds)).await
        }
    }
}

pub(super) async fn close(auth: &Auth, session: &Session) -> Result<()> {
    let context = present()?;
    match auth.reads_cookies(&context) {
        true => context.session().forget(KEY),
        false => drop(cache()?.forget(&place(session)).await?),
    }
    Ok(())
}

/// The framework's session holds it. A client without cookies has none, so there the cache does.
async fn read(auth: &Auth, context: &RequestContext, session: &Session) -> Result<Option<Window>> {
    match auth.reads_cookies(context) {
        true => context.session().get(KEY).await,
        false => cache()?.get(&place(session)).await,
    }
}

fn place(session: &Session) -> String {
    format!("{KEY}:{}", session.id)
}

/// Tells one password from the next without telling anything about it. Who has none has the same one all the time, until
/// they set one.
async fn fingerprint(user: &User) -> Result<String> {
    let api = api()?;
    let account = Filter::by("userId", &user.id).and_by("providerId", "credential");
    let table = api.table("account").refuse()?;
    let account = api.storage().find_one(table, &account).await?;
    let hash = account.as_ref().and_then(|account| account.text("password")).unwrap_or_default();
    let mut text = String::new();
    for byte in &api.mac(&format!("{KEY}\0{}\0{hash}", user.id))[..16] {
        let _ = write!(text, "{byte:02x}");
    }
    Ok(text)
}

fn present() -> Result<std::sync::Arc<RequestContext>> {
    RequestContext::current().ok_or_else(|| Error::internal("a password is confirmed within a request"))
}
