use serde_json::Value;

use crate::Secret;
use crate::social::{AuthorizationParams, ProfileSource, ProfileUser, Provider, ProviderKind, ProviderSpec};

pub(crate) const ATLASSIAN: ProviderKind = ProviderKind { id: "atlassian", name: "Atlassian", spec };

impl Provider {
    /// Sign in with Atlassian. Register the app at <https://developer.atlassian.com/console/myapps>.
    pub fn atlassian(client_id: impl Into<String>, client_secret: impl Into<Secret>) -> Self {
        Self::new(&ATLASSIAN, client_id, client_secret)
    }
}

fn spec(_: &Provider) -> ProviderSpec {
    ProviderSpec {
        authorization_endpoint: "https://auth.atlassian.com/authorize".into(),
        token_endpoint: "https://auth.atlassian.com/oauth/token".into(),
        user_info_endpoint: Some("https://api.atlassian.com/me".into()),
        scopes: ["read:jira-user", "offline_access"].map(Into::into).into(),
        authorization: AuthorizationParams {
            extras: vec![("audience".into(), "api.atlassian.com".into())],
            ..AuthorizationParams::default()
        },
        profile: ProfileSource::UserInfo { headers: Vec::new(), map: profile },
        ..ProviderSpec::default()
    }
}

fn profile(_: &Provider, profile: &Value) -> Option<ProfileUser> {
    let user = ProfileUser::read(profile, "account_id")?;
    Some(user.name(profile, &["name"]).email(profile, "email").image(profile, "picture"))
}
