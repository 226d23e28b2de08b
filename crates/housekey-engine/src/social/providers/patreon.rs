use serde_json::Value;

use super::generic::preset;
use crate::Secret;
use crate::social::{ProfileSource, ProfileUser, Provider, ProviderKind, ProviderSpec};

pub(crate) const PATREON: ProviderKind = ProviderKind { id: "patreon", name: "Patreon", spec };

impl Provider {
    /// Sign in with Patreon. Register the app at <https://www.patreon.com/portal/registration/register-clients>.
    pub fn patreon(client_id: impl Into<String>, client_secret: impl Into<Secret>) -> Self {
        Self::new(&PATREON, client_id, client_secret)
    }
}

fn spec(provider: &Provider) -> ProviderSpec {
    let fields = "fields%5Buser%5D=email,full_name,image_url,is_email_verified";
    ProviderSpec {
        authorization_endpoint: "https://www.patreon.com/oauth2/authorize".into(),
        token_endpoint: "https://www.patreon.com/api/oauth2/token".into(),
        user_info_endpoint: Some(format!("https://www.patreon.com/api/oauth2/v2/identity?{fields}")),
        id_token: None,
        profile: ProfileSource::UserInfo { headers: Vec::new(), map: profile },
        ..preset(provider, &["identity[email]"])
    }
}

fn profile(_: &Provider, profile: &Value) -> Option<ProfileUser> {
    let user = ProfileUser::read(profile, "data.id")?;
    Some(
        user.name(profile, &["data.attributes.full_name"])
            .email(profile, "data.attributes.email")
            .image(profile, "data.attributes.image_url")
            .verified(profile, "data.attributes.is_email_verified"),
    )
}
