use super::Api;
use crate::models::CREDENTIAL;
use crate::storage::{Comparison, Filter};
use crate::{Changes, Record, Result, SecurityEventKind, User};

/// What happens when somebody proves for the first time that an address is theirs. Until then anybody could have signed up with
/// it, and may have left themselves a way in.
// spec: SEC-2
impl Api {
    /// Adds to some changes that the owner of an address takes over an account whose address was not proven before: it is proven
    /// now, and everything else that lets somebody in ends. That is its sessions, its password, its accounts elsewhere, what
    /// plugins [said to be a way in](crate::Plugin::recovery), the links that were sent for it and a change of its address.
    ///
    /// For whatever signs in somebody who got a mail: a link, a code. Gives the user as they will be. When the address has changed
    /// meanwhile, the commit is [lost](crate::Commit::Lost). Afterwards tell it with [`emit_first_proof`](Self::emit_first_proof).
    ///
    /// ```
    /// use housekey_engine::{Api, Changes, Result, SignIn, User};
    ///
    /// async fn open(api: &mut Api, mut changes: Changes, user: User) -> Result<Option<SignIn>> {
    ///     let first = !user.email_verified;
    ///     let user = if first { api.prove_email_in(&mut changes, &user).await? } else { user };
    ///     let signed_in = api.sign_in_user_with(changes, user.clone(), None).await?;
    ///     if first && signed_in.is_some() {
    ///         api.emit_first_proof(&user).await;
    ///     }
    ///     Ok(signed_in)
    /// }
    /// ```
    pub async fn prove_email_in(&self, changes: &mut Changes, user: &User) -> Result<User> {
        let proven = self.take_back_in(changes, user).await?;
        let password = Filter::by("userId", &user.id).and_by("providerId", CREDENTIAL);
        changes.delete("account", password).await?;
        self.prepare_end(changes, &user.id, None).await?;
        self.verifications().delete_all_owned_in(changes, &user.id).await?;
        self.forget_change_in(changes, &user.id).await?;
        Ok(proven)
    }

    /// Tells that an address was proven and that the sessions which were there before ended.
    pub async fn emit_first_proof(&self, user: &User) {
        let proven = self.event(SecurityEventKind::EmailVerified, Some(&user.id));
        self.emit(proven.with("firstProof", true)).await;
        self.emit_sessions_revoked(&user.id, false).await;
    }

    /// Adds to some changes that the address is proven, and the end of the ways in that somebody else may have left in the
    /// account before: factors, and accounts elsewhere. The password stays: who calls this sets another.
    pub(crate) async fn take_back_in(&self, changes: &mut Changes, user: &User) -> Result<User> {
        let recoveries = &self.core.recoveries;
        let mut proven = Record::new().with("emailVerified", true);
        for recovery in recoveries {
            proven.merge(recovery.user.clone());
        }
        // First, because a factor that is added at the same time waits for this row. The address is part of the condition: the
        // proof was sent to this one.
        let same = Filter::by("id", &user.id).and_by("email", &user.email);
        let proven = changes.update_expecting("user", same, proven).await?;
        for recovery in recoveries {
            changes.delete(&recovery.table, Filter::by(recovery.owner, &user.id)).await?;
        }
        let elsewhere = Filter::by("userId", &user.id).and("providerId", Comparison::NotEqual, CREDENTIAL);
        changes.delete("account", elsewhere).await?;
        user.changed(&proven)
    }
}
