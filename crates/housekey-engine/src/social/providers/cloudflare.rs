use serde_json::Value;

use super::reading::{full_name, inside};
use crate::social::provider::text;
use crate::social::{
    Profile, ProfileCall, ProfileSource, ProfileUser, Provider, ProviderKind, ProviderSpec, SocialError,
    TokenAuth,
};
use crate::{BoxFuture, Secret};

pub(crate) const CLOUDFLARE: ProviderKind = ProviderKind { id: "cloudflare", name: "Cloudflare", spec };

impl Provider {
    /// Sign in with Cloudflare. Register the client at <https://dash.cloudflare.com>; without a secret it is a public one.
    pub fn cloudflare(client_id: impl Into<String>, client_secret: impl Into<Secret>) -> Self {
        Self::new(&CLOUDFLARE, client_id, client_secret)
    }
}

fn spec(provider: &Provider) -> ProviderSpec {
    let token_auth = match provider.settings.text("tokenEndpointAuthMethod") {
        Some("client_secret_post") => TokenAuth::Post,
        _ if provider.client_secret.is_empty() => TokenAuth::None,
        _ => TokenAuth::Basic,
    };
    ProviderSpec {
        authorization_endpoint: "https://dash.cloudflare.com/oauth2/auth".into(),
        token_endpoint: "https://dash.cloudflare.com/oauth2/token".into(),
        user_info_endpoint: Some("https://api.cloudflare.com/client/v4/user".into()),
        scopes: vec!["user-details.read".into()],
        token_auth,
        profile: ProfileSource::Custom(profile),
        ..ProviderSpec::default()
    }
}

/// From the API: Cloudflare's user info endpoint knows nothing but the id.
fn profile(call: ProfileCall<'_>) -> BoxFuture<'_, Result<Option<Profile>, SocialError>> {
    Box::pin(async move {
        let answer = call.get("https://api.cloudflare.com/client/v4/user").await?;
        if answer.get("success") != Some(&Value::Bool(true)) {
            return Ok(None);
        }
        Ok(inside(call.provider, &answer, "result", person))
    })
}

fn person(_: &Provider, profile: &Value) -> Option<ProfileUser> {
    let user = ProfileUser::read(profile, "id")?.email(profile, "email");
    let name =
        full_name(text(profile, "first_name"), text(profile, "last_name")).or_else(|| user.email.clone());
    Some(ProfileUser { name, ..user })
}
