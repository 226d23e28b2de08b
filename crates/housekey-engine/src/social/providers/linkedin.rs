use serde_json::Value;

use super::reading::standard;
use crate::Secret;
use crate::social::{Pkce, ProfileSource, ProfileUser, Provider, ProviderKind, ProviderSpec};

pub(crate) const LINKEDIN: ProviderKind = ProviderKind { id: "linkedin", name: "LinkedIn", spec };

impl Provider {
    /// Sign in with LinkedIn. Register the app at <https://www.linkedin.com/developers/apps>.
    pub fn linkedin(client_id: impl Into<String>, client_secret: impl Into<Secret>) -> Self {
        Self::new(&LINKEDIN, client_id, client_secret)
    }
}

fn spec(_: &Provider) -> ProviderSpec {
    ProviderSpec {
        authorization_endpoint: "https://www.linkedin.com/oauth/v2/authorization".into(),
        token_endpoint: "https://www.linkedin.com/oauth/v2/accessToken".into(),
        user_info_endpoint: Some("https://api.linkedin.com/v2/userinfo".into()),
        scopes: ["profile", "email", "openid"].map(Into::into).into(),
        pkce: Pkce::Off,
        login_hint: true,
        profile: ProfileSource::UserInfo { headers: Vec::new(), map: profile },
        ..ProviderSpec::default()
    }
}

fn profile(_: &Provider, profile: &Value) -> Option<ProfileUser> {
    standard(profile, "sub", &["name"])
}
