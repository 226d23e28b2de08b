use std::sync::Arc;

use super::request_password_reset::RESET_LINK;
use crate::models::{Changes, Commit, Verifications, credential_account, find_credential};
use crate::password::Owner;
use crate::storage::Filter;
use crate::{Api, Record, Result, Secret, SecurityEventKind, User, codes};

impl Api {
    /// Gives a password to a user who has none. Server code only: there is no endpoint.
    pub async fn set_password(&self, user: &User, password: &Secret) -> Result<()> {
        let core = Arc::clone(&self.core);
        self.check_password_of(Owner::from(user), password).await?;
        if find_credential(&core, user).await?.is_some() {
            return Err(codes::PASSWORD_ALREADY_SET.bad_request());
        }
        let hash = core.passwords.hash(password).await?;
        let mut changes = Changes::new(&core);
        changes.create("account", credential_account(&user.id, &hash)).await?;
        Verifications(&core).delete_owned_in(&mut changes, RESET_LINK, &user.id).await?;
        match changes.commit().await? {
            Commit::Done => {
                self.emit(self.event(SecurityEventKind::PasswordSet, Some(&user.id))).await;
                Ok(())
            }
            Commit::Lost => Err(codes::PASSWORD_ALREADY_SET.bad_request()),
        }
    }

    /// Sets the password of a user, whether they had one or not, and ends their sessions and the links that would set another:
    /// whoever knew the old password, or was let in by it, is out. For server code that has made sure who asks.
    pub async fn replace_password(&self, user: &User, password: &Secret) -> Result<()> {
        let core = Arc::clone(&self.core);
        self.check_password_of(Owner::from(user), password).await?;
        let hash = core.passwords.hash(password).await?;
        let mut changes = Changes::new(&core);
        match find_credential(&core, user).await? {
            Some(account) => {
                let same = Filter::by("id", account.text("id").unwrap_or_default());
                changes.update_expecting("account", same, Record::new().with("password", &hash)).await?;
            }
            None => drop(changes.create("account", credential_account(&user.id, &hash)).await?),
        }
        self.forget_ways_back_in(&mut changes, &user.id).await?;
        self.end_mailed_in(&mut changes, user).await?;
        self.prepare_end(&mut changes, &user.id, None).await?;
        if changes.commit().await? == Commit::Lost {
            return Err(codes::FAILED_TO_UPDATE_USER.bad_request());
        }
        self.forget_guesses(&user.email).await;
        Ok(())
    }

    /// Adds to some changes the end of what plugins mailed to a user and lets somebody in: links and codes to sign in with.
    pub(crate) async fn end_mailed_in(&self, changes: &mut Changes, user: &User) -> Result<()> {
        for end in &self.plugin_hooks.mailed_ways_in {
            end(self, changes, user).await?;
        }
        Ok(())
    }

    /// Adds to some changes the end of the links that were sent to a user's address and would set a password, and of a move to
    /// another address.
    pub async fn forget_ways_back_in(&self, changes: &mut Changes, user_id: &str) -> Result<()> {
        Verifications(&self.core).delete_owned_in(changes, RESET_LINK, user_id).await?;
        self.forget_change_in(changes, user_id).await
    }
}
