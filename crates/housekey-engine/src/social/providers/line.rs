use crate::social::{
    IdTokenSpec, Jwks, Profile, ProfileCall, ProfileSource, ProfileUser, Provider, ProviderKind,
    ProviderSpec, SocialError,
};
use crate::{BoxFuture, Secret};

pub(crate) const LINE: ProviderKind = ProviderKind { id: "line", name: "LINE", spec };

impl Provider {
    /// Sign in with LINE. Register a channel at <https://developers.line.biz/console>. Every country has channels of its own:
    /// give each an id with [`with_id`](Self::with_id).
    pub fn line(client_id: impl Into<String>, client_secret: impl Into<Secret>) -> Self {
        Self::new(&LINE, client_id, client_secret)
    }
}

fn spec(_: &Provider) -> ProviderSpec {
    ProviderSpec {
        authorization_endpoint: "https://access.line.me/oauth2/v2.1/authorize".into(),
        token_endpoint: "https://api.line.me/oauth2/v2.1/token".into(),
        user_info_endpoint: Some("https://api.line.me/oauth2/v2.1/userinfo".into()),
        scopes: ["openid", "profile", "email"].map(Into::into).into(),
        login_hint: true,
        id_token: Some(IdTokenSpec {
            keys: Jwks::Url("https://api.line.me/oauth2/v2.1/certs".into()),
            issuers: vec!["https://access.line.me".into()],
            // LINE signs what a browser gets with the channel secret, and what its own apps get with a key.
            algorithms: vec!["ES256".into()],
            shared_secret: true,
            ..IdTokenSpec::default()
        }),
        profile: ProfileSource::Custom(profile),
        ..ProviderSpec::default()
    }
}

/// The claims; without an id token, the user info.
fn profile(call: ProfileCall<'_>) -> BoxFuture<'_, Result<Option<Profile>, SocialError>> {
    Box::pin(async move {
        let data = match call.claims {
            Some(claims) => claims.clone(),
            None => call.get("https://api.line.me/oauth2/v2.1/userinfo").await?,
        };
        // LINE does not say whether an address is proved.
        let user = ProfileUser::read(&data, "sub")
            .map(|user| user.name(&data, &["name"]).email(&data, "email").image(&data, "picture"));
        Ok(user.map(|user| Profile::new(user, data)))
    })
}
