use serde_json::Value;

use super::reading::{standard, without_trailing_slash};
use crate::Secret;
use crate::social::{IdTokenSpec, ProfileSource, ProfileUser, Provider, ProviderKind, ProviderSpec};

pub(crate) const PAYBIN: ProviderKind = ProviderKind { id: "paybin", name: "Paybin", spec };

impl Provider {
    /// Sign in with Paybin. Another server is `.with("issuer", "https://…")`.
    pub fn paybin(client_id: impl Into<String>, client_secret: impl Into<Secret>) -> Self {
        Self::new(&PAYBIN, client_id, client_secret)
    }
}

fn spec(provider: &Provider) -> ProviderSpec {
    let issuer = without_trailing_slash(provider.settings.text("issuer").unwrap_or("https://idp.paybin.io"));
    ProviderSpec {
        authorization_endpoint: format!("{issuer}/oauth2/authorize"),
        token_endpoint: format!("{issuer}/oauth2/token"),
        scopes: ["openid", "email", "profile"].map(Into::into).into(),
        login_hint: true,
        // Paybin does not say where its keys are: its tokens are believed when its token endpoint sends them, never from a
        // client.
        id_token: Some(IdTokenSpec { sign_in: false, ..IdTokenSpec::default() }),
        profile: ProfileSource::IdToken(profile),
        ..ProviderSpec::default()
    }
}

fn profile(_: &Provider, claims: &Value) -> Option<ProfileUser> {
    standard(claims, "sub", &["name", "preferred_username"])
}
