use std::sync::Arc;

use super::resolve::resolve;
use super::{COLUMN, LastLoginMethodOptions, options};
use crate::storage::Filter;
use crate::{Api, CookieSpec, Record, Result, SignedIn, UserFields};

/// The cookie that keeps the method while a second factor is waited for, and how long.
const PENDING: &str = "login_method";
const PENDING_LIFE: u32 = 600;
/// What a signed cookie of another purpose does not begin with.
const PENDING_MARK: &str = "login-method!";
/// The longest name of a method that is believed.
const LONGEST: usize = 64;

/// By what somebody signed in last in this browser. Anybody may have written it there: take it for a hint.
pub fn last(api: &Api) -> Option<String> {
    let options = options(api).ok()?;
    let method = api.plain_cookie(&cookie(api, &options))?;
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
    let is_name = !method.is_empty() && method.len() <= LONGEST && method.bytes().all(plain);
    is_name.then(|| method.to_owned())
}

/// Remembers by what somebody signed in. That it could not be remembered undoes no sign-in.
pub(super) async fn after_sign_in(api: &mut Api) {
    if let Err(error) = try_after_sign_in(api).await {
        tracing::error!(%error, "the method of a sign-in could not be remembered");
    }
}

/// Puts it into the row of somebody who signs up.
pub(super) async fn at_sign_up(api: &Api, asked: &mut UserFields) -> Result<()> {
    let options = options(api)?;
    if asked.user.is_none()
        && let Some(method) = resolve(api, &options).await?
    {
        asked.fields.set(COLUMN, method);
    }
    Ok(())
}

async fn try_after_sign_in(api: &mut Api) -> Result<()> {
    let (begun, challenged) = (api.new_session(), api.new_challenge().is_some());
    if begun.is_none() && !challenged {
        return Ok(());
    }
    let options = options(api)?;
    let method = resolve(api, &options).await?;
    let pending = api.cookie(PENDING);
    let Some(signed_in) = begun else {
        if let Some(method) = method {
            api.set_signed_cookie(&pending, &format!("{PENDING_MARK}{method}"), Some(PENDING_LIFE));
        }
        return Ok(());
    };
    let waiting = api.signed_cookie(&pending);
    if api.has_cookie(&pending) {
        api.clear_cookie(&pending);
    }
    let waited = || waiting.and_then(|value| value.strip_prefix(PENDING_MARK).map(str::to_owned));
    // Somebody who passed a second factor said no method in this request; everybody else did.
    let method = if api.sign_in_method().is_none() { method.or_else(waited) } else { method };
    let Some(method) = method else { return Ok(()) };
    let cookie = cookie(api, &options);
    api.set_plain_cookie(&cookie, &method, Some(options.max_age));
    if options.store_in_database { store(api, &signed_in, method).await } else { Ok(()) }
}

async fn store(api: &mut Api, signed_in: &SignedIn, method: String) -> Result<()> {
    if signed_in.user.fields.text(COLUMN) == Some(&method) {
        return Ok(());
    }
    let mut changes = api.changes();
    let fields = Record::new().with(COLUMN, method);
    changes.update("user", Filter::by("id", &signed_in.user.id), fields.clone()).await?;
    let _ = changes.commit().await?;
    let user = signed_in.user.changed(&fields)?;
    api.refresh_session(&Arc::new(SignedIn::new(Arc::clone(&signed_in.session), user))).await;
    Ok(())
}

/// The cookie of the session lends its attributes, but scripts can read this one.
fn cookie(api: &Api, options: &LastLoginMethodOptions) -> CookieSpec {
    api.session_cookie().readable_by_scripts().named(&options.cookie_name)
}
