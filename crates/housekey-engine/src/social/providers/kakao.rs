use serde_json::Value;

use crate::Secret;
use crate::social::provider::{field, text};
use crate::social::{Pkce, ProfileSource, ProfileUser, Provider, ProviderKind, ProviderSpec};

pub(crate) const KAKAO: ProviderKind = ProviderKind { id: "kakao", name: "Kakao", spec };

impl Provider {
    /// Sign in with Kakao. Register the app at <https://developers.kakao.com/console/app>; the client id is its REST API key.
    pub fn kakao(client_id: impl Into<String>, client_secret: impl Into<Secret>) -> Self {
        Self::new(&KAKAO, client_id, client_secret)
    }
}

fn spec(_: &Provider) -> ProviderSpec {
    ProviderSpec {
        authorization_endpoint: "https://kauth.kakao.com/oauth/authorize".into(),
        token_endpoint: "https://kauth.kakao.com/oauth/token".into(),
        user_info_endpoint: Some("https://kapi.kakao.com/v2/user/me".into()),
        scopes: ["account_email", "profile_image", "profile_nickname"].map(Into::into).into(),
        pkce: Pkce::Off,
        login_hint: true,
        profile: ProfileSource::UserInfo { headers: Vec::new(), map: profile },
        ..ProviderSpec::default()
    }
}

fn profile(_: &Provider, profile: &Value) -> Option<ProfileUser> {
    let user = ProfileUser::read(profile, "id")?
        .name(profile, &["kakao_account.profile.nickname", "kakao_account.name"])
        .email(profile, "kakao_account.email")
        .image(profile, "kakao_account.profile.profile_image_url");
    let image = user.image.clone().or_else(|| text(profile, "kakao_account.profile.thumbnail_image_url"));
    // An address that was proved once may belong to somebody else by now: then it is no longer valid.
    let is = |name: &str| field(profile, name) == Some(&Value::Bool(true));
    let email_verified = is("kakao_account.is_email_valid") && is("kakao_account.is_email_verified");
    Some(ProfileUser { image, email_verified, ..user })
}
