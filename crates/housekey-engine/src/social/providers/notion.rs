use serde_json::Value;

use super::reading::inside;
use crate::social::{
    AuthorizationParams, Pkce, Profile, ProfileCall, ProfileSource, ProfileUser, Provider, ProviderKind,
    ProviderSpec, SocialError, TokenAuth,
};
use crate::{BoxFuture, Secret};

pub(crate) const NOTION: ProviderKind = ProviderKind { id: "notion", name: "Notion", spec };

impl Provider {
    /// Sign in with Notion. Register the app at <https://www.notion.so/my-integrations>, as a public integration.
    pub fn notion(client_id: impl Into<String>, client_secret: impl Into<Secret>) -> Self {
        Self::new(&NOTION, client_id, client_secret)
    }
}

fn spec(_: &Provider) -> ProviderSpec {
    ProviderSpec {
        authorization_endpoint: "https://api.notion.com/v1/oauth/authorize".into(),
        token_endpoint: "https://api.notion.com/v1/oauth/token".into(),
        user_info_endpoint: Some("https://api.notion.com/v1/users/me".into()),
        pkce: Pkce::Off,
        login_hint: true,
        authorization: AuthorizationParams {
            extras: vec![("owner".into(), "user".into())],
            ..AuthorizationParams::default()
        },
        token_auth: TokenAuth::Basic,
        refresh_auth: Some(TokenAuth::Post),
        profile: ProfileSource::Custom(profile),
        ..ProviderSpec::default()
    }
}

/// To Notion the token is a bot; the person is its owner.
fn profile(call: ProfileCall<'_>) -> BoxFuture<'_, Result<Option<Profile>, SocialError>> {
    Box::pin(async move {
        let request =
            call.request("https://api.notion.com/v1/users/me")?.header("notion-version", "2022-06-28");
        let answer = call.send(request).await?;
        Ok(inside(call.provider, &answer, "bot.owner.user", owner))
    })
}

fn owner(_: &Provider, profile: &Value) -> Option<ProfileUser> {
    let user = ProfileUser::read(profile, "id")?;
    Some(user.name(profile, &["name"]).email(profile, "person.email").image(profile, "avatar_url"))
}
