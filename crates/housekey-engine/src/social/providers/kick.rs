use serde_json::Value;

use crate::social::{
    Profile, ProfileCall, ProfileSource, ProfileUser, Provider, ProviderKind, ProviderSpec, SocialError,
};
use crate::{BoxFuture, Secret};

pub(crate) const KICK: ProviderKind = ProviderKind { id: "kick", name: "Kick", spec };

impl Provider {
    /// Sign in with Kick. Register the app at <https://kick.com/settings/developer>.
    pub fn kick(client_id: impl Into<String>, client_secret: impl Into<Secret>) -> Self {
        Self::new(&KICK, client_id, client_secret)
    }
}

fn spec(_: &Provider) -> ProviderSpec {
    ProviderSpec {
        authorization_endpoint: "https://id.kick.com/oauth/authorize".into(),
        token_endpoint: "https://id.kick.com/oauth/token".into(),
        user_info_endpoint: Some("https://api.kick.com/public/v1/users".into()),
        scopes: vec!["user:read".into()],
        profile: ProfileSource::Custom(profile),
        ..ProviderSpec::default()
    }
}

/// A list of users; without ids in the question it has one, whose token it is.
fn profile(call: ProfileCall<'_>) -> BoxFuture<'_, Result<Option<Profile>, SocialError>> {
    Box::pin(async move {
        let answer = call.get("https://api.kick.com/public/v1/users").await?;
        let Some(data) = answer.get("data").and_then(|users| users.get(0)) else { return Ok(None) };
        Ok(person(data).map(|user| Profile::new(user, data.clone())))
    })
}

fn person(profile: &Value) -> Option<ProfileUser> {
    let user = ProfileUser::read(profile, "user_id")?;
    Some(user.name(profile, &["name"]).email(profile, "email").image(profile, "profile_picture"))
}
