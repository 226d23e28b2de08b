use super::generic::existing;
use super::reading::standard;
use crate::social::{
    AuthorizationParams, IdTokenSpec, Jwks, ParameterOrder, Profile, ProfileCall, ProfileSource, Provider,
    ProviderKind, ProviderSpec, SocialError,
};
use crate::{BoxFuture, Secret};

pub(crate) const COGNITO: ProviderKind = ProviderKind { id: "cognito", name: "Amazon Cognito", spec };

/// A user pool of Amazon Cognito.
#[derive(Clone, Debug, Default)]
pub struct CognitoPool {
    /// `your-app.auth.us-east-1.amazoncognito.com`
    pub domain: String,
    /// `us-east-1`
    pub region: String,
    /// `us-east-1_AbCdEfGhI`
    pub user_pool_id: String,
}

impl Provider {
    /// Sign in with a user pool of Amazon Cognito. Without a secret it is a public client.
    pub fn cognito(
        pool: CognitoPool,
        client_id: impl Into<String>,
        client_secret: impl Into<Secret>,
    ) -> Self {
        existing(Self::new(&COGNITO, client_id, client_secret), &pool.domain)
            .with("domain", pool.domain)
            .with("region", pool.region)
            .with("userPoolId", pool.user_pool_id)
    }
}

fn spec(provider: &Provider) -> ProviderSpec {
    let settings = &provider.settings;
    let [domain, region, pool] =
        ["domain", "region", "userPoolId"].map(|name| settings.text(name).unwrap_or_default());
    if domain.is_empty() || region.is_empty() || pool.is_empty() {
        // Without addresses nobody is sent anywhere.
        tracing::error!("the provider {} needs domain, region and userPoolId", provider.id);
        return ProviderSpec::default();
    }
    let domain = domain.trim_start_matches("https://").trim_start_matches("http://").trim_end_matches('/');
    let issuer = format!("https://cognito-idp.{region}.amazonaws.com/{pool}");
    let identity_provider = settings.text("identityProvider");
    ProviderSpec {
        authorization_endpoint: format!("https://{domain}/oauth2/authorize"),
        token_endpoint: format!("https://{domain}/oauth2/token"),
        user_info_endpoint: Some(format!("https://{domain}/oauth2/userinfo")),
        scopes: ["openid", "profile", "email"].map(Into::into).into(),
        // Cognito reads a `+` between scopes as a plus.
        parameter_order: ParameterOrder::ScopeLast,
        public_client: true,
        authorization: AuthorizationParams {
            extras: identity_provider
                .map(|id| ("identity_provider".into(), id.to_owned()))
                .into_iter()
                .collect(),
            ..AuthorizationParams::default()
        },
        id_token: Some(IdTokenSpec {
            keys: Jwks::Url(format!("{issuer}/.well-known/jwks.json")),
            issuers: vec![issuer],
            max_age: Some(3600),
            ..IdTokenSpec::default()
        }),
        profile: ProfileSource::Custom(profile),
        ..ProviderSpec::default()
    }
}

/// The claims; without an id token, the user info.
fn profile(call: ProfileCall<'_>) -> BoxFuture<'_, Result<Option<Profile>, SocialError>> {
    Box::pin(async move {
        let mut data = match (call.claims, &call.spec.user_info_endpoint) {
            (Some(claims), _) => claims.clone(),
            (None, Some(url)) => call.get(url).await?,
            (None, None) => return Ok(None),
        };
        let Some(user) = standard(&data, "sub", &["name", "given_name", "username"]) else { return Ok(None) };
        if let Some(profile) = data.as_object_mut() {
            profile.insert("name".into(), user.name.clone().unwrap_or_default().into());
        }
        Ok(Some(Profile::new(user, data)))
    })
}
