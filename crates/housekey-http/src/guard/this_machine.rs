use std::net::IpAddr;

use housekey_core::{Error, Result, is_local_host};
use http::HeaderMap;
use http::header::{FORWARDED, HOST};

use super::Next;
use crate::{Request, Response, client_ip};

/// For what helps whoever develops an app and would harm anybody else: it is there for who sits at this machine alone. For
/// anybody else, also behind a proxy or by a name that somebody else's DNS gives this machine, it is not there.
///
/// ```
/// use housekey_http::Routes;
/// use housekey_http::guard::{from_fn, this_machine};
///
/// fn routes(route: &mut Routes) {
///     route.get("/dev/log", async || "lines").middleware(from_fn("this-machine", this_machine));
/// }
/// ```
// spec: SEC-6
pub async fn this_machine(request: Request, next: Next) -> Result<Response> {
    let is_here = client_ip().is_some_and(|address| address.to_canonical().is_loopback());
    let host = request.headers().get(HOST).and_then(|host| host.to_str().ok());
    // HTTP/2 has it in the address.
    let host = host.or_else(|| request.uri().authority().map(|authority| authority.as_str()));
    match is_here && host.is_some_and(is_local_host) && !is_from_elsewhere(request.headers()) {
        true => Ok(next.run(request).await),
        false => Err(Error::not_found()),
    }
}

/// What proxies add. Behind one that is not listed as trusted, every visitor has the address of this machine.
fn is_from_elsewhere(headers: &HeaderMap) -> bool {
    let is_loopback =
        |part: &str| part.trim().parse::<IpAddr>().is_ok_and(|address| address.to_canonical().is_loopback());
    let said = ["x-forwarded-for", "x-real-ip"].into_iter().flat_map(|name| headers.get_all(name));
    let mut said = said.flat_map(|value| value.to_str().unwrap_or_default().split(','));
    headers.contains_key(FORWARDED) || said.any(|part| !is_loopback(part))
}
