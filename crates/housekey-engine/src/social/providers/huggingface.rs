use serde_json::Value;

use super::reading::standard;
use crate::Secret;
use crate::social::{ProfileSource, ProfileUser, Provider, ProviderKind, ProviderSpec};

pub(crate) const HUGGINGFACE: ProviderKind = ProviderKind { id: "huggingface", name: "Hugging Face", spec };

impl Provider {
    /// Sign in with Hugging Face. Register the app at <https://huggingface.co/settings/applications>.
    pub fn huggingface(client_id: impl Into<String>, client_secret: impl Into<Secret>) -> Self {
        Self::new(&HUGGINGFACE, client_id, client_secret)
    }
}

fn spec(_: &Provider) -> ProviderSpec {
    ProviderSpec {
        authorization_endpoint: "https://huggingface.co/oauth/authorize".into(),
        token_endpoint: "https://huggingface.co/oauth/token".into(),
        user_info_endpoint: Some("https://huggingface.co/oauth/userinfo".into()),
        scopes: ["openid", "profile", "email"].map(Into::into).into(),
        profile: ProfileSource::UserInfo { headers: Vec::new(), map: profile },
        ..ProviderSpec::default()
    }
}

fn profile(_: &Provider, profile: &Value) -> Option<ProfileUser> {
    standard(profile, "sub", &["name", "preferred_username"])
}
