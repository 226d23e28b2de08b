use serde_json::Value;

use super::reading::placeholder;
use crate::Secret;
use crate::social::{
    AuthorizationParams, Pkce, ProfileSource, ProfileUser, Provider, ProviderKind, ProviderSpec,
};

pub(crate) const ROBLOX: ProviderKind = ProviderKind { id: "roblox", name: "Roblox", spec };

impl Provider {
    /// Sign in with Roblox. Register the app at <https://create.roblox.com/dashboard/credentials>.
    pub fn roblox(client_id: impl Into<String>, client_secret: impl Into<Secret>) -> Self {
        Self::new(&ROBLOX, client_id, client_secret)
    }
}

fn spec(_: &Provider) -> ProviderSpec {
    ProviderSpec {
        authorization_endpoint: "https://apis.roblox.com/oauth/v1/authorize".into(),
        token_endpoint: "https://apis.roblox.com/oauth/v1/token".into(),
        user_info_endpoint: Some("https://apis.roblox.com/oauth/v1/userinfo".into()),
        scopes: ["openid", "profile"].map(Into::into).into(),
        pkce: Pkce::Off,
        authorization: AuthorizationParams {
            prompt: Some("select_account consent".into()),
            ..AuthorizationParams::default()
        },
        profile: ProfileSource::UserInfo { headers: Vec::new(), map: profile },
        ..ProviderSpec::default()
    }
}

fn profile(_: &Provider, profile: &Value) -> Option<ProfileUser> {
    let user = ProfileUser::read(profile, "sub")?;
    let email = Some(placeholder(ROBLOX.id, &user.id));
    let user = user.name(profile, &["nickname", "preferred_username"]).image(profile, "picture");
    Some(ProfileUser { email, ..user })
}
