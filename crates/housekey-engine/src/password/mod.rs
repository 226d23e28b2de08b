//! Passwords: how they are stored, and where the work happens.
//!
//! New hashes are Argon2id unless the options choose the reference's scrypt for a database that a JavaScript
//! deployment shares. Both are always verified; a hash of the other kind is replaced at the next sign-in. The work
//! runs on a [`Pool`] of its own threads, never on those that serve requests.

mod argon2id;
mod pool;
mod scrypt;

use std::time::Duration;

use serde::{Deserialize, Serialize};
use unicode_normalization::UnicodeNormalization;

use crate::options::PasswordOptions;
use crate::{ApiError, Result, Secret};

use pool::{Pool, Scratch};

/// What a client that met a full queue is told to wait.
const RETRY_AFTER: Duration = Duration::from_secs(1);

/// How new passwords are hashed. What was hashed the other way keeps working.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum PasswordHasher {
    /// Argon2id with 19 MiB, two passes, one lane.
    #[default]
    Argon2id,
    /// The reference's scrypt, for a database shared with a JavaScript deployment.
    BetterAuthScrypt,
}

/// A password and the hash it is checked against, as handed to a custom `verify` function.
#[derive(Clone, Debug)]
pub struct PasswordCheck {
    /// What was typed.
    pub password: Secret,
    /// What is stored.
    pub hash: String,
}

/// What checking a password found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    Wrong,
    Right,
    /// Right, and stored in a way that is no longer chosen: hash it again.
    RightButOutdated,
}

/// Hashes and checks passwords.
#[derive(Debug)]
pub(crate) struct Passwords {
    options: PasswordOptions,
    pool: Pool,
}

impl Passwords {
    pub(crate) fn new(options: &PasswordOptions) -> Self {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let threads = options.threads.unwrap_or(cores).max(1);
        let queue = options.queue.unwrap_or(threads * 32);
        Self { options: options.clone(), pool: Pool::new(threads, queue) }
    }

    /// The text to store for a password.
    pub(crate) async fn hash(&self, password: &Secret) -> Result<String> {
        if let Some(hash) = self.options.hash.call(password.clone()).await {
            return hash.map_err(|error| ApiError::internal("the password hash function failed", error));
        }
        let password = normalise(password);
        let hasher = self.options.hasher;
        let hash = self.run(move |scratch| hash(hasher, password.reveal(), scratch)).await?;
        hash.ok_or_else(|| {
            ApiError::internal("a password could not be hashed", "the hash refused its parameters")
        })
    }

    /// Checks a password against what is stored.
    pub(crate) async fn verify(&self, password: &Secret, stored: &str) -> Result<Verdict> {
        let check = PasswordCheck { password: password.clone(), hash: stored.to_owned() };
        if let Some(right) = self.options.verify.call(check).await {
            let right =
                right.map_err(|error| ApiError::internal("the password verify function failed", error))?;
            return Ok(if right { Verdict::Right } else { Verdict::Wrong });
        }
        let (password, stored) = (normalise(password), stored.to_owned());
        let hasher = self.options.hasher;
        self.run(move |scratch| verify(hasher, password.reveal(), &stored, scratch)).await
    }

    /// Spends the time of one check, so that an address without a password answers no sooner than one with.
    pub(crate) async fn pretend(&self, password: &Secret) -> Result<()> {
        self.hash(password).await.map(drop)
    }

    async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut Scratch) -> T + Send + 'static,
    ) -> Result<T> {
        self.pool.run(work).await.map_err(|_| ApiError::too_busy(RETRY_AFTER))
    }
}

fn hash(hasher: PasswordHasher, password: &str, scratch: &mut Scratch) -> Option<String> {
    match hasher {
        PasswordHasher::Argon2id => argon2id::hash(password, scratch),
        PasswordHasher::BetterAuthScrypt => scrypt::hash(password),
    }
}

