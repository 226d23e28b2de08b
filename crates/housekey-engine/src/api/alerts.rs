//! What the owner of an account hears about.

use std::time::Duration;

use super::Api;
use crate::models::{Changes, find_credential};
use crate::options::{Guessed, Lockout, NewDevice};
use crate::{Result, User};

/// Under this and the id of a user stands that they were signed in before.
const SIGNED_IN: &str = "signed-in:";
/// Ten years.
const LIFE: u32 = 315_360_000;

impl Api {
    /// Tells the owner of a session that has just begun in a browser that is not known to the account, and makes the browser
    /// known. That it could not be told undoes no sign-in. [`sign_in_user`](Self::sign_in_user) does this; it is for plugins that
    /// begin the session of somebody who signs in by other means.
    // spec: SEC-12
    pub async fn alert_new_device(&mut self, user: &User) {
        if !self.options().alerts.on_new_device.is_set() {
            return;
        }
        if let Err(error) = self.alert_if_new(user).await {
            tracing::error!(%error, "it could not be found out whether a device is new");
        }
    }

    async fn alert_if_new(&mut self, user: &User) -> Result<()> {
        let account = find_credential(&self.core, user).await?;
        let hash = account.as_ref().and_then(|account| account.text("password")).unwrap_or_default();
        let is_known = self.known_device(user, hash).is_some();
        self.remember_device(user, hash);
        if is_known {
            return Ok(());
        }
        if self.verifications().find(&before(user)).await?.is_none() {
            return self.verifications().create(&before(user), "", LIFE).await;
        }
        let device = NewDevice {
            user: user.clone(),
            at: self.clock().now(),
            ip_address: self.client_address(),
            user_agent: self.user_agent(),
        };
        self.send("onNewDevice", &self.options().alerts.on_new_device, device).await;
        Ok(())
    }

    /// Adds to some changes that somebody has their first session.
    pub(crate) async fn first_session_in(&self, changes: &mut Changes, user: &User) -> Result<()> {
        if !self.options().alerts.on_new_device.is_set() {
            return Ok(());
        }
        self.verifications().create_in(changes, &before(user), "", LIFE).await
    }

    /// Adds to some changes that nothing is known of somebody's sessions any more.
    pub(crate) async fn forget_sessions_in(&self, changes: &mut Changes, user: &User) -> Result<()> {
        self.verifications().delete_in(changes, &before(user)).await
    }

    /// Tells the owner that no more guesses at their account are looked at. Once per lock: who calls this counted the last one.
    /// An address that is nobody's is counted like any other, so that nothing is different.
    // spec: SEC-12
    pub async fn alert_lockout(&self, email: &str, user: Option<&User>, guessed: Guessed, lasts: Duration) {
        let callback = &self.options().alerts.on_lockout;
        if !callback.is_set() || !self.may_mail("lockout", email, u32::MAX).await {
            return;
        }
        let Some(user) = user.cloned() else { return };
        let (at, ip_address) = (self.clock().now(), self.client_address());
        self.send("onLockout", callback, Lockout { user, guessed, at, lasts, ip_address }).await;
    }
}

fn before(user: &User) -> String {
    format!("{SIGNED_IN}{}", user.id)
}
