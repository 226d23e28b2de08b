use std::sync::Arc;

use housekey_core::random;
use http::{HeaderMap, HeaderName, HeaderValue};

/// The header a request id travels in.
pub(crate) const X_REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// The name of a request in logs and error answers.
#[derive(Clone, Debug)]
pub(crate) struct RequestId(Arc<str>);

impl RequestId {
    /// The id a trusted proxy gave the request, if it is well formed; else a new one. From anybody else it would be
    /// a way to write into our logs.
    pub(crate) fn of(headers: &HeaderMap, is_proxied: bool) -> Self {
        let given = if is_proxied { headers.get(X_REQUEST_ID) } else { None };
        let given = given.and_then(|value| value.to_str().ok()).filter(|text| is_well_formed(text));
        Self(given.map_or_else(|| random::short_id().into(), Arc::from))
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }

    pub(crate) fn to_header(&self) -> HeaderValue {
        HeaderValue::from_str(&self.0).unwrap_or(HeaderValue::from_static("unknown"))
    }
}

fn is_well_formed(text: &str) -> bool {
    (8..=64).contains(&text.len())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte))
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn no_two_requests_share_a_name() {
        let names: HashSet<Arc<str>> =
            (0..10_000).map(|_| RequestId::of(&HeaderMap::new(), false).0).collect();
        assert_eq!(names.len(), 10_000);
        assert!(names.iter().all(|name| is_well_formed(name)));
    }

    #[test]
    fn a_name_is_taken_from_a_trusted_proxy_only_and_only_if_it_is_harmless() {
        let with = |value: &str, is_proxied| {
            let mut headers = HeaderMap::new();
            headers.insert(X_REQUEST_ID, HeaderValue::from_str(value).unwrap());
            RequestId::of(&headers, is_proxied).as_str().to_owned()
        };
        assert_eq!(with("proxy-0001", true), "proxy-0001");
        assert_ne!(with("proxy-0001", false), "proxy-0001");
        for bad in ["short", "with space", "\"quoted\"line", &"x".repeat(65)] {
            assert_ne!(with(bad, true), bad);
        }
    }
}
