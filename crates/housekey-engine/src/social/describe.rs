//! What an operator wants to know about the providers of an engine.

use super::SocialError;
use crate::Engine;

impl Engine {
    /// The address to register at a provider: where it sends people back to. `None` when there is no such provider.
    pub fn redirect_uri(&self, provider: &str) -> Option<String> {
        let provider = self.core.options.social_providers.get(provider)?;
        let own = || self.core.base.endpoint(&format!("/callback/{}", provider.id));
        Some(provider.settings.redirect_uri.clone().unwrap_or_else(own))
    }

    /// Asks a provider for its discovery document, now: the issuer that it names. `Ok(None)` when the provider has no such
    /// document, and nothing was asked.
    pub async fn check_provider(&self, provider: &str) -> Result<Option<String>, SocialError> {
        self.core.social.check(provider).await
    }
}
