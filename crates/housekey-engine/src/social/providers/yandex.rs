use serde_json::Value;

use super::generic::preset;
use crate::http_client::HttpRequest;
use crate::social::provider::text;
use crate::social::{
    Profile, ProfileCall, ProfileSource, ProfileUser, Provider, ProviderKind, ProviderSpec, SocialError,
};
use crate::{BoxFuture, Secret};

pub(crate) const YANDEX: ProviderKind = ProviderKind { id: "yandex", name: "Yandex", spec };

impl Provider {
    /// Sign in with Yandex. Register the app at <https://oauth.yandex.com>.
    pub fn yandex(client_id: impl Into<String>, client_secret: impl Into<Secret>) -> Self {
        Self::new(&YANDEX, client_id, client_secret)
    }
}

fn spec(provider: &Provider) -> ProviderSpec {
    ProviderSpec {
        authorization_endpoint: "https://oauth.yandex.com/authorize".into(),
        token_endpoint: "https://oauth.yandex.com/token".into(),
        user_info_endpoint: Some("https://login.yandex.ru/info?format=json".into()),
        id_token: None,
        profile: ProfileSource::Custom(profile),
        ..preset(provider, &["login:info", "login:email", "login:avatar"])
    }
}

/// Yandex says `OAuth` where others say `Bearer`.
fn profile(call: ProfileCall<'_>) -> BoxFuture<'_, Result<Option<Profile>, SocialError>> {
    Box::pin(async move {
        let Some(token) = &call.tokens.access_token else { return Ok(None) };
        let request = HttpRequest::get("https://login.yandex.ru/info?format=json")
            .header("authorization", &format!("OAuth {}", token.reveal()));
        let data = call.send(request).await?;
        let Some(user) = ProfileUser::read(&data, "id") else { return Ok(None) };
        let first = data.get("emails").and_then(|emails| emails.get(0)?.as_str()).map(str::to_owned);
        let Some(email) = text(&data, "default_email").or(first) else { return Ok(None) };
        let user = user.name(&data, &["display_name", "real_name", "first_name", "login"]);
        let image = picture(&data);
        Ok(Some(Profile::new(ProfileUser { image, email: Some(email), ..user }, data)))
    })
}

fn picture(profile: &Value) -> Option<String> {
    let is_empty = profile.get("is_avatar_empty") == Some(&Value::Bool(true));
    let id = text(profile, "default_avatar_id").filter(|_| !is_empty)?;
    Some(format!("https://avatars.yandex.net/get-yapic/{id}/islands-200"))
}
