use super::generic::{discovered, existing};
use crate::Secret;
use crate::social::{Provider, ProviderKind, ProviderSpec};

pub(crate) const KEYCLOAK: ProviderKind = ProviderKind { id: "keycloak", name: "Keycloak", spec };

impl Provider {
    /// Sign in with Keycloak. The issuer is that of the realm: `https://id.example.com/realms/example`.
    pub fn keycloak(
        issuer: impl Into<String>,
        client_id: impl Into<String>,
        client_secret: impl Into<Secret>,
    ) -> Self {
        let issuer = issuer.into();
        existing(Self::new(&KEYCLOAK, client_id, client_secret), &issuer).with("issuer", issuer)
    }
}

fn spec(provider: &Provider) -> ProviderSpec {
    discovered(provider, provider.settings.text("issuer").unwrap_or_default())
}
