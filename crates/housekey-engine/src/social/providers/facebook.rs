use serde_json::Value;

use super::reading::texts;
use crate::http_client::HttpRequest;
use crate::social::provider::field;
use crate::social::{
    AuthorizationParams, IdTokenSpec, Jwks, Pkce, Profile, ProfileCall, ProfileSource, ProfileUser, Provider,
    ProviderKind, ProviderSpec, SocialError,
};
use crate::{BoxFuture, Secret};

pub(crate) const FACEBOOK: ProviderKind = ProviderKind { id: "facebook", name: "Facebook", spec };

impl Provider {
    /// Sign in with Facebook. Register the app at <https://developers.facebook.com/apps>.
    pub fn facebook(client_id: impl Into<String>, client_secret: impl Into<Secret>) -> Self {
        Self::new(&FACEBOOK, client_id, client_secret)
    }
}

fn spec(provider: &Provider) -> ProviderSpec {
    let mut authorization = AuthorizationParams::default();
    if let Some(id) = provider.settings.text("configId") {
        authorization.extras.push(("config_id".into(), id.to_owned()));
    }
    ProviderSpec {
        authorization_endpoint: "https://www.facebook.com/v24.0/dialog/oauth".into(),
        token_endpoint: "https://graph.facebook.com/v24.0/oauth/access_token".into(),
        user_info_endpoint: Some("https://graph.facebook.com/me".into()),
        scopes: ["email", "public_profile"].map(Into::into).into(),
        pkce: Pkce::Off,
        login_hint: true,
        authorization,
        id_token: Some(IdTokenSpec {
            keys: Jwks::Url("https://limited.facebook.com/.well-known/oauth/openid/jwks/".into()),
            issuers: vec!["https://www.facebook.com".into()],
            // Apps on a phone have an access token where others have an id token; `profile` asks whose it is.
            opaque: true,
            ..IdTokenSpec::default()
        }),
        profile: ProfileSource::Custom(profile),
        ..ProviderSpec::default()
    }
}

/// From the id token of a limited login; else from the graph, after asking whether the access token is for this app. A token
/// that another app got from a person must not sign that person in here.
fn profile(call: ProfileCall<'_>) -> BoxFuture<'_, Result<Option<Profile>, SocialError>> {
    Box::pin(async move {
        if let Some(claims) = call.claims {
            return Ok(from_claims(claims).map(|user| Profile::new(user, claims.clone())));
        }
        let Some(token) = &call.tokens.access_token else { return Ok(None) };
        let subject = subject_of(&call, token).await?;
        let mut fields = vec!["id".to_owned(), "name".into(), "email".into(), "picture".into()];
        fields.extend(texts(call.provider.settings.other.get("fields")));
        let data = call.get(&format!("https://graph.facebook.com/me?fields={}", fields.join(","))).await?;
        let Some(user) = ProfileUser::read(&data, "id") else { return Ok(None) };
        if subject != user.id {
            return Err(SocialError::profile("the profile is of another person than the access token"));
        }
        let user = user
            .name(&data, &["name"])
            .email(&data, "email")
            .image(&data, "picture.data.url")
            .verified(&data, "email_verified");
        Ok(Some(Profile::new(user, data)))
    })
}

fn from_claims(claims: &Value) -> Option<ProfileUser> {
    // A limited login never says whether the address is proved.
    Some(
        ProfileUser::read(claims, "sub")?
            .name(claims, &["name"])
            .email(claims, "email")
            .image(claims, "picture"),
    )
}

/// Whom the access token is of, if the app is ours.
async fn subject_of(call: &ProfileCall<'_>, token: &Secret) -> Result<String, SocialError> {
    let provider = call.provider;
    let query = form_urlencoded::Serializer::new(String::new())
        .append_pair("input_token", token.reveal())
        .append_pair("access_token", &format!("{}|{}", provider.client_id(), provider.client_secret.reveal()))
        .finish();
    let request = HttpRequest::get(format!("https://graph.facebook.com/debug_token?{query}"));
    let answer = call.send(request).await?;
    // Both are ids, texts or numbers.
    let id = |path: &str| ProfileUser::read(&answer, path).map(|user| user.id);
    let is_valid = field(&answer, "data.is_valid") == Some(&Value::Bool(true));
    let is_ours = id("data.app_id").is_some_and(|app| provider.client_ids.contains(&app));
    id("data.user_id")
        .filter(|_| is_valid && is_ours)
        .ok_or(SocialError::profile("the access token is not one of a person for this app"))
}
