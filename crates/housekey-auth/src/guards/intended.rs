use housekey_core::Result;
use housekey_http::response::{Redirect, redirect};
use housekey_http::{RequestContext, session};
use http::Method;

const KEY: &str = "auth.intended";
/// Longer addresses are not worth a place in the session.
const LONGEST: usize = 2048;

/// Remembers where a guest wanted to go. Only pages: an action is not repeated by a sign-in.
pub(super) fn remember() {
    let Some(context) = RequestContext::current() else { return };
    let page = context.uri().path_and_query().map_or("/", |page| page.as_str());
    // `//host` is another host to a browser.
    let is_here = page.starts_with('/') && !page[1..].starts_with(['/', '\\']);
    if context.method() == Method::GET && is_here && page.len() <= LONGEST {
        let _ = context.session().put(KEY, page);
    }
}

/// Sends the browser where it wanted to go before it was asked to sign in, or else to `otherwise`.
///
/// ```
/// use housekey_auth::guards::intended;
/// use housekey_http::response::Redirect;
///
/// async fn signed_in() -> housekey_core::Result<Redirect> {
///     intended("/dashboard").await
/// }
/// ```
pub async fn intended(otherwise: &str) -> Result<Redirect> {
    let page: Option<String> = session().pull(KEY).await?;
    Ok(redirect(page.as_deref().unwrap_or(otherwise)))
}
