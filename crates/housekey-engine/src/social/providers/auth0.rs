use super::generic::{discovered, existing};
use crate::Secret;
use crate::social::{Provider, ProviderKind, ProviderSpec};

pub(crate) const AUTH0: ProviderKind = ProviderKind { id: "auth0", name: "Auth0", spec };

impl Provider {
    /// Sign in with Auth0. The domain is the tenant's: `example.eu.auth0.com`.
    pub fn auth0(
        domain: impl Into<String>,
        client_id: impl Into<String>,
        client_secret: impl Into<Secret>,
    ) -> Self {
        let domain = domain.into();
        existing(Self::new(&AUTH0, client_id, client_secret), &domain).with("domain", domain)
    }
}

fn spec(provider: &Provider) -> ProviderSpec {
    let domain = provider.settings.text("domain").unwrap_or_default();
    let domain = domain.trim_start_matches("https://").trim_start_matches("http://");
    let issuer = if domain.is_empty() { String::new() } else { format!("https://{domain}") };
    discovered(provider, &issuer)
}
