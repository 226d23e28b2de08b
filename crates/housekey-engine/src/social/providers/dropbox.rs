use http::Method;

use crate::http_client::HttpRequest;
use crate::social::{
    AuthorizationParams, Profile, ProfileCall, ProfileSource, ProfileUser, Provider, ProviderKind,
    ProviderSpec, SocialError,
};
use crate::{BoxFuture, Secret};

pub(crate) const DROPBOX: ProviderKind = ProviderKind { id: "dropbox", name: "Dropbox", spec };

impl Provider {
    /// Sign in with Dropbox. Register the app at <https://www.dropbox.com/developers/apps>.
    pub fn dropbox(client_id: impl Into<String>, client_secret: impl Into<Secret>) -> Self {
        Self::new(&DROPBOX, client_id, client_secret)
    }
}

fn spec(provider: &Provider) -> ProviderSpec {
    // Dropbox has a name of its own for the access type, and needs `offline` for a refresh token.
    let access_type = provider.settings.access_type.clone();
    ProviderSpec {
        authorization_endpoint: "https://www.dropbox.com/oauth2/authorize".into(),
        token_endpoint: "https://api.dropboxapi.com/oauth2/token".into(),
        user_info_endpoint: Some("https://api.dropboxapi.com/2/users/get_current_account".into()),
        scopes: vec!["account_info.read".into()],
        authorization: AuthorizationParams {
            extras: access_type.map(|kind| ("token_access_type".into(), kind)).into_iter().collect(),
            ..AuthorizationParams::default()
        },
        profile: ProfileSource::Custom(profile),
        ..ProviderSpec::default()
    }
}

/// Everything at Dropbox is a POST, and one without a body must not name a type for it.
fn profile(call: ProfileCall<'_>) -> BoxFuture<'_, Result<Option<Profile>, SocialError>> {
    Box::pin(async move {
        let request = call.request("https://api.dropboxapi.com/2/users/get_current_account")?;
        let data = call.send(HttpRequest { method: Method::POST, ..request }).await?;
        let Some(user) = ProfileUser::read(&data, "account_id") else { return Ok(None) };
        let user = user
            .name(&data, &["name.display_name"])
            .email(&data, "email")
            .image(&data, "profile_photo_url")
            .verified(&data, "email_verified");
        Ok(Some(Profile::new(user, data)))
    })
}
