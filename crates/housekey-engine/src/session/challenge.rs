use std::sync::Arc;

use http::StatusCode;

use crate::models::{Changes, Commit};
use crate::{Api, Challenge, Result, SecurityEventKind, SignIn, SignedIn, User, codes};

/// What stands between credentials and a session. Everything that begins a session for somebody who had none asks here
/// first.
impl Api {
    /// Signs somebody in who proved who they are by one factor: begins a session, or asks for what a plugin wants to see
    /// first.
    pub async fn sign_in_user(&mut self, user: User, remember: Option<bool>) -> Result<SignIn> {
        let signed_in = self.sign_in_user_with(self.changes(), user, remember).await?;
        signed_in.ok_or_else(|| codes::FAILED_TO_CREATE_SESSION.with(StatusCode::INTERNAL_SERVER_ERROR))
    }

    /// The same together with some changes, which spend what the person came with. `None` when someone else did: then
    /// nothing is written, and nobody is signed in or asked.
    pub async fn sign_in_user_with(
        &mut self,
        mut changes: Changes,
        user: User,
        remember: Option<bool>,
    ) -> Result<Option<SignIn>> {
        self.admit(&user).await?;
        if let Some(challenge) = self.challenge(&user).await? {
            if changes.commit().await? == Commit::Lost {
                self.withhold_cookies();
                return Ok(None);
            }
            self.withhold_session(&user.id, remember).await?;
            self.emit(self.sign_in_event(SecurityEventKind::SecondFactorAsked, &user.id)).await;
            return Ok(Some(SignIn::Challenged(challenge)));
        }
        let session = self.prepare_admitted(&mut changes, &user.id, remember).await?;
        if changes.commit().await? == Commit::Lost {
            return Ok(None);
        }
        let signed_in = self.adopt_session(SignedIn::new(session, user), remember).await;
        self.emit(self.sign_in_event(SecurityEventKind::SignIn, &signed_in.user.id)).await;
        self.alert_new_device(&signed_in.user).await;
        Ok(Some(SignIn::Done(signed_in)))
    }

    /// Refuses somebody who may have no session, whatever they proved. Asked before a second factor is, so that nobody is asked
    /// for one in vain.
    // spec: ADM-1
    pub async fn admit(&self, user: &User) -> Result<()> {
        for guard in &self.plugin_hooks.session_guards {
            guard(self, user).await?;
        }
        Ok(())
    }

    /// What a plugin wants to see first, if one does.
    // spec: SEC-3
    async fn challenge(&mut self, user: &User) -> Result<Option<Challenge>> {
        for hook in &Arc::clone(&self.plugin_hooks).challenges {
            if let Some(challenge) = hook(self, user).await? {
                self.note_challenge(&challenge);
                return Ok(Some(challenge));
            }
        }
        Ok(None)
    }

    /// Takes away the cookies of whoever was signed in before; only what the browser was told about remembering is kept.
    async fn withhold_session(&mut self, user_id: &str, remember: Option<bool>) -> Result<()> {
        let core = Arc::clone(&self.core);
        let mut changes = self.changes();
        self.end_presented_in(&mut changes, user_id).await?;
        let _ = changes.commit().await?;
        self.forget_session_cookies();
        if self.forgets(remember) {
            let dont_remember = &core.cookies.dont_remember;
            self.set_signed_cookie(dont_remember, "true", dont_remember.life());
        } else if self.has_cookie(&core.cookies.dont_remember) {
            self.clear_cookie(&core.cookies.dont_remember);
        }
        Ok(())
    }
}
