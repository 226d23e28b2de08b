use super::reading::standard;
use crate::social::provider::text;
use crate::social::{
    IdTokenSpec, Profile, ProfileCall, ProfileSource, Provider, ProviderKind, ProviderSpec, SocialError,
    TokenAuth,
};
use crate::{BoxFuture, Secret};

pub(crate) const PAYPAL: ProviderKind = ProviderKind { id: "paypal", name: "PayPal", spec };

impl Provider {
    /// Log in with PayPal, in the sandbox until `.with("environment", "live")` is said. Register the app at
    /// <https://developer.paypal.com/dashboard/applications>; what it may know of a person is set there.
    pub fn paypal(client_id: impl Into<String>, client_secret: impl Into<Secret>) -> Self {
        Self::new(&PAYPAL, client_id, client_secret)
    }
}

fn spec(provider: &Provider) -> ProviderSpec {
    let is_live = provider.settings.text("environment") == Some("live");
    let (site, api) = if is_live {
        ("https://www.paypal.com", "https://api-m.paypal.com")
    } else {
        ("https://www.sandbox.paypal.com", "https://api-m.sandbox.paypal.com")
    };
    ProviderSpec {
        authorization_endpoint: format!("{site}/signin/authorize"),
        token_endpoint: format!("{api}/v1/oauth2/token"),
        user_info_endpoint: Some(format!("{api}/v1/identity/oauth2/userinfo?schema=paypalv1.1")),
        sends_scopes: false,
        token_auth: TokenAuth::Basic,
        // Signed with the client secret or with a key, as PayPal likes: only believed from its token endpoint, and only to
        // compare.
        id_token: Some(IdTokenSpec { sign_in: false, ..IdTokenSpec::default() }),
        profile: ProfileSource::Custom(profile),
        ..ProviderSpec::default()
    }
}

/// The user info has to be about the person of the id token, if one came along.
fn profile(call: ProfileCall<'_>) -> BoxFuture<'_, Result<Option<Profile>, SocialError>> {
    Box::pin(async move {
        let Some(url) = &call.spec.user_info_endpoint else { return Ok(None) };
        let data = call.get(url).await?;
        if let Some(claims) = call.claims {
            let about = text(&data, "sub").or_else(|| text(&data, "user_id"));
            if about.is_none() || about != text(claims, "sub") {
                return Err(SocialError::profile("the user info is about somebody else than the id token"));
            }
        }
        Ok(standard(&data, "user_id", &["name"]).map(|user| Profile::new(user, data)))
    })
}
