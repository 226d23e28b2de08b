use serde_json::Value;

use crate::Secret;
use crate::social::{Pkce, ProfileSource, ProfileUser, Provider, ProviderKind, ProviderSpec};

pub(crate) const NAVER: ProviderKind = ProviderKind { id: "naver", name: "Naver", spec };

impl Provider {
    /// Sign in with Naver. Register the app at <https://developers.naver.com/apps>.
    pub fn naver(client_id: impl Into<String>, client_secret: impl Into<Secret>) -> Self {
        Self::new(&NAVER, client_id, client_secret)
    }
}

fn spec(_: &Provider) -> ProviderSpec {
    ProviderSpec {
        authorization_endpoint: "https://nid.naver.com/oauth2.0/authorize".into(),
        token_endpoint: "https://nid.naver.com/oauth2.0/token".into(),
        user_info_endpoint: Some("https://openapi.naver.com/v1/nid/me".into()),
        scopes: ["profile", "email"].map(Into::into).into(),
        pkce: Pkce::Off,
        profile: ProfileSource::UserInfo { headers: Vec::new(), map: profile },
        ..ProviderSpec::default()
    }
}

fn profile(_: &Provider, profile: &Value) -> Option<ProfileUser> {
    // Naver answers with success whatever happens; the code inside says what did.
    if profile.get("resultcode").and_then(Value::as_str) != Some("00") {
        return None;
    }
    let user = ProfileUser::read(profile, "response.id")?;
    Some(
        user.name(profile, &["response.name", "response.nickname"])
            .email(profile, "response.email")
            .image(profile, "response.profile_image"),
    )
}
