//! Unguessable bytes and text, from the operating system. Characters are drawn by rejection, so each is equally likely.

use data_encoding::BASE64URL_NOPAD;

const ALPHANUMERIC: &[u8; 62] = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
const URL_SAFE: &[u8; 64] = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_";
const LOWERCASE: &[u8; 36] = b"0123456789abcdefghijklmnopqrstuvwxyz";
const DIGITS: &[u8; 10] = b"0123456789";
/// Without the letters that look like digits.
const READABLE: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";

/// A token nobody can guess: 256 random bits in 43 URL-safe characters.
///
/// ```
/// let token = housekey_base::random::token();
/// assert_eq!(token.len(), 43);
/// assert_ne!(token, housekey_base::random::token());
/// ```
pub fn token() -> String {
    BASE64URL_NOPAD.encode(&bytes::<32>())
}

/// A name for a file or a row: 20 lower-case characters (100 random bits) that are easy to read out and to search for.
///
/// ```
/// assert_eq!(housekey_base::random::short_id().len(), 20);
/// ```
pub fn short_id() -> String {
    short_id_from(bytes())
}

/// The short id of some bytes, for who draws them elsewhere.
pub fn short_id_from(bytes: [u8; 20]) -> String {
    // 256 is a multiple of the alphabet's size, so no character is favoured.
    bytes.into_iter().map(|byte| char::from(READABLE[usize::from(byte) % READABLE.len()])).collect()
}

/// `[a-zA-Z0-9]`: row ids, session tokens, reset tokens, backup codes.
pub fn alphanumeric(length: usize) -> String {
    draw(ALPHANUMERIC, length)
}

/// `[a-zA-Z0-9_-]`: two-factor challenges, TOTP secrets, trusted devices.
pub fn url_safe(length: usize) -> String {
    draw(URL_SAFE, length)
}

/// `[0-9a-z]`: account deletion tokens.
pub fn lowercase(length: usize) -> String {
    draw(LOWERCASE, length)
}

/// `[0-9]`: one-time codes.
pub fn digits(length: usize) -> String {
    draw(DIGITS, length)
}

/// A version 4 UUID.
pub fn uuid() -> String {
    uuid_from(u128::from_be_bytes(bytes()))
}

/// The UUID of some bits, those that say its version aside.
pub fn uuid_from(bits: u128) -> String {
    let bits = bits & !(0xf << 76) | 0x4 << 76;
    let bits = bits & !(0x3 << 62) | 0x2 << 62;
    format!(
        "{:08x}-{:04x}-{:04x}-{:04x}-{:012x}",
        (bits >> 96) & 0xffff_ffff,
        (bits >> 80) & 0xffff,
        (bits >> 64) & 0xffff,
        (bits >> 48) & 0xffff,
        bits & 0xffff_ffff_ffff
    )
}

fn draw<const SIZE: usize>(alphabet: &[u8; SIZE], length: usize) -> String {
    // Bytes at or above the largest multiple of the alphabet's size would favour its first characters.
    let limit = 256 - 256 % SIZE;
    let mut text = String::with_capacity(length);
    let mut drawn = [0; 64];
    while text.len() < length {
        // Each 32 bytes cost the system a block of its cipher: no more than may be needed.
        let missing = length - text.len();
        let drawn = &mut drawn[..missing.min(64)];
        fill(drawn);
        let fair = drawn.iter().map(|&byte| usize::from(byte)).filter(|&byte| byte < limit);
        text.extend(fair.map(|byte| char::from(alphabet[byte % SIZE])));
    }
    text
}

/// `N` random bytes.
///
/// # Panics
/// When the operating system has no randomness to give. Nothing safe can be done then.
pub fn bytes<const N: usize>() -> [u8; N] {
    let mut drawn = [0; N];
    fill(&mut drawn);
    drawn
}

#[expect(clippy::expect_used, reason = "a process without randomness must not go on handing out secrets")]
fn fill(bytes: &mut [u8]) {
    getrandom::fill(bytes).expect("the operating system must provide randomness");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_have_their_length_and_alphabet() {
        let text = alphanumeric(32);
        assert_eq!(text.len(), 32);
        assert!(text.bytes().all(|byte| byte.is_ascii_alphanumeric()));
        assert!(digits(6).bytes().all(|byte| byte.is_ascii_digit()));
        assert_ne!(alphanumeric(32), alphanumeric(32));
    }

    #[test]
    fn every_character_of_the_alphabet_appears() {
        let text = url_safe(10_000);
        assert!(URL_SAFE.iter().all(|&character| text.contains(char::from(character))));
    }

    #[test]
    fn a_uuid_says_that_it_is_random() {
        let uuid = uuid();
        assert_eq!(uuid.len(), 36);
        assert_eq!(uuid.as_bytes()[14], b'4');
        assert!(b"89ab".contains(&uuid.as_bytes()[19]));
    }
}
