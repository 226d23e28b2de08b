use serde_json::Value;

use super::reading::{standard, texts};
use crate::Secret;
use crate::social::{
    AuthorizationParams, IdTokenSpec, Jwks, Pkce, ProfileSource, ProfileUser, Provider, ProviderKind,
    ProviderSpec,
};

pub(crate) const TWITCH: ProviderKind = ProviderKind { id: "twitch", name: "Twitch", spec };

impl Provider {
    /// Sign in with Twitch. Register the app at <https://dev.twitch.tv/console/apps>.
    pub fn twitch(client_id: impl Into<String>, client_secret: impl Into<Secret>) -> Self {
        Self::new(&TWITCH, client_id, client_secret)
    }
}

fn spec(provider: &Provider) -> ProviderSpec {
    ProviderSpec {
        authorization_endpoint: "https://id.twitch.tv/oauth2/authorize".into(),
        token_endpoint: "https://id.twitch.tv/oauth2/token".into(),
        scopes: ["user:read:email", "openid"].map(Into::into).into(),
        pkce: Pkce::Off,
        authorization: AuthorizationParams {
            claims: Some(claims(provider)),
            ..AuthorizationParams::default()
        },
        id_token: Some(IdTokenSpec {
            keys: Jwks::Url("https://id.twitch.tv/oauth2/keys".into()),
            issuers: vec!["https://id.twitch.tv/oauth2".into()],
            sign_in: false,
            ..IdTokenSpec::default()
        }),
        profile: ProfileSource::IdToken(profile),
        ..ProviderSpec::default()
    }
}

/// Twitch puts into an id token only what is asked for by name. In the reference's order, the address always among it.
fn claims(provider: &Provider) -> String {
    let mut names = vec!["email".to_owned(), "email_verified".into()];
    let wanted = match texts(provider.settings.other.get("claims")) {
        wanted if wanted.is_empty() => vec!["preferred_username".into(), "picture".into()],
        wanted => wanted,
    };
    names.extend(wanted.into_iter().filter(|name| name != "email" && name != "email_verified"));
    let names: Vec<String> =
        names.iter().map(|name| format!("{}:null", Value::from(name.as_str()))).collect();
    format!(r#"{{"id_token":{{{}}}}}"#, names.join(","))
}

fn profile(_: &Provider, claims: &Value) -> Option<ProfileUser> {
    standard(claims, "sub", &["preferred_username"])
}
