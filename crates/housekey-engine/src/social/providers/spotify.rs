use serde_json::Value;

use crate::Secret;
use crate::social::provider::text;
use crate::social::{ProfileSource, ProfileUser, Provider, ProviderKind, ProviderSpec};

pub(crate) const SPOTIFY: ProviderKind = ProviderKind { id: "spotify", name: "Spotify", spec };

impl Provider {
    /// Sign in with Spotify. Register the app at <https://developer.spotify.com/dashboard>.
    pub fn spotify(client_id: impl Into<String>, client_secret: impl Into<Secret>) -> Self {
        Self::new(&SPOTIFY, client_id, client_secret)
    }
}

fn spec(_: &Provider) -> ProviderSpec {
    ProviderSpec {
        authorization_endpoint: "https://accounts.spotify.com/authorize".into(),
        token_endpoint: "https://accounts.spotify.com/api/token".into(),
        user_info_endpoint: Some("https://api.spotify.com/v1/me".into()),
        scopes: vec!["user-read-email".into()],
        profile: ProfileSource::UserInfo { headers: Vec::new(), map: profile },
        ..ProviderSpec::default()
    }
}

/// Spotify documents that it does not prove addresses.
fn profile(_: &Provider, profile: &Value) -> Option<ProfileUser> {
    let user = ProfileUser::read(profile, "id")?;
    let image = profile.get("images").and_then(|images| images.get(0)).and_then(|image| text(image, "url"));
    Some(ProfileUser { image, ..user.name(profile, &["display_name"]).email(profile, "email") })
}
