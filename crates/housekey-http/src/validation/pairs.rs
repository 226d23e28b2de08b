use std::borrow::Cow;

use housekey_core::{Error, Result};
use percent_encoding::percent_decode;

/// More than any form has; a client that sends more is up to something.
pub(super) const MOST: usize = 1000;

/// Why fields cannot be read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Malformed(pub(super) &'static str);

pub(super) const TOO_MANY: Malformed = Malformed("There are more fields than we accept.");

impl From<Malformed> for Error {
    fn from(Malformed(why): Malformed) -> Self {
        Self::bad_request(why)
    }
}

/// Reads `a=1&b=2`, the form of queries and of plain forms. A `%` that introduces nothing stands for itself; bytes
/// that are not UTF-8 are refused rather than guessed at.
pub(super) fn parse(encoded: &[u8]) -> Result<Vec<(String, String)>, Malformed> {
    let parts = encoded.split(|byte| *byte == b'&').filter(|part| !part.is_empty());
    let mut pairs = Vec::new();
    for part in parts {
        if pairs.len() == MOST {
            return Err(TOO_MANY);
        }
        let (name, value) = match part.iter().position(|byte| *byte == b'=') {
            Some(at) => (&part[..at], &part[at + 1..]),
            None => (part, &[][..]),
        };
        pairs.push((decode(name)?, decode(value)?));
    }
    Ok(pairs)
}

fn decode(bytes: &[u8]) -> Result<String, Malformed> {
    let spaced: Cow<'_, [u8]> = match bytes.contains(&b'+') {
        true => bytes.iter().map(|byte| if *byte == b'+' { b' ' } else { *byte }).collect::<Vec<_>>().into(),
        false => bytes.into(),
    };
    let decoded: Cow<'_, [u8]> = percent_decode(&spaced).into();
    utf8(decoded.into_owned())
}

pub(super) fn utf8(bytes: Vec<u8>) -> Result<String, Malformed> {
    String::from_utf8(bytes).map_err(|_| Malformed("The fields are not valid UTF-8 text."))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn read(text: &str) -> Vec<(String, String)> {
        parse(text.as_bytes()).unwrap()
    }

    fn pair(name: &str, value: &str) -> (String, String) {
        (name.into(), value.into())
    }

    #[test]
    fn pairs_read_as_browsers_write_them() {
        assert_eq!(
            read("a=1&a=2&&b&=c&d=e=f"),
            [pair("a", "1"), pair("a", "2"), pair("b", ""), pair("", "c"), pair("d", "e=f")]
        );
        assert_eq!(read("q=a+b%20c%2B&%C3%BC=%E2%82%AC"), [pair("q", "a b c+"), pair("ü", "€")]);
        assert_eq!(read("q=100%&r=%zz&s=%4"), [pair("q", "100%"), pair("r", "%zz"), pair("s", "%4")]);
        assert!(read("").is_empty());
    }

    #[test]
    fn what_is_not_text_and_what_is_too_much_is_refused() {
        for bytes in [b"a=%ff".to_vec(), b"\xc3\x28=1".to_vec(), "a&".repeat(1001).into_bytes()] {
            assert_eq!(Error::from(parse(&bytes).unwrap_err()).status(), 400);
        }
        assert_eq!(read(&"a&".repeat(1000)).len(), 1000);
    }

    proptest! {
        #[test]
        fn no_bytes_make_it_panic(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
            let _ = parse(&bytes);
        }

        #[test]
        fn what_was_encoded_reads_back(pairs in proptest::collection::vec((".*", ".*"), 0..8)) {
            let mut writer = form_urlencoded::Serializer::new(String::new());
            writer.extend_pairs(&pairs);
            // A pair of two empty strings is written as `=` and read back as itself.
            prop_assert_eq!(read(&writer.finish()), pairs);
        }
    }
}
