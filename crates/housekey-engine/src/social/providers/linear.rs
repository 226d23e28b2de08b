use http::Method;
use serde_json::{Value, json};

use super::reading::inside;
use crate::http_client::HttpRequest;
use crate::social::{
    Pkce, Profile, ProfileCall, ProfileSource, ProfileUser, Provider, ProviderKind, ProviderSpec, SocialError,
};
use crate::{BoxFuture, Secret};

pub(crate) const LINEAR: ProviderKind = ProviderKind { id: "linear", name: "Linear", spec };

impl Provider {
    /// Sign in with Linear. Register the app at <https://linear.app/settings/api/applications>.
    pub fn linear(client_id: impl Into<String>, client_secret: impl Into<Secret>) -> Self {
        Self::new(&LINEAR, client_id, client_secret)
    }
}

fn spec(_: &Provider) -> ProviderSpec {
    ProviderSpec {
        authorization_endpoint: "https://linear.app/oauth/authorize".into(),
        token_endpoint: "https://api.linear.app/oauth/token".into(),
        user_info_endpoint: Some("https://api.linear.app/graphql".into()),
        scopes: vec!["read".into()],
        pkce: Pkce::Off,
        login_hint: true,
        profile: ProfileSource::Custom(profile),
        ..ProviderSpec::default()
    }
}

/// Linear speaks GraphQL only.
fn profile(call: ProfileCall<'_>) -> BoxFuture<'_, Result<Option<Profile>, SocialError>> {
    Box::pin(async move {
        let question =
            json!({ "query": "query { viewer { id name email avatarUrl active createdAt updatedAt } }" });
        let request =
            call.request("https://api.linear.app/graphql")?.header("content-type", "application/json");
        let request = HttpRequest { method: Method::POST, body: question.to_string().into(), ..request };
        let answer = call.send(request).await?;
        Ok(inside(call.provider, &answer, "data.viewer", viewer))
    })
}

fn viewer(_: &Provider, profile: &Value) -> Option<ProfileUser> {
    let user = ProfileUser::read(profile, "id")?;
    Some(user.name(profile, &["name"]).email(profile, "email").image(profile, "avatarUrl"))
}
