use data_encoding::BASE64URL_NOPAD;
use sha2::{Digest, Sha256};

use super::checksum;
use crate::{Secret, random};

/// A new key: the prefix, letters, and their checksum. `length` is that of the letters and the checksum.
pub(super) fn new_key(prefix: &str, length: usize) -> Secret {
    let text = format!("{prefix}{}", letters(length.saturating_sub(checksum::LENGTH)));
    let end = checksum::of(&text);
    (text + &end).into()
}

/// A key as it is stored, in the form of the reference. It is long and random, so that one round of a fast hash is enough: there is
/// nothing to guess.
// spec: KEY-4
pub(super) fn hash(key: &Secret) -> String {
    BASE64URL_NOPAD.encode(&Sha256::digest(key.reveal().as_bytes()))
}

fn letters(length: usize) -> String {
    let mut letters = String::with_capacity(length);
    while letters.len() < length {
        let drawn = random::alphanumeric(length);
        letters.extend(drawn.chars().filter(char::is_ascii_alphabetic).take(length - letters.len()));
    }
    letters
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_its_prefix_and_letters_that_end_in_a_checksum() {
        let (one, other) = (new_key("shop_", 64), new_key("shop_", 64));
        let letters = one.reveal().strip_prefix("shop_").unwrap();
        assert_eq!(letters.len(), 64);
        assert!(letters.chars().all(|letter| letter.is_ascii_alphabetic()));
        assert!(checksum::of(&one.reveal()[..63]) == one.reveal()[63..] && one != other);
    }

    #[test]
    // spec: KEY-4
    fn a_key_is_stored_as_the_reference_stores_it() {
        assert_eq!(hash(&"abc".into()), "ungWv48Bz-pBQUDeXa4iI7ADYaOWF3qctBD_YfIAFa0");
    }
}
