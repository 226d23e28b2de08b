use serde_json::Value;

use crate::social::provider::text;
use crate::social::{
    Profile, ProfileCall, ProfileSource, ProfileUser, Provider, ProviderKind, ProviderSpec, SocialError,
};
use crate::{BoxFuture, Secret};

pub(crate) const GITHUB: ProviderKind = ProviderKind { id: "github", name: "GitHub", spec };

impl Provider {
    /// Sign in with GitHub. Register the app at <https://github.com/settings/developers>.
    pub fn github(client_id: impl Into<String>, client_secret: impl Into<Secret>) -> Self {
        Self::new(&GITHUB, client_id, client_secret)
    }
}

fn spec(_: &Provider) -> ProviderSpec {
    ProviderSpec {
        authorization_endpoint: "https://github.com/login/oauth/authorize".into(),
        token_endpoint: "https://github.com/login/oauth/access_token".into(),
        user_info_endpoint: Some("https://api.github.com/user".into()),
        scopes: ["read:user", "user:email"].map(Into::into).into(),
        login_hint: true,
        refuses_with_success: true,
        profile: ProfileSource::Custom(profile),
        ..ProviderSpec::default()
    }
}

/// Two calls: the profile shows an address only if it is public, and never says whether it is proved.
fn profile(call: ProfileCall<'_>) -> BoxFuture<'_, Result<Option<Profile>, SocialError>> {
    Box::pin(async move {
        let mut data = call.get("https://api.github.com/user").await?;
        let emails = call.get("https://api.github.com/user/emails").await.ok();
        let emails = emails.as_ref().and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
        let Some(mut user) = ProfileUser::read(&data, "id") else { return Ok(None) };
        user = user.name(&data, &["name", "login"]).email(&data, "email").image(&data, "avatar_url");
        if user.email.is_none() {
            let chosen = emails.iter().find(|entry| is(entry, "primary")).or(emails.first());
            user.email = chosen.and_then(|entry| text(entry, "email"));
            if let Some(profile) = data.as_object_mut() {
                profile.insert("email".into(), user.email.clone().into());
            }
        }
        let own = emails.iter().find(|entry| user.email.is_some() && text(entry, "email") == user.email);
        user.email_verified = own.is_some_and(|entry| is(entry, "verified"));
        Ok(Some(Profile::new(user, data)))
    })
}

fn is(entry: &Value, name: &str) -> bool {
    entry.get(name) == Some(&Value::Bool(true))
}
