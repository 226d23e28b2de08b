use serde_json::Value;

use super::reading::standard;
use crate::Secret;
use crate::social::{ProfileSource, ProfileUser, Provider, ProviderKind, ProviderSpec};

pub(crate) const VERCEL: ProviderKind = ProviderKind { id: "vercel", name: "Vercel", spec };

impl Provider {
    /// Sign in with Vercel. Register the app in the settings of a team at <https://vercel.com>; its scopes are set there.
    pub fn vercel(client_id: impl Into<String>, client_secret: impl Into<Secret>) -> Self {
        Self::new(&VERCEL, client_id, client_secret)
    }
}

fn spec(_: &Provider) -> ProviderSpec {
    ProviderSpec {
        authorization_endpoint: "https://vercel.com/oauth/authorize".into(),
        token_endpoint: "https://api.vercel.com/login/oauth/token".into(),
        user_info_endpoint: Some("https://api.vercel.com/login/oauth/userinfo".into()),
        refreshes: false,
        profile: ProfileSource::UserInfo { headers: Vec::new(), map: profile },
        ..ProviderSpec::default()
    }
}

fn profile(_: &Provider, profile: &Value) -> Option<ProfileUser> {
    standard(profile, "sub", &["name", "preferred_username"])
}
