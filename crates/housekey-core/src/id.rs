//! Random identifiers and tokens, from the operating system.

use std::cell::RefCell;
use std::sync::LazyLock;

use data_encoding::{BASE64URL_NOPAD, Encoding, Specification};

/// `N` random bytes.
///
/// # Panics
/// When the operating system has no randomness to give. Nothing safe can be done then.
pub fn random_bytes<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    let from_reserve = RESERVE.try_with(|reserve| match reserve.try_borrow_mut() {
        Ok(mut reserve) => reserve.take(&mut bytes),
        Err(_) => false,
    });
    if from_reserve != Ok(true) {
        fill(&mut bytes);
    }
    bytes
}

#[expect(clippy::expect_used, reason = "a process without randomness must not go on handing out secrets")]
fn fill(bytes: &mut [u8]) {
    getrandom::fill(bytes).expect("the operating system must provide randomness");
}

thread_local! {
    static RESERVE: RefCell<Reserve> = const { RefCell::new(Reserve { bytes: [0; RESERVED], used: RESERVED }) };
}

/// Enough for some twenty pages.
const RESERVED: usize = 1024;

/// Randomness of the operating system's that nobody has used yet. A page needs some for its nonce, its session and more,
/// and each call to the system takes longer than all else that is done with the bytes.
struct Reserve {
    bytes: [u8; RESERVED],
    /// What comes before has been handed out and is wiped.
    used: usize,
}

impl Reserve {
    /// Answers whether it could: a large wish is for the system itself.
    fn take(&mut self, wanted: &mut [u8]) -> bool {
        if wanted.len() > RESERVED / 4 {
            return false;
        }
        if wanted.len() > RESERVED - self.used {
            fill(&mut self.bytes);
            self.used = 0;
        }
        let taken = &mut self.bytes[self.used..self.used + wanted.len()];
        wanted.copy_from_slice(taken);
        taken.fill(0);
        self.used += wanted.len();
        true
    }
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

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn no_bytes_are_handed_out_twice_and_none_are_left_behind() {
        let mut seen = HashSet::new();
        for _ in 0..1000 {
            assert!(seen.insert(random_bytes::<16>().to_vec()));
            assert!(seen.insert(random_bytes::<24>().to_vec()));
            assert!(seen.insert(random_bytes::<100>().to_vec()));
        }
        RESERVE.with_borrow(|reserve| assert!(reserve.bytes[..reserve.used].iter().all(|byte| *byte == 0)));
    }

    #[test]
    fn every_thread_has_randomness_of_its_own() {
        let threads: Vec<_> = (0..8).map(|_| std::thread::spawn(random_bytes::<32>)).collect();
        let drawn: HashSet<_> = threads.into_iter().map(|thread| thread.join().unwrap()).collect();
        assert_eq!(drawn.len(), 8);
    }
}
