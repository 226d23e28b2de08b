use serde_json::Value;

use crate::social::provider::text;
use crate::social::{
    AuthorizationParams, Pkce, Profile, ProfileCall, ProfileSource, ProfileUser, Provider, ProviderKind,
    ProviderSpec, ScopeOrder, SocialError,
};
use crate::{BoxFuture, Secret};

pub(crate) const DISCORD: ProviderKind = ProviderKind { id: "discord", name: "Discord", spec };

impl Provider {
    /// Sign in with Discord. Register the app at <https://discord.com/developers/applications>.
    pub fn discord(client_id: impl Into<String>, client_secret: impl Into<Secret>) -> Self {
        Self::new(&DISCORD, client_id, client_secret)
    }
}

fn spec(provider: &Provider) -> ProviderSpec {
    let settings = &provider.settings;
    let mut authorization =
        AuthorizationParams { prompt: Some("none".into()), ..AuthorizationParams::default() };
    // Permissions are those of a bot, and mean nothing without one.
    let permissions = settings.other.get("permissions").and_then(Value::as_u64);
    if let Some(permissions) = permissions.filter(|_| settings.scope.iter().any(|scope| scope == "bot")) {
        authorization.extras.push(("permissions".into(), permissions.to_string()));
    }
    ProviderSpec {
        authorization_endpoint: "https://discord.com/api/oauth2/authorize".into(),
        token_endpoint: "https://discord.com/api/oauth2/token".into(),
        user_info_endpoint: Some("https://discord.com/api/users/@me".into()),
        scopes: ["identify", "email"].map(Into::into).into(),
        scope_order: ScopeOrder::RequestBeforeSettings,
        pkce: Pkce::Off,
        authorization,
        profile: ProfileSource::Custom(profile),
        ..ProviderSpec::default()
    }
}

fn profile(call: ProfileCall<'_>) -> BoxFuture<'_, Result<Option<Profile>, SocialError>> {
    Box::pin(async move {
        let mut data = call.get("https://discord.com/api/users/@me").await?;
        let Some(user) = ProfileUser::read(&data, "id") else { return Ok(None) };
        let image = picture(&data, &user.id);
        let user =
            user.name(&data, &["global_name", "username"]).email(&data, "email").verified(&data, "verified");
        if let Some(profile) = data.as_object_mut() {
            profile.insert("image_url".into(), image.clone().into());
        }
        Ok(Some(Profile::new(ProfileUser { image, ..user }, data)))
    })
}

/// Discord sends the hash of a picture, not its address. Who has none gets one of Discord's own, by the rule of their client:
/// by the id, or for accounts that still have a discriminator by that.
fn picture(profile: &Value, id: &str) -> Option<String> {
    if let Some(hash) = text(profile, "avatar") {
        let format = if hash.starts_with("a_") { "gif" } else { "png" };
        return Some(format!("https://cdn.discordapp.com/avatars/{id}/{hash}.{format}"));
    }
    let number = match text(profile, "discriminator").as_deref() {
        None | Some("0") => (id.parse::<u64>().ok()? >> 22) % 6,
        Some(discriminator) => discriminator.parse::<u64>().ok()? % 5,
    };
    Some(format!("https://cdn.discordapp.com/embed/avatars/{number}.png"))
}
