use super::Api;
use crate::wire::{check_callback, check_sign_in_origin, check_target, may_redirect};
use crate::{ErrorCode, Result};

/// Addresses: the app's own, and those that a client wants to be sent to.
impl Api {
    /// The app's own origin: scheme, host and port.
    pub fn origin(&self) -> &str {
        self.core.base.origin()
    }

    /// The whole address of an endpoint; [`link`](Self::link) makes one for a mail.
    ///
    /// ```
    /// # use housekey_engine::Api;
    /// fn verify_at(api: &Api) -> String {
    ///     api.endpoint_url("/door/open") // http://localhost:3000/api/auth/door/open
    /// }
    /// ```
    pub fn endpoint_url(&self, path: &str) -> String {
        self.core.base.endpoint(path)
    }

    /// Refuses a `callbackURL` that a browser must not be sent to: for a link that is opened with GET. What a POST names in its
    /// body as `callbackURL`, `errorCallbackURL`, `newUserCallbackURL` or `redirectTo` was checked before the endpoint is asked.
    pub async fn check_callback(&self, target: Option<&str>) -> Result<()> {
        check_callback(self, target).await
    }

    /// The same for an address that has another name, or that comes from server code: refused with this code.
    pub async fn check_target(&self, target: Option<&str>, code: ErrorCode) -> Result<()> {
        check_target(self, target, code).await
    }

    /// Whether a browser may be sent to an address, as far as the options say now: for one that was kept for a while.
    pub async fn may_redirect(&self, target: &str) -> bool {
        may_redirect(self, target).await
    }

    /// Refuses a sign-in or sign-up that a foreign page made a browser send. A request with cookies was checked already; this
    /// one is for those that have none yet: being signed in as somebody else is an attack as well. Ask after the body was read.
    pub async fn check_sign_in_origin(&self) -> Result<()> {
        check_sign_in_origin(self).await
    }
}
