//! Where a code that was mailed is counted before it is compared, whichever code it is.

use super::Api;
use crate::models::find_credential;
use crate::{Result, SecurityEventKind, User};

impl Api {
    /// Counts one more guess at a code that was mailed to an address, and refuses it with 429 when there were too many. All codes of
    /// the address share the count, so asking for another gives nobody more guesses. As all limits, it counts where rate limits
    /// are on; the guesses at one code are counted in its row besides.
    ///
    /// An address that is nobody's is counted like any other. What strangers guess does not make the owner wait: a browser in
    /// which they signed in before has a count of its own.
    // spec: SEC-4
    pub async fn count_code_guess(&self, email: &str, user: Option<&User>) -> Result<()> {
        let Some(limiter) = &self.core.limiter else { return Ok(()) };
        let key = self.code_key(email, user).await?;
        let rules = &self.options().rate_limit.per_account.codes;
        let Some(exceeded) = limiter.count(&self.core, &key, rules).await? else { return Ok(()) };
        // The ones after it find the account as it is: they are nothing new.
        if exceeded.is_first() {
            let event = match user {
                Some(user) => self.event(SecurityEventKind::Locked, Some(&user.id)),
                None => self.unknown_user_event(SecurityEventKind::Locked, email),
            };
            self.emit(event.with("of", "email-code")).await;
        }
        Err(exceeded.refusal())
    }

    /// Forgets the guesses at the codes of an address: a right one came.
    pub async fn forget_code_guesses(&self, email: &str, user: Option<&User>) -> Result<()> {
        if let Some(limiter) = &self.core.limiter {
            let key = self.code_key(email, user).await?;
            limiter.forget(&self.core, &key, &self.options().rate_limit.per_account.codes).await;
        }
        Ok(())
    }

    /// Makes this browser known to a user who has just signed in with a code, so that strangers who guess do not make them wait here.
    pub async fn remember_code_device(&mut self, user: &User) -> Result<()> {
        if self.core.limiter.is_some() {
            let hash = self.device_hash(user).await?;
            self.remember_device(user, &hash);
        }
        Ok(())
    }

    async fn code_key(&self, email: &str, user: Option<&User>) -> Result<String> {
        let device = match user {
            Some(user) => self.known_device(user, &self.device_hash(user).await?),
            None => None,
        };
        let (kind, whose) = match device {
            Some(device) => ("device", device),
            None => ("address", email.to_lowercase()),
        };
        Ok(format!("email-code|{kind}|{}", self.counted(&whose)))
    }

    /// What a known browser knows the account by: its password as it is stored, or that there is none.
    async fn device_hash(&self, user: &User) -> Result<String> {
        let account = find_credential(&self.core, user).await?;
        let hash = account.as_ref().and_then(|account| account.text("password"));
        Ok(hash.unwrap_or_default().to_owned())
    }
}
