use serde_json::Value;

use crate::Secret;
use crate::social::{ProfileSource, ProfileUser, Provider, ProviderKind, ProviderSpec, TokenAuth};

pub(crate) const FIGMA: ProviderKind = ProviderKind { id: "figma", name: "Figma", spec };

impl Provider {
    /// Sign in with Figma. Register the app at <https://www.figma.com/developers/apps>.
    pub fn figma(client_id: impl Into<String>, client_secret: impl Into<Secret>) -> Self {
        Self::new(&FIGMA, client_id, client_secret)
    }
}

fn spec(_: &Provider) -> ProviderSpec {
    ProviderSpec {
        authorization_endpoint: "https://www.figma.com/oauth".into(),
        token_endpoint: "https://api.figma.com/v1/oauth/token".into(),
        user_info_endpoint: Some("https://api.figma.com/v1/me".into()),
        scopes: vec!["current_user:read".into()],
        token_auth: TokenAuth::Basic,
        profile: ProfileSource::UserInfo { headers: Vec::new(), map: profile },
        ..ProviderSpec::default()
    }
}

fn profile(_: &Provider, profile: &Value) -> Option<ProfileUser> {
    let user = ProfileUser::read(profile, "id")?;
    Some(user.name(profile, &["handle"]).email(profile, "email").image(profile, "img_url"))
}
