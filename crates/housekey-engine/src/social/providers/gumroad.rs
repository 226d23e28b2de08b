use serde_json::Value;

use super::generic::preset;
use crate::Secret;
use crate::social::{ProfileSource, ProfileUser, Provider, ProviderKind, ProviderSpec};

pub(crate) const GUMROAD: ProviderKind = ProviderKind { id: "gumroad", name: "Gumroad", spec };

impl Provider {
    /// Sign in with Gumroad. Register the app at <https://gumroad.com/settings/advanced>.
    pub fn gumroad(client_id: impl Into<String>, client_secret: impl Into<Secret>) -> Self {
        Self::new(&GUMROAD, client_id, client_secret)
    }
}

fn spec(provider: &Provider) -> ProviderSpec {
    ProviderSpec {
        authorization_endpoint: "https://gumroad.com/oauth/authorize".into(),
        token_endpoint: "https://api.gumroad.com/oauth/token".into(),
        user_info_endpoint: Some("https://api.gumroad.com/v2/user".into()),
        id_token: None,
        profile: ProfileSource::UserInfo { headers: Vec::new(), map: profile },
        ..preset(provider, &["view_profile"])
    }
}

fn profile(_: &Provider, profile: &Value) -> Option<ProfileUser> {
    if profile.get("success") != Some(&Value::Bool(true)) {
        return None;
    }
    let user = ProfileUser::read(profile, "user.user_id")?;
    Some(user.name(profile, &["user.name"]).email(profile, "user.email").image(profile, "user.profile_url"))
}
