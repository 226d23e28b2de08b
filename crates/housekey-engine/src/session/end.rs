use std::sync::Arc;

use crate::Api;
use crate::Result;
use crate::models::{Changes, Commit};
use crate::storage::{Comparison, Filter};

impl Api {
    /// Ends every session of a user; with `except`, all but the one with that token.
    pub async fn end_sessions_of(&self, user_id: &str, except: Option<&str>) -> Result<()> {
        let core = Arc::clone(&self.core);
        let mut changes = Changes::new(&core);
        self.prepare_end(&mut changes, user_id, except).await?;
        let _ = changes.commit().await?;
        self.emit_sessions_revoked(user_id, except.is_some()).await;
        Ok(())
    }

    /// Adds to some changes the end of every session of a user; with `except`, of all but the one with that token.
    pub async fn prepare_end(
        &self,
        changes: &mut Changes,
        user_id: &str,
        except: Option<&str>,
    ) -> Result<()> {
        let mut filter = Filter::by("userId", user_id);
        if let Some(token) = except {
            filter = filter.and("token", Comparison::NotEqual, token);
        }
        changes.delete("session", filter).await
    }

    /// Adds to some changes the end of the session that this client came with, where the options say that a sign-in ends it and no
    /// plugin keeps it for what follows.
    // spec: SEC-10
    pub(super) async fn end_presented_in(&self, changes: &mut Changes, user_id: &str) -> Result<()> {
        if !self.options().session.revoke_on_sign_in {
            return Ok(());
        }
        let Some(token) = self.signed_cookie(&self.core.cookies.session_token) else { return Ok(()) };
        let keepers = &self.plugin_hooks.keeps_session;
        if !keepers.is_empty()
            && let Some(presented) = self.session_by_token(&token).await?
            && keepers.iter().any(|keeps| keeps(&presented, user_id))
        {
            return Ok(());
        }
        changes.delete("session", Filter::by("token", token)).await
    }

    /// Ends the session with a token, if it belongs to that user. Whether there was one is told.
    pub async fn end_session(&self, token: &str, user_id: Option<&str>) -> Result<bool> {
        let core = Arc::clone(&self.core);
        let mut filter = Filter::by("token", token);
        if let Some(user_id) = user_id {
            filter = filter.and_by("userId", user_id);
        }
        let mut changes = Changes::new(&core);
        changes.delete_expecting("session", filter).await?;
        Ok(changes.commit().await? == Commit::Done)
    }

    /// Takes away the cookies of a session that is over, or that this browser is to forget: nobody is signed in here from now on.
    /// The session itself is ended by [`end_session`](Self::end_session).
    pub fn clear_session_cookies(&mut self) {
        self.forget_session_cookies();
        let core = Arc::clone(&self.core);
        self.clear_cookie(&core.cookies.dont_remember);
    }

    /// The same, but keeps what the browser was told about remembering.
    pub(crate) fn forget_session_cookies(&mut self) {
        let core = Arc::clone(&self.core);
        self.clear_cookie(&core.cookies.session_token);
        self.clear_cookie(&core.cookies.session_data);
        self.clear_cached_copy();
        #[cfg(feature = "social")]
        self.clear_account_cookie();
        self.change_session(None);
    }
}
