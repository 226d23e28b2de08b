use super::Api;
use crate::Callback;
use crate::url::component;

impl Api {
    /// Sends something through a callback of the options. What cannot be sent is logged, under the callback's name,
    /// and does not fail the request: the answer must not depend on whether the address exists.
    pub async fn send<M>(&self, what: &str, callback: &Callback<M>, mail: M) {
        if let Some(Err(error)) = callback.call(mail).await {
            tracing::error!(what, %error, "a callback of the auth engine failed");
        }
    }

    /// The address of an endpoint, as a link in a mail carries it: with a token, and with where to go afterwards.
    pub fn link(&self, path: &str, token: Option<&str>, callback: &str) -> String {
        let token = token.map(|token| format!("token={}&", component(token))).unwrap_or_default();
        self.core.base.endpoint(&format!("{path}?{token}callbackURL={}", component(callback)))
    }
}
