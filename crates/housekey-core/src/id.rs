//! Random identifiers and tokens, straight from the operating system.

use data_encoding::{BASE64URL_NOPAD, Encoding, Specification};
use std::sync::LazyLock;

/// `N` random bytes.
///
/// # Panics
/// When the operating system has no randomness to give. Nothing safe can be done then.
#[expect(clippy::expect_used, reason = "a process without randomness must not go on handing out secrets")]
pub fn random_bytes<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).expect("the operating system must provide randomness");
    bytes
}

/// A token nobody can guess: 256 random bits in 43 URL-safe characters.
///
/// ```
/// let token = housekey_core::id::token();
/// assert_eq!(token.len(), 43);
/// assert_ne!(token, housekey_core::id::token());
/// ```
pub fn token() -> String {
    BASE64URL_NOPAD.encode(&random_bytes::<32>())
}

/// A name for a request: 20 lower-case characters (100 random bits) that are easy to read out and to search for.
///
/// ```
/// assert_eq!(housekey_core::id::request_id().len(), 20);
/// ```
pub fn request_id() -> String {
    let mut id = BASE32_LOWER.encode(&random_bytes::<13>());
    id.truncate(20);
    id
}

/// Base32 without the letters that look like digits.
static BASE32_LOWER: LazyLock<Encoding> = LazyLock::new(|| {
    let mut spec = Specification::new();
    spec.symbols.push_str("0123456789abcdefghjkmnpqrstvwxyz");
    #[expect(clippy::expect_used, reason = "32 distinct symbols are a valid base32 alphabet")]
    spec.encoding().expect("a valid alphabet")
});
