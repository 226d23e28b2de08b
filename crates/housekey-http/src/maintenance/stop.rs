use std::time::Duration;

use axum::response::IntoResponse;
use cookie::Cookie;
use housekey_core::{Error, Result};
use http::header::CACHE_CONTROL;
use http::{HeaderValue, Uri};

use super::store::Notice;
use super::{CODE, Maintenance};
use crate::response::redirect;
use crate::{RequestContext, Response};

/// The parameter that a secret comes in, and the cookie that it is exchanged for.
const NAME: &str = "maintenance";

impl Maintenance {
    /// What a request is answered with while the app is down; `None`: nothing, it goes on to its route.
    pub(crate) async fn stop(&self, context: &RequestContext) -> Result<Option<Response>> {
        let Some(notice) = self.notice().await else { return Ok(None) };
        let path = context.uri().path();
        if self.except.iter().chain(&notice.except).any(|pattern| covers(pattern, path)) {
            return Ok(None);
        }
        if let Some(word) = parameter(context.uri())
            && self.is_secret(&notice, &word)
        {
            return Ok(Some(let_in(context, &notice)));
        }
        if context.cookies().signed().get(NAME).is_some_and(|id| !id.is_empty() && id == notice.id) {
            return Ok(None);
        }
        Err(unavailable(&notice))
    }
}

fn unavailable(notice: &Notice) -> Error {
    let message = notice.message.clone();
    let message = message.unwrap_or_else(|| "We are working on the house and will be back shortly.".into());
    Error::unavailable(Duration::from_secs(notice.retry_after.max(1)))
        .with_message(message)
        .with_code(CODE)
        .with_header(CACHE_CONTROL, HeaderValue::from_static("no-store"))
}

/// Exchanges the secret for a cookie, and takes it out of the address bar.
fn let_in(context: &RequestContext, notice: &Notice) -> Response {
    context.cookies().signed().add(Cookie::new(NAME, notice.id.clone()));
    // More than one slash in front would be somebody else's host.
    let mut to = format!("/{}", context.uri().path().trim_start_matches(['/', '\\']));
    let rest = form_urlencoded::parse(context.uri().query().unwrap_or_default().as_bytes());
    let rest = form_urlencoded::Serializer::new(String::new())
        .extend_pairs(rest.filter(|(name, _)| name != NAME))
        .finish();
    if !rest.is_empty() {
        to = format!("{to}?{rest}");
    }
    let mut response = redirect(&to).into_response();
    response.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

fn parameter(uri: &Uri) -> Option<String> {
    let mut pairs = form_urlencoded::parse(uri.query()?.as_bytes());
    pairs.find(|(name, _)| name == NAME).map(|(_, value)| value.into_owned())
}

fn covers(pattern: &str, path: &str) -> bool {
    match pattern.strip_suffix('*') {
        Some(beginning) => path.starts_with(beginning) || path == beginning.trim_end_matches('/'),
        None => path.trim_end_matches('/') == pattern.trim_end_matches('/'),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_exception_is_one_address_or_all_below_it() {
        assert!(
            covers("/up", "/up")
                && covers("/up", "/up/")
                && !covers("/up", "/upload")
                && !covers("/up", "/up/x")
        );
        assert!(
            covers("/hooks/*", "/hooks/a/b")
                && covers("/hooks/*", "/hooks")
                && !covers("/hooks/*", "/hooksx")
        );
        assert!(covers("/", "/") && !covers("/", "/a"));
    }
}
