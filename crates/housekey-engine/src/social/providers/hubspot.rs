use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

use super::generic::preset;
use crate::http_client::HttpRequest;
use crate::social::{
    Profile, ProfileCall, ProfileSource, ProfileUser, Provider, ProviderKind, ProviderSpec, SocialError,
};
use crate::{BoxFuture, Secret};

pub(crate) const HUBSPOT: ProviderKind = ProviderKind { id: "hubspot", name: "HubSpot", spec };

const IN_A_PATH: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.').remove(b'~');

impl Provider {
    /// Sign in with HubSpot. Register the app at <https://developers.hubspot.com>.
    pub fn hubspot(client_id: impl Into<String>, client_secret: impl Into<Secret>) -> Self {
        Self::new(&HUBSPOT, client_id, client_secret)
    }
}

fn spec(provider: &Provider) -> ProviderSpec {
    ProviderSpec {
        authorization_endpoint: "https://app.hubspot.com/oauth/authorize".into(),
        token_endpoint: "https://api.hubapi.com/oauth/v1/token".into(),
        id_token: None,
        profile: ProfileSource::Custom(profile),
        ..preset(provider, &["oauth"])
    }
}

/// HubSpot describes an access token, and the token is the end of the address. Nothing may log it; `HttpRequest` shows no
/// path.
fn profile(call: ProfileCall<'_>) -> BoxFuture<'_, Result<Option<Profile>, SocialError>> {
    Box::pin(async move {
        let Some(token) = &call.tokens.access_token else { return Ok(None) };
        let token = utf8_percent_encode(token.reveal(), IN_A_PATH);
        let request = HttpRequest::get(format!("https://api.hubapi.com/oauth/v1/access-tokens/{token}"));
        let mut data = call.send(request).await?;
        if let Some(answer) = data.as_object_mut() {
            answer.remove("token");
        }
        let user = ProfileUser::read(&data, "user_id")
            .or_else(|| ProfileUser::read(&data, "signed_access_token.userId"));
        // `user` is an address, and the only name there is.
        Ok(user.map(|user| Profile::new(user.name(&data, &["user"]).email(&data, "user"), data)))
    })
}
