use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};

use housekey_core::id::random_bytes;
use http::{HeaderMap, HeaderName, HeaderValue};

/// The header a request id travels in.
pub(crate) const X_REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// The name of a request in logs and error answers.
#[derive(Clone, Debug)]
pub(crate) enum RequestId {
    Own([u8; 20]),
    Given(Box<str>),
}

impl RequestId {
    /// The id a trusted proxy gave the request, if it is well formed; else a new one. From anybody else it would be
    /// a way to write into our logs.
    pub(crate) fn of(headers: &HeaderMap, is_proxied: bool) -> Self {
        let given = if is_proxied { headers.get(X_REQUEST_ID) } else { None };
        let given = given.and_then(|value| value.to_str().ok()).filter(|text| is_well_formed(text));
        given.map_or_else(Self::new, |text| Self::Given(text.into()))
    }

    /// 100 bits in 20 characters.
    ///
    /// It names, it does not protect: so it is a counter, scrambled with numbers that are random for each process,
    /// and costs no system call.
    pub(crate) fn new() -> Self {
        static SEEDS: LazyLock<[u64; 2]> =
            LazyLock::new(|| [u64::from_ne_bytes(random_bytes()), u64::from_ne_bytes(random_bytes())]);
        static COUNTER: AtomicU64 = AtomicU64::new(0);
        let count = COUNTER.fetch_add(1, Ordering::Relaxed);
        let [first, second] = *SEEDS;
        let bits = (u128::from(scramble(first.wrapping_add(count))) << 36)
            | u128::from(scramble(second ^ count) >> 28);
        Self::Own(std::array::from_fn(|at| ALPHABET[(bits >> (5 * (19 - at))) as usize & 31]))
    }

    pub(crate) fn as_str(&self) -> &str {
        match self {
            Self::Own(text) => std::str::from_utf8(text).unwrap_or_default(),
            Self::Given(text) => text,
        }
    }

    pub(crate) fn to_header(&self) -> HeaderValue {
        let bytes = match self {
            Self::Own(text) => text.as_slice(),
            Self::Given(text) => text.as_bytes(),
        };
        HeaderValue::from_bytes(bytes).unwrap_or(HeaderValue::from_static("unknown"))
    }
}

/// The alphabet of [`housekey_core::id::request_id`]: no letter that looks like a digit.
const ALPHABET: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";

/// splitmix64: different numbers stay different.
fn scramble(number: u64) -> u64 {
    let number = number.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let number = (number ^ (number >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let number = (number ^ (number >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    number ^ (number >> 31)
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
        let names: HashSet<String> = (0..10_000).map(|_| RequestId::new().as_str().to_owned()).collect();
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
