use serde_json::Value;

use crate::Secret;
use crate::social::{ProfileSource, ProfileUser, Provider, ProviderKind, ProviderSpec, TokenAuth};

pub(crate) const RAILWAY: ProviderKind = ProviderKind { id: "railway", name: "Railway", spec };

impl Provider {
    /// Sign in with Railway. Register the app in the settings of a workspace at <https://railway.com>.
    pub fn railway(client_id: impl Into<String>, client_secret: impl Into<Secret>) -> Self {
        Self::new(&RAILWAY, client_id, client_secret)
    }
}

fn spec(_: &Provider) -> ProviderSpec {
    ProviderSpec {
        authorization_endpoint: "https://backboard.railway.com/oauth/auth".into(),
        token_endpoint: "https://backboard.railway.com/oauth/token".into(),
        user_info_endpoint: Some("https://backboard.railway.com/oauth/me".into()),
        scopes: ["openid", "email", "profile"].map(Into::into).into(),
        token_auth: TokenAuth::Basic,
        profile: ProfileSource::UserInfo { headers: Vec::new(), map: profile },
        ..ProviderSpec::default()
    }
}

fn profile(_: &Provider, profile: &Value) -> Option<ProfileUser> {
    let user = ProfileUser::read(profile, "sub")?;
    Some(user.name(profile, &["name"]).email(profile, "email").image(profile, "picture"))
}
