use serde_json::Value;

use super::reading::standard;
use crate::Secret;
use crate::social::{ProfileSource, ProfileUser, Provider, ProviderKind, ProviderSpec, TokenAuth};

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
        token_headers: vec![("accept-language".into(), "en_US".into())],
        profile: ProfileSource::UserInfo { headers: Vec::new(), map: profile },
        ..ProviderSpec::default()
    }
}

fn profile(_: &Provider, profile: &Value) -> Option<ProfileUser> {
    standard(profile, "user_id", &["name"])
}
