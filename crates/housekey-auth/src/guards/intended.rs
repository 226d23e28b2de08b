use housekey_core::Result;
use housekey_http::RequestContext;
use housekey_http::cookies::Cookie;
use housekey_http::response::{Redirect, redirect};
use http::Method;

/// Not in the session: that would let anybody without one fill its store, a record for every request.
const COOKIE: &str = "intended";
const SECONDS: u32 = 30 * 60;
/// Longer addresses are not worth a place in a cookie.
const LONGEST: usize = 2048;

/// Remembers where a guest wanted to go. Only pages: an action is not repeated by a sign-in.
pub(super) fn remember() {
    let Some(context) = RequestContext::current() else { return };
    let page = context.uri().path_and_query().map_or("/", |page| page.as_str());
    if is_page(&context) && is_here(page) && page.len() <= LONGEST {
        let until = context.clock().unix() + u64::from(SECONDS);
        let cookie = Cookie::build((COOKIE, format!("{until} {page}")));
        let cookie = cookie.max_age(time::Duration::seconds(SECONDS.into()));
        context.cookies().encrypted().add(cookie.build());
    }
}

/// A browser asks for icons and pictures by itself, too; nobody wants to end up at one.
fn is_page(context: &RequestContext) -> bool {
    let kind = context.headers().get("sec-fetch-dest");
    context.method() == Method::GET && kind.is_none_or(|kind| kind == "document")
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
    let page = RequestContext::current().and_then(|context| take(&context));
    Ok(redirect(page.as_deref().unwrap_or(otherwise)))
}

fn take(context: &RequestContext) -> Option<String> {
    let cookies = context.cookies();
    cookies.get(COOKIE)?;
    cookies.remove(COOKIE);
    let value = cookies.encrypted().get(COOKIE)?;
    let (until, page) = value.split_once(' ')?;
    let is_fresh = until.parse::<u64>().is_ok_and(|until| context.clock().unix() < until);
    (is_fresh && is_here(page)).then(|| page.to_owned())
}

/// `//host` is another host to a browser.
fn is_here(page: &str) -> bool {
    page.starts_with('/') && !page[1..].starts_with(['/', '\\'])
}
