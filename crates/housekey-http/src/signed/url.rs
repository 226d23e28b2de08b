use std::time::Duration;

use housekey_core::{Clock, Encrypter, Error, Result, service};

use super::UrlParameters;
use super::signature::{EXPIRES, SIGNATURE, sign};
use crate::routing::UrlGenerator;

/// The whole address of a named route, signed: for mails and for other sites. `expires_in` says how long it is good for;
/// `None` is for ever, or rather until `APP_KEY` is forgotten.
///
/// ```
/// use std::time::Duration;
///
/// use housekey_core::Result;
/// use housekey_http::signed_url;
///
/// fn links(order: i64, member: &str) -> Result<(String, String)> {
///     let download = signed_url("invoices.show", [("order", order)], Duration::from_secs(3600))?;
///     let unsubscribe = signed_url("unsubscribe", [("member", member), ("list", "news")], None)?;
///     Ok((download, unsubscribe))
/// }
/// ```
///
/// As in [`route_url`](crate::route_url), parameters fill the path, and what is left over becomes the query. It works
/// wherever the application's services are: in a request, a job, a command.
pub fn signed_url(
    name: &str,
    parameters: impl UrlParameters,
    expires_in: impl Into<Option<Duration>>,
) -> Result<String> {
    let path = signed_path(name, parameters, expires_in)?;
    Ok(format!("{}{path}", generator(name)?.base()))
}

/// The same as [`signed_url`] without the host: for a redirect, or a form of one's own page.
pub fn signed_path(
    name: &str,
    parameters: impl UrlParameters,
    expires_in: impl Into<Option<Duration>>,
) -> Result<String> {
    let mut pairs = parameters.into_pairs();
    if let Some((own, _)) = pairs.iter().find(|(key, _)| key == SIGNATURE || key == EXPIRES) {
        return Err(Error::internal(format!(
            "a signed address of the route {name:?} cannot have a parameter {own:?}: that one is ours; name it otherwise"
        )));
    }
    if let Some(expires_in) = expires_in.into() {
        let now = service::<Clock>().ok_or_else(|| outside(name))?.unix();
        // A piece of a second is a whole one: nobody gets less than was promised.
        let seconds = expires_in.as_secs().saturating_add(u64::from(expires_in.subsec_nanos() > 0));
        pairs.push((EXPIRES.into(), now.saturating_add(seconds).to_string()));
    }
    let pairs: Vec<_> = pairs.iter().map(|(key, value)| (key.as_str(), value.as_str())).collect();
    let address = generator(name)?.route(name, &pairs)?;
    let (path, query) = match address.split_once('?') {
        Some((path, query)) => (path, Some(query)),
        None => (address.as_str(), None),
    };
    let encrypter = service::<Encrypter>().ok_or_else(|| outside(name))?;
    let joint = if query.is_some() { '&' } else { '?' };
    Ok(format!("{address}{joint}{SIGNATURE}={}", sign(&encrypter, path, query)))
}

fn generator(name: &str) -> Result<std::sync::Arc<UrlGenerator>> {
    service::<UrlGenerator>().ok_or_else(|| outside(name))
}

fn outside(name: &str) -> Error {
    Error::internal(format!("signed_url({name:?}) was called outside of an application's scope"))
}
