use serde_json::Value;

use super::reading::standard;
use crate::Secret;
use crate::social::provider::text;
use crate::social::{ProfileSource, ProfileUser, Provider, ProviderKind, ProviderSpec};

pub(crate) const SALESFORCE: ProviderKind = ProviderKind { id: "salesforce", name: "Salesforce", spec };

impl Provider {
    /// Sign in with Salesforce. A sandbox is `.with("environment", "sandbox")`, a domain of one's own
    /// `.with("loginUrl", "example.my.salesforce.com")`.
    pub fn salesforce(client_id: impl Into<String>, client_secret: impl Into<Secret>) -> Self {
        Self::new(&SALESFORCE, client_id, client_secret)
    }
}

fn spec(provider: &Provider) -> ProviderSpec {
    let settings = &provider.settings;
    let host = match (settings.text("loginUrl"), settings.text("environment")) {
        (Some(host), _) => host.trim_start_matches("https://").trim_end_matches('/'),
        (None, Some("sandbox")) => "test.salesforce.com",
        _ => "login.salesforce.com",
    };
    ProviderSpec {
        authorization_endpoint: format!("https://{host}/services/oauth2/authorize"),
        token_endpoint: format!("https://{host}/services/oauth2/token"),
        user_info_endpoint: Some(format!("https://{host}/services/oauth2/userinfo")),
        scopes: ["openid", "email", "profile"].map(Into::into).into(),
        profile: ProfileSource::UserInfo { headers: Vec::new(), map: profile },
        ..ProviderSpec::default()
    }
}

fn profile(_: &Provider, profile: &Value) -> Option<ProfileUser> {
    let user = standard(profile, "user_id", &["name"])?;
    let image = text(profile, "photos.picture").or_else(|| text(profile, "photos.thumbnail"));
    Some(ProfileUser { image, ..user })
}
