//! The passwords that most people use, as a filter: nobody reads them from the program.
//!
//! `common.bin` holds the first four bytes of the SHA-256 of every word, sorted. `cargo xtask passwords` makes it, and
//! `common.md` says from what. Of the passwords that are not among them, one in a hundred thousand is taken for one that is
//! (42,692 of 2³² values): whoever meets that chooses another.

use crate::crypto::sha256;

static FILTER: &[u8] = include_bytes!("common.bin");
const WIDTH: usize = 4;

/// Whether a folded password is one of them.
pub(super) fn contains(password: &str) -> bool {
    let hash = sha256(password.as_bytes());
    let (entries, _) = FILTER.as_chunks::<WIDTH>();
    hash.first_chunk::<WIDTH>().is_some_and(|wanted| entries.binary_search(wanted).is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    // spec: SEC-8
    #[test]
    fn the_filter_is_what_its_description_says() {
        let (entries, rest) = FILTER.as_chunks::<WIDTH>();
        assert!(rest.is_empty());
        assert_eq!(entries.len(), 42_691, "of 42,692 words two share a value");
        assert!(entries.is_sorted_by(|one, next| one < next), "sorted, and nothing twice");
    }

    #[test]
    fn what_most_people_use_is_in_it() {
        for word in [
            "123456",
            "password",
            "12345678",
            "password1",
            "qwertyuiop",
            "iloveyou",
            "sunshine",
            "football",
            "trustno1",
            "p@ssw0rd",
            "1q2w3e4r",
            "11111111",
            "michelle",
            "changeme",
            "secret123",
            "administrator",
        ] {
            assert!(contains(word), "{word}");
        }
    }

    #[test]
    fn what_nobody_uses_is_not_but_for_the_error_that_is_stated() {
        for word in ["correct horse", "correct horse battery staple", "a new password", ""] {
            assert!(!contains(word), "{word}");
        }
        // One in a hundred thousand: two are expected among these, and they are always the same.
        let taken = (0..200_000).filter(|number| contains(&format!("nobody uses {number}"))).count();
        assert!(taken <= 8, "{taken}");
    }
}
