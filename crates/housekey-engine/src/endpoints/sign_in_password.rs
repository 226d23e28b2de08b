use std::sync::Arc;

use crate::api::Guess;
use crate::models::find_credential;
use crate::password::{Verdict, check_password_length};
use crate::storage::Filter;
use crate::timing::with_minimum_duration_on_error;
use crate::{Api, ErrorCode, Record, Result, Secret, SecurityEventKind, SignIn, User, codes};

/// How often a password is checked again that was stored anew while it was checked.
const TRIES: usize = 3;

/// A person who says who they are by their address or by something else that a plugin looked up, a name or a number, and proves it
/// by their password.
#[derive(Clone, Debug)]
pub struct SignInPassword {
    /// What they said, in the form in which it was looked up. Guesses at what is nobody's are counted by it.
    pub name: String,
    /// Whose it is, if it is anybody's.
    pub user: Option<User>,
    pub password: Secret,
    /// Where the link in a verification mail leads.
    pub callback_url: Option<String>,
    /// Whether the session outlives the browser; yes when unset.
    pub remember_me: Option<bool>,
    /// What is said to a name that is nobody's and to a wrong password alike.
    pub refusal: ErrorCode,
}

impl Api {
    /// Signs in with a password whoever was found by what they said. Somebody and nobody are refused alike and in the same time,
    /// and guesses at an account are counted together, by whatever name they are made ([`sign_in_email`](Self::sign_in_email) comes
    /// here too).
    // spec: SEC-4 SEC-5
    pub async fn sign_in_password(&mut self, input: SignInPassword) -> Result<SignIn> {
        let core = Arc::clone(&self.core);
        let options = &core.options.email_and_password;
        match options.require_email_verification && options.hide_unverified {
            true => with_minimum_duration_on_error(&core.clock, self.sign_in_by_password(input)).await,
            false => self.sign_in_by_password(input).await,
        }
    }

    pub(super) async fn sign_in_by_password(&mut self, input: SignInPassword) -> Result<SignIn> {
        check_password_length(&self.core.options, &input.password)?;
        for _ in 0..TRIES {
            if let Some(sign_in) = self.sign_in_once(&input).await? {
                return Ok(sign_in);
            }
        }
        Err(input.refusal.unauthorized())
    }

    /// `None` when the password was replaced while it was checked: what was right a moment ago lets nobody in any more.
    // spec: SEC-2
    async fn sign_in_once(&mut self, input: &SignInPassword) -> Result<Option<SignIn>> {
        let Checked { user, account_id, hash } = self.check_credentials(input).await?;
        let required = self.options().email_and_password.require_email_verification;
        if required && !user.email_verified {
            if self.options().email_verification.send_on_sign_in {
                self.send_verification(&user, input.callback_url.as_deref()).await;
            }
            let refused = self.event(SecurityEventKind::SignInRefused, Some(&user.id));
            self.emit(refused.with("reason", "unproven-address")).await;
            return Err(match self.options().email_and_password.hide_unverified {
                true => input.refusal.unauthorized(),
                false => codes::EMAIL_NOT_VERIFIED.forbidden(),
            });
        }
        self.set_sign_in_method("password");
        let mut changes = self.changes();
        // Before the session is written, because whoever replaces the password writes the account first and ends the sessions
        // then: either they find this session, or this finds another hash.
        let same = Filter::by("id", account_id).and_by("password", &hash);
        changes.expect("account", same, Record::new().with("password", &hash));
        let remember = Some(input.remember_me.unwrap_or(true));
        let sign_in = self.sign_in_user_with(changes, user.clone(), remember).await?;
        // After the session's cookie, which simple clients take to be the first. Where new devices are told of, one is known
        // when its session begins, and not while a code is waited for.
        if sign_in.is_some() && !self.options().alerts.on_new_device.is_set() {
            self.remember_device(&user, &hash);
        }
        Ok(sign_in)
    }

    async fn check_credentials(&self, input: &SignInPassword) -> Result<Checked> {
        let SignInPassword { name, user, password, refusal, .. } = input;
        let account = match user {
            Some(user) => find_credential(&self.core, user).await?,
            None => None,
        };
        let hash = account.as_ref().and_then(|account| account.text("password"));
        let email = user.as_ref().map_or(name, |user| &user.email);
        let guess = Guess::SignIn { email, user: user.as_ref() };
        let verdict = self.judge_password(guess, password, hash).await?;
        let (Some(user), Some(account), Some(hash)) = (user, &account, hash) else {
            return Err(refusal.unauthorized());
        };
        let hash = match verdict {
            Verdict::Wrong => return Err(refusal.unauthorized()),
            Verdict::Right => hash.to_owned(),
            Verdict::RightButOutdated => self.hash_again(account, hash, password).await?,
        };
        let account_id = account.text("id").unwrap_or_default().to_owned();
        Ok(Checked { user: user.clone(), account_id, hash })
    }

    /// Stores a password in the way that is chosen now, unless it was changed meanwhile. The password stays the same,
    /// so no hook is told.
    async fn hash_again(&self, account: &Record, old: &str, password: &Secret) -> Result<String> {
        let hash = self.core.passwords.hash(password).await?;
        let filter = Filter::by("id", account.text("id").unwrap_or_default()).and_by("password", old);
        let changes = Record::new().with("password", &hash);
        self.core.storage.update(self.core.table("account")?, &filter, &changes).await?;
        Ok(hash)
    }
}

/// Whose password was right.
struct Checked {
    user: User,
    account_id: String,
    /// As it is stored now.
    hash: String,
}