fn verify(hasher: PasswordHasher, password: &str, stored: &str, scratch: &mut Scratch) -> Verdict {
    let is_argon = argon2id::recognises(stored);
    let right =
        if is_argon { argon2id::verify(password, stored, scratch) } else { scrypt::verify(password, stored) };
    match (right, hasher) {
        (false, _) => Verdict::Wrong,
        (true, PasswordHasher::Argon2id) if !argon2id::is_current(stored) => Verdict::RightButOutdated,
        (true, PasswordHasher::BetterAuthScrypt) if is_argon => Verdict::RightButOutdated,
        (true, _) => Verdict::Right,
    }
}

/// One password typed on two keyboards may arrive as different code points; NFKC makes them one.
fn normalise(password: &Secret) -> Secret {
    password.reveal().nfkc().collect::<String>().into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Callback;

    fn passwords(hasher: PasswordHasher) -> Passwords {
        Passwords::new(&PasswordOptions { hasher, ..PasswordOptions::default() })
    }

    #[tokio::test]
    async fn a_password_matches_its_own_hash_and_no_other() {
        let passwords = passwords(PasswordHasher::Argon2id);
        let stored = passwords.hash(&"correct horse".into()).await.unwrap();
        assert!(stored.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"));
        assert_eq!(passwords.verify(&"correct horse".into(), &stored).await.unwrap(), Verdict::Right);
        assert_eq!(passwords.verify(&"correct house".into(), &stored).await.unwrap(), Verdict::Wrong);
    }

    #[tokio::test]
    async fn a_hash_of_the_reference_is_accepted_and_marked_for_replacement() {
        let stored = passwords(PasswordHasher::BetterAuthScrypt).hash(&"correct horse".into()).await.unwrap();
        let passwords = passwords(PasswordHasher::Argon2id);
        let verdict = passwords.verify(&"correct horse".into(), &stored).await.unwrap();
        assert_eq!(verdict, Verdict::RightButOutdated);
        assert_eq!(passwords.verify(&"wrong".into(), &stored).await.unwrap(), Verdict::Wrong);
    }

    #[tokio::test]
    async fn in_a_shared_database_our_hash_is_turned_into_the_reference_s() {
        let stored = passwords(PasswordHasher::Argon2id).hash(&"correct horse".into()).await.unwrap();
        let shared = passwords(PasswordHasher::BetterAuthScrypt);
        assert_eq!(shared.verify(&"correct horse".into(), &stored).await.unwrap(), Verdict::RightButOutdated);
    }

    #[tokio::test]
    async fn the_same_letters_in_other_code_points_are_the_same_password() {
        let passwords = passwords(PasswordHasher::Argon2id);
        let stored = passwords.hash(&"caf\u{e9}-\u{fb01}sh".into()).await.unwrap();
        assert_eq!(passwords.verify(&"cafe\u{301}-fish".into(), &stored).await.unwrap(), Verdict::Right);
    }

    #[tokio::test]
    async fn a_hash_of_one_s_own_replaces_ours() {
        let options = PasswordOptions {
            hash: Callback::new(|password: Secret| async move {
                Ok::<_, std::io::Error>(format!("plain:{}", password.reveal()))
            }),
            verify: Callback::new(|check: PasswordCheck| async move {
                Ok::<_, std::io::Error>(check.hash == format!("plain:{}", check.password.reveal()))
            }),
            ..PasswordOptions::default()
        };
        let passwords = Passwords::new(&options);
        let stored = passwords.hash(&"x".into()).await.unwrap();
        assert_eq!(stored, "plain:x");
        assert_eq!(passwords.verify(&"x".into(), &stored).await.unwrap(), Verdict::Right);
        assert_eq!(passwords.verify(&"y".into(), &stored).await.unwrap(), Verdict::Wrong);
    }

    #[tokio::test]
    async fn nothing_stored_can_make_a_check_succeed_or_stop_the_engine() {
        let passwords = passwords(PasswordHasher::Argon2id);
        for stored in [
            "",
            ":",
            "ab:cd",
            "$argon2id$",
            "$argon2id$v=19$m=4294967295,t=1,p=1$c29tZXNhbHQ$aGFzaA",
            "$2b$10$x",
        ] {
            assert_eq!(passwords.verify(&"".into(), stored).await.unwrap(), Verdict::Wrong, "{stored}");
        }
    }
}
