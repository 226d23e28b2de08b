use std::net::IpAddr;

use http::{HeaderMap, HeaderName, HeaderValue};

/// The header in which the engine is told who calls. It is ours alone: what a client sends under this name is thrown
/// away before anything reads it.
pub(crate) const CLIENT_ADDRESS: HeaderName = HeaderName::from_static("x-app-client-ip");

/// Replaces whatever the client said by the address that the framework worked out.
// spec: IP-2
pub(crate) fn tell(headers: &mut HeaderMap, address: Option<IpAddr>) {
    headers.remove(CLIENT_ADDRESS);
    if let Some(value) = address.and_then(|address| HeaderValue::try_from(address.to_string()).ok()) {
        headers.insert(CLIENT_ADDRESS, value);
    }
}
