use http::HeaderMap;
use http::header::{AUTHORIZATION, COOKIE, HeaderName, PROXY_AUTHORIZATION};

/// Headers that say who somebody is: whoever has them is that person.
const SECRET: [HeaderName; 4] =
    [AUTHORIZATION, COOKIE, PROXY_AUTHORIZATION, HeaderName::from_static("x-api-key")];

/// Marks the values of headers that hold secrets, so that they do not show when an app, or a layer in it, prints or traces a request.
// spec: KEY-4
pub(super) fn mark(headers: &mut HeaderMap) {
    for (_, value) in headers.iter_mut().filter(|(name, _)| SECRET.contains(name)) {
        value.set_sensitive(true);
    }
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;

    use super::*;

    #[test]
    // spec: KEY-4
    fn a_secret_header_does_not_show_when_a_request_is_printed() {
        let mut headers = HeaderMap::new();
        for name in SECRET {
            headers.append(&name, HeaderValue::from_static("open sesame"));
            headers.append(&name, HeaderValue::from_static("open sesame again"));
        }
        headers.insert("accept", HeaderValue::from_static("text/plain"));
        mark(&mut headers);
        let printed = format!("{headers:?}");
        assert!(!printed.contains("sesame") && printed.contains("text/plain"), "{printed}");
        assert_eq!(headers.get("x-api-key").unwrap(), "open sesame", "what they say is as it was");
    }
}
