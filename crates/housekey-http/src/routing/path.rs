use std::borrow::Cow;

use percent_encoding::{AsciiSet, CONTROLS, percent_decode_str, utf8_percent_encode};

/// What has to be escaped in one segment of a path, a slash included.
const SEGMENT: &AsciiSet = &CONTROLS
    .add(b' ')
    .add(b'"')
    .add(b'#')
    .add(b'%')
    .add(b'/')
    .add(b'<')
    .add(b'>')
    .add(b'?')
    .add(b'[')
    .add(b'\\')
    .add(b']')
    .add(b'^')
    .add(b'`')
    .add(b'{')
    .add(b'|')
    .add(b'}');

/// Whether every escape of a path is well formed and decodes to text without NUL.
///
/// Checked once per request, so that [`decode`] cannot fail later.
pub(crate) fn is_well_formed(path: &str) -> bool {
    if !path.as_bytes().contains(&b'%') {
        return !path.as_bytes().contains(&0);
    }
    let bytes = path.as_bytes();
    let mut rest = bytes;
    while let Some(at) = rest.iter().position(|&byte| byte == b'%') {
        match rest.get(at + 1..at + 3) {
            Some(digits) if digits.iter().all(u8::is_ascii_hexdigit) && digits != b"00" => {
                rest = &rest[at + 3..];
            }
            _ => return false,
        }
    }
    // Segment by segment: an escape sequence must not be completed by the text behind a slash.
    path.split('/').all(|segment| percent_decode_str(segment).decode_utf8().is_ok())
}

/// The text a piece of a well-formed path stands for.
pub(crate) fn decode(raw: &str) -> Cow<'_, str> {
    if raw.as_bytes().contains(&b'%') {
        percent_decode_str(raw).decode_utf8_lossy()
    } else {
        Cow::Borrowed(raw)
    }
}

/// Writes text as one segment of a path.
pub(crate) fn encode_segment(text: &str) -> Cow<'_, str> {
    utf8_percent_encode(text, SEGMENT).into()
}

/// Writes text as the rest of a path, slashes kept.
pub(crate) fn encode_rest(text: &str) -> String {
    text.split('/').map(encode_segment).collect::<Vec<_>>().join("/")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn broken_escapes_are_refused() {
        for path in ["/%", "/%2", "/%zz", "/a%2/b", "/%ff", "/%c3/%a9", "/%00", "/a%"] {
            assert!(!is_well_formed(path), "{path}");
        }
        for path in ["/", "/a%2Fb", "/caf%C3%A9", "/%25", "/a b"] {
            assert!(is_well_formed(path), "{path}");
        }
    }

    proptest! {
        #[test]
        fn what_is_encoded_decodes_to_itself(text in "[^\\x00]*") {
            let encoded = encode_segment(&text);
            prop_assert!(is_well_formed(&encoded));
            prop_assert!(!encoded.contains('/') && !encoded.contains('?') && !encoded.contains('#'));
            prop_assert_eq!(decode(&encoded), text.as_str());
        }

        #[test]
        fn no_input_makes_the_check_panic(text in "[%/0-9a-fA-Fz\\x00é]*") {
            if is_well_formed(&text) {
                let is_replaced = |segment: &str| decode(segment).contains(char::REPLACEMENT_CHARACTER);
                prop_assert!(!text.split('/').any(is_replaced));
            }
        }
    }
}
