use std::sync::Arc;

use super::request_password_reset::RESET_LINK;
use crate::models::{Changes, Commit, Verifications, credential_account, find_credential};
use crate::password::{Owner, check_new_password};
use crate::{Api, Result, Secret, SecurityEventKind, User, codes};

impl Api {
    /// Gives a password to a user who has none. Server code only: there is no endpoint.
    pub async fn set_password(&self, user: &User, password: &Secret) -> Result<()> {
        let core = Arc::clone(&self.core);
        check_new_password(&core.options, password, Owner::from(user)).await?;
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
}
