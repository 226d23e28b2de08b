//! Passwords: how they are stored, and where the work happens.
//!
//! New hashes are Argon2id unless the options choose the reference's scrypt for a database that a JavaScript
//! deployment shares. Both are always verified; a hash of the other kind is replaced at the next sign-in. The work
//! runs on a [`Pool`] of its own threads, never on those that serve requests. What may become a password at all is decided
//! in [`rules`].

mod argon2id;
mod hashed_codes;
mod pool;
mod rules;
mod scrypt;

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use unicode_normalization::UnicodeNormalization;

use crate::options::{PasswordCheck, PasswordHasher, PasswordOptions};
use crate::{ApiError, Result, Secret};

pub use hashed_codes::HashedCodes;
pub(crate) use rules::{Owner, check_new_password, check_password_length};

use pool::{Pool, Scratch};

/// What a client that met a full queue is told to wait.
const RETRY_AFTER: Duration = Duration::from_secs(1);

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
    kinds: Kinds,
}

/// Which hashes the storage is known to hold, for all that has been seen.
#[derive(Debug, Default)]
struct Kinds {
    sampled: AtomicBool,
    /// Whether there are hashes of the kind that is not chosen.
    mixed: AtomicBool,
}

impl Passwords {
    pub(crate) fn new(options: &PasswordOptions) -> Self {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let threads = options.threads.unwrap_or(cores).max(1);
        let queue = options.queue.unwrap_or(threads * 32);
        Self { options: options.clone(), pool: Pool::new(threads, queue), kinds: Kinds::default() }
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

    /// Spends the time of one hash, so that signing up with an address that is taken answers no sooner.
    pub(crate) async fn pretend(&self, password: &Secret) -> Result<()> {
        self.hash(password).await.map(drop)
    }

    /// Does the work that a refused sign-in still owes, so that its time does not tell whether the address is known
    /// or how old its hash is. `checked` is the hash that the password was compared with, if there was one.
    pub(crate) async fn match_timing(&self, password: &Secret, checked: Option<&str>) -> Result<()> {
        if self.options.hash.is_set() || self.options.verify.is_set() {
            return if checked.is_none() { self.pretend(password).await } else { Ok(()) };
        }
        checked.into_iter().for_each(|hash| self.note(hash));
        let mixed = self.kinds.mixed.load(Ordering::Relaxed);
        for kind in owed(self.options.hasher, mixed, checked.and_then(kind_of)) {
            let password = normalise(password);
            self.run(move |scratch| hash(kind, password.reveal(), scratch)).await?;
        }
        Ok(())
    }

    /// Whether nobody looked yet which kinds of hashes there are; true once.
    pub(crate) fn wants_sample(&self) -> bool {
        !self.kinds.sampled.swap(true, Ordering::Relaxed)
    }

    /// Takes note of a hash that is stored.
    pub(crate) fn note(&self, stored: &str) {
        if kind_of(stored).is_some_and(|kind| kind != self.options.hasher) {
            self.kinds.mixed.store(true, Ordering::Relaxed);
        }
    }

    async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut Scratch) -> T + Send + 'static,
    ) -> Result<T> {
        self.pool.run(work).await.map_err(|_| ApiError::too_busy(RETRY_AFTER))
    }
}

/// The hashes that a refusal must still make: all kinds that are in use, but the one that was just checked.
fn owed(
    chosen: PasswordHasher,
    mixed: bool,
    checked: Option<PasswordHasher>,
) -> impl Iterator<Item = PasswordHasher> {
    let kinds = [PasswordHasher::Argon2id, PasswordHasher::BetterAuthScrypt];
    kinds.into_iter().filter(move |&kind| (mixed || kind == chosen) && Some(kind) != checked)
}

/// How a password was hashed; `None` for what is no hash of ours, which costs nothing to check.
fn kind_of(stored: &str) -> Option<PasswordHasher> {
    if argon2id::recognises(stored) {
        return Some(PasswordHasher::Argon2id);
    }
    stored.contains(':').then_some(PasswordHasher::BetterAuthScrypt)
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

    #[test]
    fn a_refusal_costs_the_same_work_whatever_is_stored() {
        use PasswordHasher::{Argon2id, BetterAuthScrypt};
        let work = |mixed, checked: Option<PasswordHasher>| {
            let mut work: Vec<_> = owed(Argon2id, mixed, checked).chain(checked).collect();
            work.sort_by_key(|kind| *kind as u8);
            work
        };
        assert_eq!(work(false, None), work(false, Some(Argon2id)));
        assert_eq!(work(true, None), [Argon2id, BetterAuthScrypt]);
        assert_eq!(work(true, None), work(true, Some(Argon2id)));
        assert_eq!(work(true, None), work(true, Some(BetterAuthScrypt)));
    }

    #[tokio::test]
    async fn one_hash_of_the_other_kind_makes_every_refusal_pay_for_both() {
        let passwords = passwords(PasswordHasher::Argon2id);
        assert!(passwords.wants_sample() && !passwords.wants_sample(), "one look is enough");
        passwords.match_timing(&"wrong".into(), None).await.unwrap();
        assert!(!passwords.kinds.mixed.load(Ordering::Relaxed));
        passwords.match_timing(&"wrong".into(), Some("00ff:00ff")).await.unwrap();
        assert!(passwords.kinds.mixed.load(Ordering::Relaxed));
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
