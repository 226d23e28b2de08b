//! Where a password is judged: the one place, whichever door it came through.

use data_encoding::BASE64URL_NOPAD;

use super::Api;
use crate::models::CREDENTIAL;
use crate::options::Guessed;
use crate::password::Verdict;
use crate::storage::{Filter, Find};
use crate::{Result, Secret, SecurityEvent, SecurityEventKind, User};

/// How many accounts are looked at to learn which kinds of hashes there are.
const SAMPLE: u32 = 50;

/// Who says a password, which decides whom a wrong one makes wait.
#[derive(Clone, Copy)]
pub(crate) enum Guess<'a> {
    /// Somebody who gives an address, which may be nobody's.
    SignIn { email: &'a str, user: Option<&'a User> },
    /// Somebody who is signed in and is asked once more.
    Again(&'a User),
}

impl<'a> Guess<'a> {
    /// The address that is guessed at, and whose it is.
    fn whose(self) -> (&'a str, Option<&'a User>) {
        match self {
            Self::SignIn { email, user } => (email, user),
            Self::Again(user) => (&user.email, Some(user)),
        }
    }
}

impl Api {
    /// Judges a password by a hash, or takes as long without one. It is counted before it is compared, whatever the
    /// client's address, in the counters that all processes share; a right one is forgotten.
    ///
    /// Strangers share a count per account, so many addresses are no better than one, and an address that is nobody's is
    /// counted like any other. They do not make the owner wait: a browser in which the password was right before
    /// ([`known_device`](Self::known_device)) and somebody who is signed in have counts of their own, and passkeys and reset
    /// links know no such count.
    // spec: SEC-4
    pub(crate) async fn judge_password(
        &self,
        guess: Guess<'_>,
        password: &Secret,
        hash: Option<&str>,
    ) -> Result<Verdict> {
        let rules = &self.options().rate_limit.per_account.passwords;
        let key = self.guess_key(guess, hash);
        if let Some(limiter) = &self.core.limiter
            && let Some(exceeded) = limiter.count(&self.core, &key, rules).await?
        {
            // The ones after it find the account as it is: they are nothing new.
            if exceeded.is_first() {
                self.emit(self.guess_event(SecurityEventKind::Locked, guess).with("of", "password")).await;
                let (email, user) = guess.whose();
                self.alert_lockout(email, user, Guessed::Password, exceeded.lasts()).await;
            }
            return Err(exceeded.refusal());
        }
        let verdict = match hash {
            Some(hash) => self.core.passwords.verify(password, hash).await?,
            None => Verdict::Wrong,
        };
        if verdict == Verdict::Wrong {
            self.match_timing(password, hash).await?;
            self.emit(self.refusal_event(guess, hash)).await;
        } else if let Some(limiter) = &self.core.limiter {
            limiter.forget(&self.core, &key, rules).await;
        }
        Ok(verdict)
    }

    /// Forgets what strangers guessed at an address: its owner has just set another password.
    pub(crate) async fn forget_guesses(&self, email: &str) {
        if let Some(limiter) = &self.core.limiter {
            let key = self.guess_key(Guess::SignIn { email, user: None }, None);
            limiter.forget(&self.core, &key, &self.options().rate_limit.per_account.passwords).await;
        }
    }

    /// That a password was wrong. Who knows it and who does not are told apart here alone: the answer does not.
    fn refusal_event(&self, guess: Guess<'_>, hash: Option<&str>) -> SecurityEvent {
        let kind = match guess {
            Guess::SignIn { .. } => SecurityEventKind::SignInRefused,
            Guess::Again(_) => SecurityEventKind::ConfirmationRefused,
        };
        let event = self.guess_event(kind, guess);
        let reason = match (&event.user_id, hash) {
            (None, _) => "unknown-address",
            (Some(_), None) => "no-password",
            (Some(_), Some(_)) => "wrong-password",
        };
        event.with("reason", reason)
    }

    /// An event about whom a guess is about. An address that is nobody's is personal all the same: only a name for it is kept,
    /// which tells whether it was tried before.
    fn guess_event(&self, kind: SecurityEventKind, guess: Guess<'_>) -> SecurityEvent {
        match guess {
            Guess::SignIn { user: Some(user), .. } | Guess::Again(user) => self.event(kind, Some(&user.id)),
            Guess::SignIn { email, user: None } => self.unknown_user_event(kind, email),
        }
    }

    /// An event about an address or a name that is nobody's. What is kept is a name for it, which tells whether it was tried before.
    pub fn unknown_user_event(&self, kind: SecurityEventKind, email: &str) -> SecurityEvent {
        self.event(kind, None).with("addressHash", self.counted(&email.to_lowercase()))
    }

    /// No address lies in the counters as it is.
    fn guess_key(&self, guess: Guess<'_>, hash: Option<&str>) -> String {
        let (kind, whose) = match guess {
            Guess::Again(user) => ("user", user.id.clone()),
            Guess::SignIn { email, user } => {
                match user.zip(hash).and_then(|(user, hash)| self.known_device(user, hash)) {
                    Some(device) => ("device", device),
                    None => ("address", email.to_lowercase()),
                }
            }
        };
        format!("password|{kind}|{}", self.counted(&whose))
    }

    /// A name for counters that tells nobody whom it is about.
    pub(crate) fn counted(&self, whose: &str) -> String {
        BASE64URL_NOPAD.encode(&self.core.keys.mac(&[b"counter!", whose.as_bytes()]))
    }

    /// Makes a refusal take as long as any other. A database that came from the reference holds hashes that cost more
    /// than ours: the first refusal looks at a few, so that it knows before it meets one.
    async fn match_timing(&self, password: &Secret, checked: Option<&str>) -> Result<()> {
        let core = &self.core;
        if core.passwords.wants_sample() {
            let some = Find::new(Filter::by("providerId", CREDENTIAL)).limit(SAMPLE);
            let accounts = core.storage.find(core.table("account")?, &some).await?;
            accounts
                .iter()
                .filter_map(|account| account.text("password"))
                .for_each(|hash| core.passwords.note(hash));
        }
        core.passwords.match_timing(password, checked).await
    }
}
