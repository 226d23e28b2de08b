//! Reading the cookies of a request.
//!
//! ```
//! use http::{HeaderMap, HeaderValue, header};
//!
//! let headers = HeaderMap::from_iter([(header::COOKIE, HeaderValue::from_static("theme=dark; name=Ada%20L"))]);
//! let name = housekey_base::cookies::first(&headers, "name").map(housekey_base::cookies::decoded);
//! assert_eq!(name.as_deref(), Some("Ada L"));
//! ```

use http::header::COOKIE;
use http::{HeaderMap, HeaderValue};
use percent_encoding::percent_decode_str;

/// More than a browser keeps for a site. A head has room for thousands, which nobody should be made to read.
const MOST: usize = 256;

/// The cookies in a request's headers, as sent. A part that is no cookie is passed over; it spoils no other.
pub fn pairs(headers: &HeaderMap) -> impl Iterator<Item = (&str, &str)> {
    parts(headers).filter_map(pair)
}

/// The first cookie of a name, as sent.
pub fn first<'h>(headers: &'h HeaderMap, name: &str) -> Option<&'h str> {
    // The others need not be read: a browser sends a dozen, and several guards ask for one each.
    let begins_like_it = |part: &&[u8]| part.trim_ascii_start().starts_with(name.as_bytes());
    let mut pairs = parts(headers).filter(begins_like_it).filter_map(pair);
    pairs.find_map(|(key, value)| (key == name).then_some(value))
}

/// A value with its `%XX` undone. One that does not decode to text is left as it is.
pub fn decoded(value: &str) -> String {
    // Most hold none, and every cookie of every request comes by here.
    if !value.contains('%') {
        return value.to_owned();
    }
    percent_decode_str(value).decode_utf8().map_or_else(|_| value.to_owned(), std::borrow::Cow::into_owned)
}

/// Whether a name may stand in a cookie: what HTTP calls a token.
pub fn is_cookie_name(name: &str) -> bool {
    let is_mark = |byte: u8| matches!(byte, b'!' | b'#'..=b'\'' | b'*' | b'+' | b'-' | b'.' | b'^'..=b'`' | b'|' | b'~');
    let is_allowed = |byte: u8| byte.is_ascii_alphanumeric() || is_mark(byte);
    !name.is_empty() && name.bytes().all(is_allowed)
}

fn parts(headers: &HeaderMap) -> impl Iterator<Item = &[u8]> {
    let lines = headers.get_all(COOKIE).iter().map(HeaderValue::as_bytes);
    lines.flat_map(|line| line.split(|byte| *byte == b';')).take(MOST)
}

/// Bytes rather than text: one cookie with bytes of another encoding must not hide its neighbours.
fn pair(part: &[u8]) -> Option<(&str, &str)> {
    let part = std::str::from_utf8(part).ok()?;
    let (name, value) = part.split_once('=')?;
    let (name, value) = (name.trim_matches([' ', '\t']), value.trim_matches([' ', '\t']));
    let unquoted = value.strip_prefix('"').and_then(|value| value.strip_suffix('"'));
    let value = unquoted.unwrap_or(value);
    (is_cookie_name(name) && !has_control(value)).then_some((name, value))
}

fn has_control(value: &str) -> bool {
    let is_plain = value.bytes().all(|byte| matches!(byte, b' '..=b'~'));
    !is_plain && value.chars().any(char::is_control)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn headers(value: &[u8]) -> HeaderMap {
        let mut headers = HeaderMap::new();
        headers.insert(COOKIE, HeaderValue::from_bytes(value).unwrap());
        headers
    }

    #[test]
    fn a_malformed_cookie_hides_none_of_its_neighbours() {
        let headers = headers(b"=x; a=1;; \xff\xfe=2; noequals; b = \"2\" ; c=3=4; d e=5; f=\xff");
        assert_eq!(pairs(&headers).collect::<Vec<_>>(), [("a", "1"), ("b", "2"), ("c", "3=4")]);
    }

    #[test]
    fn the_first_of_a_name_wins_over_several_headers() {
        let mut headers = headers(b"a=first; a=second");
        headers.append(COOKIE, HeaderValue::from_static("a=third; b=4"));
        assert_eq!((first(&headers, "a"), first(&headers, "b")), (Some("first"), Some("4")));
    }

    #[test]
    fn only_so_many_are_read() {
        let many: Vec<_> = (0..300).map(|number| format!("c{number}={number}")).collect();
        let headers = headers(many.join("; ").as_bytes());
        assert_eq!(pairs(&headers).count(), 256);
        assert_eq!((first(&headers, "c255"), first(&headers, "c256")), (Some("255"), None));
    }

    #[test]
    fn percent_signs_that_mean_nothing_stay() {
        assert_eq!(decoded("a%20b"), "a b");
        assert_eq!(decoded("100%"), "100%");
        assert_eq!(decoded("%ff"), "%ff");
    }

    proptest! {
        // Every byte a header may hold.
        #[test]
        fn no_header_makes_it_panic_and_names_are_always_clean(
            bytes in proptest::collection::vec(prop_oneof![Just(b'\t'), 0x20_u8..0x7f, 0x80_u8..=0xff], 0..200)
        ) {
            for (name, value) in pairs(&headers(&bytes)) {
                prop_assert!(is_cookie_name(name));
                prop_assert!(!value.contains(';'));
                decoded(value);
            }
        }

        #[test]
        fn a_good_cookie_is_found_whatever_stands_beside_it(
            before in proptest::collection::vec(prop_oneof![0x20_u8..0x7f, 0x80_u8..=0xff], 0..60),
            value in "[a-zA-Z0-9_.-]{0,40}",
        ) {
            let line = [&before[..], b"; needle-in-a-haystack=", value.as_bytes(), b"; z=1"].concat();
            let headers = headers(&line);
            prop_assert_eq!(first(&headers, "needle-in-a-haystack"), Some(value.as_str()));
        }
    }
}
