use super::generic::{discovered, existing};
use crate::Secret;
use crate::social::{Provider, ProviderKind, ProviderSpec};

pub(crate) const OKTA: ProviderKind = ProviderKind { id: "okta", name: "Okta", spec };

impl Provider {
    /// Sign in with Okta. The issuer is that of the authorization server: `https://example.okta.com/oauth2/default`.
    pub fn okta(
        issuer: impl Into<String>,
        client_id: impl Into<String>,
        client_secret: impl Into<Secret>,
    ) -> Self {
        let issuer = issuer.into();
        existing(Self::new(&OKTA, client_id, client_secret), &issuer).with("issuer", issuer)
    }
}

fn spec(provider: &Provider) -> ProviderSpec {
    discovered(provider, provider.settings.text("issuer").unwrap_or_default())
}
