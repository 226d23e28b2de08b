use super::Api;
use crate::Callback;
use crate::url::component;

impl Api {
    /// Sends something. A mail that cannot be sent is logged and does not fail the request: the answer must not
    /// depend on whether the address exists.
    pub(crate) async fn send<M>(&self, what: &str, callback: &Callback<M>, mail: M) {
        if let Some(Err(error)) = callback.call(mail).await {
            tracing::error!(what, %error, "a callback of the auth engine failed");
        }
    }

    /// The address of an endpoint, as a link in a mail carries it.
    pub(crate) fn link(&self, path: &str, token: Option<&str>, callback: &str) -> String {
        let token = token.map(|token| format!("token={}&", component(token))).unwrap_or_default();
        self.core.base.endpoint(&format!("{path}?{token}callbackURL={}", component(callback)))
    }
}
