use serde_json::Value;

use super::reading::placeholder;
use crate::Secret;
use crate::social::{ParameterOrder, Pkce, ProfileSource, ProfileUser, Provider, ProviderKind, ProviderSpec};

pub(crate) const TIKTOK: ProviderKind = ProviderKind { id: "tiktok", name: "TikTok", spec };

impl Provider {
    /// Sign in with TikTok. Register the app at <https://developers.tiktok.com/apps>; TikTok calls the client id a client key.
    pub fn tiktok(client_key: impl Into<String>, client_secret: impl Into<Secret>) -> Self {
        Self::new(&TIKTOK, client_key, client_secret)
    }
}

fn spec(_: &Provider) -> ProviderSpec {
    ProviderSpec {
        authorization_endpoint: "https://www.tiktok.com/v2/auth/authorize".into(),
        token_endpoint: "https://open.tiktokapis.com/v2/oauth/token/".into(),
        user_info_endpoint: Some(
            "https://open.tiktokapis.com/v2/user/info/?fields=open_id,avatar_large_url,display_name,username"
                .into(),
        ),
        scopes: vec!["user.info.profile".into()],
        scope_separator: ",",
        // TikTok takes no challenge on the web, and does not mind a verifier: the reference sends one.
        pkce: Pkce::VerifierOnly,
        client_id_name: "client_key",
        parameter_order: ParameterOrder::ScopeFirst,
        profile: ProfileSource::UserInfo { headers: Vec::new(), map: profile },
        ..ProviderSpec::default()
    }
}

fn profile(_: &Provider, profile: &Value) -> Option<ProfileUser> {
    let user = ProfileUser::read(profile, "data.user.open_id")?
        .name(profile, &["data.user.display_name", "data.user.username"])
        .email(profile, "data.user.email")
        .image(profile, "data.user.avatar_large_url");
    let email = user.email.clone().or_else(|| Some(placeholder(TIKTOK.id, &user.id)));
    Some(ProfileUser { email, ..user })
}
