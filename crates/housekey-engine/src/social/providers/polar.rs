use serde_json::Value;

use crate::Secret;
use crate::social::{ProfileSource, ProfileUser, Provider, ProviderKind, ProviderSpec};

pub(crate) const POLAR: ProviderKind = ProviderKind { id: "polar", name: "Polar", spec };

impl Provider {
    /// Sign in with Polar. Register the app at <https://polar.sh/settings>.
    pub fn polar(client_id: impl Into<String>, client_secret: impl Into<Secret>) -> Self {
        Self::new(&POLAR, client_id, client_secret)
    }
}

fn spec(_: &Provider) -> ProviderSpec {
    ProviderSpec {
        authorization_endpoint: "https://polar.sh/oauth2/authorize".into(),
        token_endpoint: "https://api.polar.sh/v1/oauth2/token".into(),
        user_info_endpoint: Some("https://api.polar.sh/v1/oauth2/userinfo".into()),
        scopes: ["openid", "profile", "email"].map(Into::into).into(),
        profile: ProfileSource::UserInfo { headers: Vec::new(), map: profile },
        ..ProviderSpec::default()
    }
}

fn profile(_: &Provider, profile: &Value) -> Option<ProfileUser> {
    let user = ProfileUser::read(profile, "id").or_else(|| ProfileUser::read(profile, "sub"))?;
    Some(
        user.name(profile, &["public_name", "username", "name"])
            .email(profile, "email")
            .image(profile, "avatar_url")
            .verified(profile, "email_verified"),
    )
}
