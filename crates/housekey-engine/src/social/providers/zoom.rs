use serde_json::Value;

use crate::Secret;
use crate::social::{Pkce, ProfileSource, ProfileUser, Provider, ProviderKind, ProviderSpec};

pub(crate) const ZOOM: ProviderKind = ProviderKind { id: "zoom", name: "Zoom", spec };

impl Provider {
    /// Sign in with Zoom. Register the app at <https://marketplace.zoom.us/develop>; its scopes are set there.
    pub fn zoom(client_id: impl Into<String>, client_secret: impl Into<Secret>) -> Self {
        Self::new(&ZOOM, client_id, client_secret)
    }
}

fn spec(provider: &Provider) -> ProviderSpec {
    ProviderSpec {
        authorization_endpoint: "https://zoom.us/oauth/authorize".into(),
        token_endpoint: "https://zoom.us/oauth/token".into(),
        user_info_endpoint: Some("https://api.zoom.us/v2/users/me".into()),
        sends_scopes: false,
        pkce: if provider.settings.pkce == Some(false) { Pkce::VerifierOnly } else { Pkce::S256 },
        profile: ProfileSource::UserInfo { headers: Vec::new(), map: profile },
        ..ProviderSpec::default()
    }
}

fn profile(_: &Provider, profile: &Value) -> Option<ProfileUser> {
    let user = ProfileUser::read(profile, "id")?;
    // A number in Zoom's documentation, and anything that JavaScript takes for true in the reference.
    let email_verified = match profile.get("verified") {
        Some(Value::Bool(verified)) => *verified,
        Some(Value::Number(verified)) => verified.as_f64().is_some_and(|verified| verified != 0.0),
        _ => false,
    };
    let user = user.name(profile, &["display_name"]).email(profile, "email").image(profile, "pic_url");
    Some(ProfileUser { email_verified, ..user })
}
