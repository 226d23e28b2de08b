//! Requests that a foreign page made a browser send.
//!
//! A request that carries any cookie must come from a trusted origin. Signing in and up without a cookie is checked
//! too when the request looks like a browser's: being signed in as someone else is an attack as well.

use http::header::{COOKIE, ORIGIN, REFERER};
use http::{Method, StatusCode};

use crate::options::OriginCheck;
use crate::{Api, ApiError, Result, codes};

/// Checks a request that carries cookies.
pub(crate) async fn check_origin(api: &Api) -> Result<()> {
    let incoming = api.request();
    let is_safe = [Method::GET, Method::HEAD, Method::OPTIONS].contains(&incoming.method);
    if is_safe || is_off(api) || !incoming.headers.contains_key(COOKIE) {
        return Ok(());
    }
    judge(api).await
}

/// Checks signing in and up without cookies.
pub(crate) async fn check_sign_in_origin(api: &Api) -> Result<()> {
    let incoming = api.request();
    if is_off(api) || incoming.headers.contains_key(COOKIE) {
        return Ok(());
    }
    let fetch = |name: &str| incoming.header(name).filter(|value| !value.trim().is_empty());
    let is_browser =
        ["sec-fetch-site", "sec-fetch-mode", "sec-fetch-dest"].iter().any(|name| fetch(name).is_some());
    if is_browser
        && fetch("sec-fetch-site") == Some("cross-site")
        && fetch("sec-fetch-mode") == Some("navigate")
    {
        return Err(codes::CROSS_SITE_NAVIGATION_LOGIN_BLOCKED.forbidden());
    }
    let names_origin = [ORIGIN, REFERER]
        .iter()
        .any(|name| incoming.headers.get(name).is_some_and(|value| !value.is_empty()));
    if is_browser || names_origin { judge(api).await } else { Ok(()) }
}

async fn judge(api: &Api) -> Result<()> {
    let incoming = api.request();
    let named = |name: &str| incoming.header(name).filter(|value| !value.is_empty());
    let origin = match named("origin").or_else(|| named("referer")) {
        // A page whose origin is hidden, and the browser says that it is ours. Which host that is, is in the request: a
        // foreign name that was made to lead to us (DNS rebinding) is not to be trusted.
        Some("null") if named("sec-fetch-site") == Some("same-origin") => own_origin(api),
        Some("null") | None => None,
        Some(origin) => Some(origin.to_owned()),
    };
    let Some(origin) = origin else {
        return Err(missing_origin(api));
    };
    if api.origins().await.trust(&origin) { Ok(()) } else { Err(codes::INVALID_ORIGIN.forbidden()) }
}

/// Browsers say where a request comes from by themselves; whoever reads this mostly writes another program.
fn missing_origin(api: &Api) -> ApiError {
    let code = codes::MISSING_OR_NULL_ORIGIN;
    let message = format!(
        "{}. A program that is no browser has to send the app's own address with this request: `Origin: {}`. One that \
         brings a bearer token and no cookies needs none.",
        code.message,
        api.core.base.origin()
    );
    code.saying(StatusCode::FORBIDDEN, message)
}

/// The origin that the browser thinks it talks to. TLS may end before us, so that only the options know the scheme.
fn own_origin(api: &Api) -> Option<String> {
    let scheme = if api.core.base.is_https() { "https" } else { "http" };
    api.request().host().map(|host| format!("{scheme}://{host}"))
}

fn is_off(api: &Api) -> bool {
    let advanced = &api.options().advanced;
    advanced.disable_csrf_check.unwrap_or_else(|| origin_check_is_off(api))
}

/// Whether the options leave out the check of origins for this path.
pub(super) fn origin_check_is_off(api: &Api) -> bool {
    match &api.options().advanced.disable_origin_check {
        OriginCheck::Disabled(off) => *off,
        OriginCheck::DisabledFor(paths) => paths.iter().any(|path| path == api.request().path()),
    }
}
