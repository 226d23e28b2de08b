use serde_json::Value;

use super::reading::placeholder;
use crate::social::provider::text;
use crate::social::{
    Profile, ProfileCall, ProfileSource, ProfileUser, Provider, ProviderKind, ProviderSpec, SocialError,
    TokenAuth,
};
use crate::{BoxFuture, Secret};

pub(crate) const TWITTER: ProviderKind = ProviderKind { id: "twitter", name: "X", spec };

impl Provider {
    /// Sign in with X, once Twitter. Register the app at <https://developer.x.com>.
    pub fn twitter(client_id: impl Into<String>, client_secret: impl Into<Secret>) -> Self {
        Self::new(&TWITTER, client_id, client_secret)
    }
}

fn spec(_: &Provider) -> ProviderSpec {
    ProviderSpec {
        authorization_endpoint: "https://x.com/i/oauth2/authorize".into(),
        token_endpoint: "https://api.x.com/2/oauth2/token".into(),
        user_info_endpoint: Some("https://api.x.com/2/users/me".into()),
        scopes: ["users.read", "tweet.read", "offline.access", "users.email"].map(Into::into).into(),
        token_auth: TokenAuth::Basic,
        profile: ProfileSource::Custom(profile),
        ..ProviderSpec::default()
    }
}

/// Two calls: an app without the right to addresses is refused the whole answer when it asks for one.
fn profile(call: ProfileCall<'_>) -> BoxFuture<'_, Result<Option<Profile>, SocialError>> {
    Box::pin(async move {
        let mut data = call.get("https://api.x.com/2/users/me?user.fields=profile_image_url").await?;
        let confirmed = call.get("https://api.x.com/2/users/me?user.fields=confirmed_email").await.ok();
        let confirmed = confirmed.as_ref().and_then(|answer| text(answer, "data.confirmed_email"));
        let Some(user) = ProfileUser::read(&data, "data.id") else { return Ok(None) };
        let mut user = user.name(&data, &["data.name"]).image(&data, "data.profile_image_url");
        user.email_verified = confirmed.is_some();
        user.email = Some(confirmed.clone().unwrap_or_else(|| placeholder(TWITTER.id, &user.id)));
        if let (Some(email), Some(inner)) = (confirmed, data.get_mut("data").and_then(Value::as_object_mut)) {
            inner.insert("email".into(), email.into());
        }
        Ok(Some(Profile::new(user, data)))
    })
}
