//! A change of address that is under way. It is remembered only where the options say so
//! ([`ChangeEmail::cancellable`](crate::options::ChangeEmail::cancellable)), as one row that the links must match.

use super::send_verification_email::EmailClaims;
use crate::models::{Changes, Verification, find_credential};
use crate::record::Value;
use crate::{Api, Result, SecurityEventKind, User, random};

impl Api {
    /// The address that a user is moving to, until its links were followed, were cancelled or are too old. Known only
    /// where [`cancellable`](crate::options::ChangeEmail::cancellable) is on. Tells nothing about whose the address is.
    pub async fn pending_email(&self, user_id: &str) -> Result<Option<String>> {
        let found = self.verifications().find(&identifier(user_id)).await?;
        Ok(found.and_then(|found| found.value.split_once(':').map(|(_, email)| email.to_owned())))
    }

    /// Cancels the change of address of whoever is signed in: its links do nothing from now on, whichever of them are
    /// out. For this [`cancellable`](crate::options::ChangeEmail::cancellable) must be on.
    pub async fn cancel_change_email(&mut self) -> Result<()> {
        let signed_in = self.require_stored_session().await?;
        let user_id = &signed_in.user.id;
        if self.verifications().delete(&identifier(user_id)).await? {
            self.emit(self.event(SecurityEventKind::EmailChangeCancelled, Some(user_id))).await;
        }
        Ok(())
    }

    /// Remembers a change in the place of the one before, and gives its id for the links.
    pub(super) async fn remember_change(&self, user: &User, new_email: &str) -> Result<Option<String>> {
        if !self.options().user.change_email.cancellable {
            return Ok(None);
        }
        let (id, value) = entry(new_email);
        self.verifications().replace(&identifier(&user.id), &value, self.life()).await?;
        Ok(Some(id))
    }

    /// Goes on to the second link of a change: adds to some changes a new entry in the place of the found one.
    pub(super) async fn renew_change(
        &self,
        changes: &mut Changes,
        user: &User,
        new_email: &str,
    ) -> Result<String> {
        let (id, value) = entry(new_email);
        self.verifications().create_in(changes, &identifier(&user.id), &value, self.life()).await?;
        Ok(id)
    }

    /// Forgets a change together with some changes: its account is going, or its password was set anew.
    pub(crate) async fn forget_change_in(&self, changes: &mut Changes, user_id: &str) -> Result<()> {
        if self.options().user.change_email.cancellable {
            self.verifications().delete_in(changes, &identifier(user_id)).await?;
        }
        Ok(())
    }

    /// The entry that a link belongs to.
    pub(super) async fn change_of(
        &self,
        claims: &EmailClaims,
        user: &User,
        new_email: &str,
    ) -> Result<Change> {
        if !self.options().user.change_email.cancellable {
            // A password that was set since then ended the change: whoever asked for it may have been somebody else.
            let account = find_credential(&self.core, user).await?;
            let set = account.and_then(|account| account.get("updatedAt").and_then(Value::as_date));
            let over = set.is_some_and(|set| set.unix_timestamp() > claims.iat);
            return Ok(if over { Change::Over } else { Change::NotRemembered });
        }
        let found = self.verifications().find(&identifier(&user.id)).await?;
        let named = claims.change_id.as_deref().map(|id| format!("{id}:{new_email}"));
        Ok(match found {
            Some(found) if named.as_deref() == Some(found.value.as_str()) => Change::UnderWay(found),
            _ => Change::Over,
        })
    }

    fn life(&self) -> u32 {
        self.options().email_verification.expires_in
    }
}

/// What is known of the change that a link belongs to.
pub(super) enum Change {
    /// Changes are not remembered: the link alone decides.
    NotRemembered,
    /// It waits for this link.
    UnderWay(Verification),
    /// It was cancelled or replaced, or the link was followed before.
    Over,
}

fn identifier(user_id: &str) -> String {
    format!("change-email-{user_id}")
}

fn entry(new_email: &str) -> (String, String) {
    let id = random::lowercase(32);
    let value = format!("{id}:{new_email}");
    (id, value)
}
