use std::time::Duration;

use data_encoding::HEXLOWER;
use housekey_cache::cache;
use housekey_core::{Error, Result};
use housekey_engine::storage::{Filter, Find};
use housekey_engine::{Api, Session, User};
use housekey_http::RequestContext;
use serde::{Deserialize, Serialize};

use super::in_person::{self, JUST_SIGNED_IN};
use crate::{Auth, Feature, OrHttpError};

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
pub(crate) async fn is_open(auth: &Auth, api: &Api, user: &User, session: &Session) -> Result<bool> {
    let context = present()?;
    for place in Place::of(auth, &context) {
        let Some(window) = place.read(&context, session).await? else { continue };
        let age = context.clock().unix().saturating_sub(window.at);
        let is_ours = window.session == session.id && age < auth.config().confirm_window;
        if is_ours && window.password == fingerprint(api, user).await? {
            return Ok(true);
        }
    }
    has_just_signed_in(auth, &context, api, user, session).await
}

/// Somebody who signs in with other providers, or with links and codes in mails, has no password to enter: their sign-in is what
/// they can show, and the next one when it is too long ago.
async fn has_just_signed_in(
    auth: &Auth,
    context: &RequestContext,
    api: &Api,
    user: &User,
    session: &Session,
) -> Result<bool> {
    // An admin who acts as somebody has a young session too, and has shown nothing of theirs.
    let is_their_own = session.impersonated_by().is_none();
    if !is_their_own || context.clock().now() >= session.created_at + JUST_SIGNED_IN {
        return Ok(false);
    }
    let table = api.table("account").or_http_error()?;
    let accounts = api.storage().find(table, &Find::new(Filter::by("userId", &user.id))).await?;
    // One from the time before passwords were turned off can be entered nowhere.
    let has_password = auth.offers(Feature::Password)
        && accounts.iter().any(|account| account.text("providerId") == Some("credential"));
    // Who has only ever opened links in mails has no row there.
    let has_a_way = !accounts.is_empty() || signs_in_by_mail(auth);
    Ok(has_a_way && !has_password && in_person::was_there(api, session).await?)
}

fn signs_in_by_mail(auth: &Auth) -> bool {
    auth.offers(Feature::MagicLink) || auth.offers(Feature::EmailCode)
}

pub(super) async fn open(auth: &Auth, api: &Api, user: &User, session: &Session, by: &str) -> Result<()> {
    let context = present()?;
    let window = Window {
        at: context.clock().unix(),
        session: session.id.clone(),
        password: fingerprint(api, user).await?,
        by: by.to_owned(),
    };
    match auth.reads_cookies(&context) {
        true => context.session().put(KEY, window),
        false => {
            let seconds = Duration::from_secs(auth.config().confirm_window.max(1));
            cache()?.put(&cache_key(session), &window, Some(seconds)).await
        }
    }
}

pub(super) async fn close(auth: &Auth, session: &Session) -> Result<()> {
    let context = present()?;
    for place in Place::of(auth, &context) {
        match place {
            Place::Session => context.session().forget(KEY),
            Place::Cache => drop(cache()?.forget(&cache_key(session)).await?),
        }
    }
    Ok(())
}

/// Where it is kept: the framework's session holds it. A client without cookies has none, so there the cache does.
enum Place {
    Session,
    Cache,
}

impl Place {
    /// A program that confirmed at a route without cookies may come back to one that takes both.
    fn of(auth: &Auth, context: &RequestContext) -> impl Iterator<Item = Self> {
        let cookies = auth.reads_cookies(context);
        let session = cookies.then_some(Self::Session);
        session.into_iter().chain((!cookies || auth.takes_bearer()).then_some(Self::Cache))
    }

    async fn read(&self, context: &RequestContext, session: &Session) -> Result<Option<Window>> {
        match self {
            Self::Session => context.session().get(KEY).await,
            Self::Cache => cache()?.get(&cache_key(session)).await,
        }
    }
}

fn cache_key(session: &Session) -> String {
    format!("{KEY}:{}", session.id)
}

/// Tells one password from the next without telling anything about it. Who has none has the same one all the time, until
/// they set one.
async fn fingerprint(api: &Api, user: &User) -> Result<String> {
    let account = Filter::by("userId", &user.id).and_by("providerId", "credential");
    let table = api.table("account").or_http_error()?;
    let account = api.storage().find_one(table, &account).await?;
    let hash = account.as_ref().and_then(|account| account.text("password")).unwrap_or_default();
    Ok(HEXLOWER.encode(&api.mac(&format!("{KEY}\0{}\0{hash}", user.id))[..16]))
}

fn present() -> Result<std::sync::Arc<RequestContext>> {
    RequestContext::current().ok_or_else(|| Error::internal("a password is confirmed within a request"))
}
