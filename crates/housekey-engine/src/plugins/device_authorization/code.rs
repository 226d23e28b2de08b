use data_encoding::BASE64URL_NOPAD;

use super::DeviceAuthorizationOptions;
use crate::{Api, random};

/// What people can tell apart: neither O and 0 nor I and 1.
const ALPHABET: &[u8; 32] = b"ABCDEFGHJKLMNPQRSTUVWXYZ23456789";
/// No code is longer; what is need not be looked for.
const LONGEST: usize = 191;

/// Whose code it is. A MAC of one is not one of the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// The device keeps it and polls with it.
    Device,
    /// The person types it.
    User,
}

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Self::Device => "device-code",
            Self::User => "user-code",
        }
    }
}

/// A code that the device keeps.
pub(super) fn device_code(length: usize) -> String {
    random::alphanumeric(length.clamp(1, LONGEST))
}

/// A code that a person types.
pub(super) fn user_code(length: usize) -> String {
    let mut code = String::new();
    while code.len() < length.clamp(1, LONGEST) {
        // 32 letters: every byte stands for one, and none more often than another.
        let letters = random::bytes::<32>();
        let letters = letters.iter().filter_map(|byte| ALPHABET.get(usize::from(byte % 32)));
        let missing = length.clamp(1, LONGEST) - code.len();
        code.extend(letters.take(missing).copied().map(char::from));
    }
    code
}

/// What stands in the column for a code. A short one could be found from a plain hash within seconds; a MAC takes the engine's
/// secret.
pub(super) fn stored(api: &Api, options: &DeviceAuthorizationOptions, kind: Kind, code: &str) -> String {
    if options.reference_rows {
        return code.to_owned();
    }
    BASE64URL_NOPAD.encode(&api.mac(&format!("{}:{code}", kind.name())))
}

/// What a person may have meant: the code as it stands, and without the blanks, hyphens and small letters that people add.
pub(super) fn meant(typed: &str) -> Vec<String> {
    if typed.len() > LONGEST || typed.contains('\0') {
        return Vec::new();
    }
    let tidy: String = typed.chars().filter(char::is_ascii_alphanumeric).collect();
    let tidy = tidy.to_ascii_uppercase();
    let is_ours = !tidy.is_empty() && tidy.bytes().all(|byte| ALPHABET.contains(&byte));
    let mut meant = vec![typed.to_owned()];
    if is_ours && tidy != typed {
        meant.push(tidy);
    }
    meant
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn user_codes_have_their_length_and_letters_that_people_can_tell_apart() {
        for length in [1, 8, 33, 100] {
            let code = user_code(length);
            assert_eq!(code.len(), length);
            assert!(code.bytes().all(|byte| ALPHABET.contains(&byte)), "{code}");
        }
        assert_ne!(user_code(8), user_code(8));
    }

    #[test]
    fn a_code_is_found_however_people_write_it() {
        assert_eq!(meant("ABCD2345"), ["ABCD2345"]);
        for typed in ["abcd2345", "ABCD-2345", " abcd 2345 ", "a-b-c-d-2-3-4-5"] {
            assert_eq!(meant(typed).last().unwrap(), "ABCD2345", "{typed}");
        }
        // I and O are in no code of ours; somebody else's may have them.
        assert_eq!(meant("oi-01"), ["oi-01"]);
        assert!(meant(&"A".repeat(192)).is_empty() && meant("A\0").is_empty());
    }
}
