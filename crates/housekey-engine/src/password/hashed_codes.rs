use std::fmt;

use data_encoding::BASE64_NOPAD;

use super::Passwords;
use super::argon2id::Settings;
use crate::constant_time_eq;
use crate::{ApiError, Result};

const HASH_LENGTH: usize = 32;

/// Codes of which each opens something once, as Argon2id hashes that share a salt: a guess is hashed once and compared with all
/// of them. [`Api::hash_codes`](crate::Api::hash_codes) makes them.
///
/// As text: `$argon2id$v=19$m=19456,t=2,p=1$<salt>$<hash>,<hash>,…`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HashedCodes {
    /// Everything in front of the hashes, without the last `$`.
    settings: String,
    hashes: Vec<String>,
}

impl HashedCodes {
    /// Reads them from a column; `None` if they are something else.
    pub fn parse(stored: &str) -> Option<Self> {
        let (settings, hashes) = stored.rsplit_once('$')?;
        Settings::parse(settings)?;
        let hashes = hashes.split(',').filter(|hash| !hash.is_empty()).map(str::to_owned).collect();
        Some(Self { settings: settings.to_owned(), hashes })
    }

    pub fn len(&self) -> usize {
        self.hashes.len()
    }

    pub fn is_empty(&self) -> bool {
        self.hashes.is_empty()
    }

    /// Those that are left when one is spent.
    #[must_use]
    pub fn without(mut self, spent: usize) -> Self {
        if spent < self.hashes.len() {
            self.hashes.remove(spent);
        }
        self
    }

    /// Which of them has this hash. All are compared, so that the time of the answer does not tell.
    fn position(&self, given: &[u8]) -> Option<usize> {
        self.hashes.iter().enumerate().fold(None, |found, (at, hash)| {
            let is_it = BASE64_NOPAD.decode(hash.as_bytes()).is_ok_and(|hash| constant_time_eq(&hash, given));
            found.or(is_it.then_some(at))
        })
    }
}

impl fmt::Display for HashedCodes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}${}", self.settings, self.hashes.join(","))
    }
}

impl Passwords {
    pub(crate) async fn hash_codes(&self, codes: &[String]) -> Result<HashedCodes> {
        let settings = Settings::fresh().to_string();
        let mut hashes = Vec::with_capacity(codes.len());
        // One after the other: between two of them, somebody who signs in has their turn.
        for code in codes {
            hashes.push(BASE64_NOPAD.encode(&self.hash_code(&settings, code).await?));
        }
        Ok(HashedCodes { settings, hashes })
    }

    pub(crate) async fn find_code(&self, code: &str, among: &HashedCodes) -> Result<Option<usize>> {
        Ok(among.position(&self.hash_code(&among.settings, code).await?))
    }

    async fn hash_code(&self, settings: &str, code: &str) -> Result<[u8; HASH_LENGTH]> {
        let (settings, code) = (Settings::parse(settings), code.to_owned());
        let hash = self.run(move |scratch| {
            let mut output = [0; HASH_LENGTH];
            settings?.derive(&code, &mut output, scratch)?;
            Some(output)
        });
        hash.await?.ok_or_else(|| {
            ApiError::internal("a code could not be hashed", "the hash refused its parameters")
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::PasswordOptions;

    #[tokio::test]
    async fn a_code_is_found_among_its_hashes_until_it_is_spent() {
        let passwords = Passwords::new(&PasswordOptions::default());
        let codes = ["first", "second", "third"].map(str::to_owned);
        let hashed = passwords.hash_codes(&codes).await.unwrap();
        let stored = hashed.to_string();
        assert!(stored.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{stored}");
        assert!(codes.iter().all(|code| !stored.contains(code.as_str())));
        let read = HashedCodes::parse(&stored).unwrap();
        assert_eq!(read, hashed);
        assert_eq!(passwords.find_code("second", &read).await.unwrap(), Some(1));
        assert_eq!(passwords.find_code("", &read).await.unwrap(), None);
        let left = read.without(1);
        assert_eq!(passwords.find_code("second", &left).await.unwrap(), None);
        assert_eq!(passwords.find_code("third", &left).await.unwrap(), Some(1));
        let none = left.without(0).without(0);
        assert!(none.is_empty());
        assert_eq!(HashedCodes::parse(&none.to_string()), Some(none), "an empty set is read, too");
    }

    #[tokio::test]
    async fn the_same_codes_are_stored_differently_every_time() {
        let passwords = Passwords::new(&PasswordOptions::default());
        let code = ["code".to_owned()];
        let (one, other) = (passwords.hash_codes(&code).await, passwords.hash_codes(&code).await);
        assert_ne!(one.unwrap(), other.unwrap());
    }

    #[tokio::test]
    async fn nothing_stored_is_read_as_a_code_that_fits() {
        for stored in
            ["", "$", "00ff", "$ba$1$00ff", "$argon2id$v=19$m=4294967295,t=1,p=1$c29tZXNhbHQ$x", "$argon2id$"]
        {
            assert_eq!(HashedCodes::parse(stored), None, "{stored}");
        }
        let passwords = Passwords::new(&PasswordOptions::default());
        let odd = HashedCodes::parse("$argon2id$v=19$m=19456,t=2,p=1$c29tZXNhbHQ$,!,AA,,").unwrap();
        for guess in ["", "AA", "!"] {
            assert_eq!(passwords.find_code(guess, &odd).await.unwrap(), None);
        }
    }
}
