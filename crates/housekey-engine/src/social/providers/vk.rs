use super::reading::full_name;
use crate::http_client::HttpRequest;
use crate::social::provider::text;
use crate::social::{
    Profile, ProfileCall, ProfileSource, ProfileUser, Provider, ProviderKind, ProviderSpec, SocialError,
};
use crate::{BoxFuture, Secret};

pub(crate) const VK: ProviderKind = ProviderKind { id: "vk", name: "VK", spec };

impl Provider {
    /// Sign in with VK. Register the app at <https://id.vk.com/about/business/go>.
    pub fn vk(client_id: impl Into<String>, client_secret: impl Into<Secret>) -> Self {
        Self::new(&VK, client_id, client_secret)
    }
}

fn spec(_: &Provider) -> ProviderSpec {
    ProviderSpec {
        authorization_endpoint: "https://id.vk.com/authorize".into(),
        token_endpoint: "https://id.vk.com/oauth2/auth".into(),
        user_info_endpoint: Some("https://id.vk.com/oauth2/user_info".into()),
        scopes: ["email", "phone"].map(Into::into).into(),
        profile: ProfileSource::Custom(profile),
        ..ProviderSpec::default()
    }
}

/// VK wants the access token in a form, beside the app's id.
fn profile(call: ProfileCall<'_>) -> BoxFuture<'_, Result<Option<Profile>, SocialError>> {
    Box::pin(async move {
        let Some(token) = &call.tokens.access_token else { return Ok(None) };
        let form = [("access_token", token.reveal()), ("client_id", call.provider.client_id())];
        let data = call.send(HttpRequest::post("https://id.vk.com/oauth2/user_info", &form)).await?;
        let Some(user) = ProfileUser::read(&data, "user.user_id") else { return Ok(None) };
        let mut user = user.email(&data, "user.email").image(&data, "user.avatar");
        user.name = full_name(text(&data, "user.first_name"), text(&data, "user.last_name"));
        // Without an address there is no profile, unless the app knows one.
        if user.email.is_none() && !call.provider.settings.map_profile_to_user.is_set() {
            return Ok(None);
        }
        for column in ["first_name", "last_name", "birthday", "sex"] {
            let value = data.get("user").and_then(|user| user.get(column));
            user.extra.extend(value.map(|value| (column.to_owned(), value.clone())));
        }
        Ok(Some(Profile::new(user, data)))
    })
}
