use http::{HeaderMap, HeaderName, HeaderValue};

use crate::fast_random;

/// The header a request id travels in.
pub(crate) const X_REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// The name of a request in logs and error answers, in the form in which the answer carries it.
#[derive(Clone, Debug)]
pub(crate) struct RequestId(HeaderValue);

impl RequestId {
    /// The id a trusted proxy gave the request, if it is well formed; else a new one. From anybody else it would be
    /// a way to write into our logs.
    pub(crate) fn of(headers: &HeaderMap, is_proxied: bool) -> Self {
        let given = if is_proxied { headers.get(X_REQUEST_ID) } else { None };
        let given = given.filter(|value| value.to_str().is_ok_and(is_well_formed));
        Self(given.cloned().unwrap_or_else(Self::generate))
    }

    fn generate() -> HeaderValue {
        HeaderValue::try_from(fast_random::request_id()).unwrap_or(HeaderValue::from_static("unknown"))
    }

    pub(crate) fn as_str(&self) -> &str {
        self.0.to_str().unwrap_or_default()
    }

    pub(crate) fn to_header(&self) -> HeaderValue {
        self.0.clone()
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
        let named = || RequestId::of(&HeaderMap::new(), false).as_str().to_owned();
        let names: HashSet<String> = (0..10_000).map(|_| named()).collect();
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
