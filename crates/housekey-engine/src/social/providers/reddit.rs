use serde_json::Value;

use super::reading::placeholder;
use crate::Secret;
use crate::social::{
    AuthorizationParams, Pkce, ProfileSource, ProfileUser, Provider, ProviderKind, ProviderSpec, TokenAuth,
};

pub(crate) const REDDIT: ProviderKind = ProviderKind { id: "reddit", name: "Reddit", spec };

impl Provider {
    /// Sign in with Reddit. Register the app at <https://www.reddit.com/prefs/apps>. For a refresh token say
    /// `.with("duration", "permanent")`.
    pub fn reddit(client_id: impl Into<String>, client_secret: impl Into<Secret>) -> Self {
        Self::new(&REDDIT, client_id, client_secret)
    }
}

fn spec(provider: &Provider) -> ProviderSpec {
    ProviderSpec {
        authorization_endpoint: "https://www.reddit.com/api/v1/authorize".into(),
        token_endpoint: "https://www.reddit.com/api/v1/access_token".into(),
        user_info_endpoint: Some("https://oauth.reddit.com/api/v1/me".into()),
        scopes: vec!["identity".into()],
        pkce: Pkce::Off,
        authorization: AuthorizationParams {
            duration: provider.settings.text("duration").map(str::to_owned),
            ..AuthorizationParams::default()
        },
        token_auth: TokenAuth::Basic,
        profile: ProfileSource::UserInfo { headers: Vec::new(), map: profile },
        ..ProviderSpec::default()
    }
}

/// Reddit tells nobody an address, only that there is one.
fn profile(_: &Provider, profile: &Value) -> Option<ProfileUser> {
    let user = ProfileUser::read(profile, "id")?.name(profile, &["name"]).image(profile, "icon_img");
    let email = Some(placeholder(REDDIT.id, &user.id));
    // What follows the `?` is a signature that does not last.
    let image = user.image.as_deref().and_then(|image| image.split('?').next()).map(str::to_owned);
    Some(ProfileUser { email, image, ..user })
}
