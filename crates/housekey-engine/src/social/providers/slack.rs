use serde_json::Value;

use super::generic::preset;
use super::reading::standard;
use crate::Secret;
use crate::social::provider::text;
use crate::social::{Pkce, ProfileSource, ProfileUser, Provider, ProviderKind, ProviderSpec, ScopeOrder};

pub(crate) const SLACK: ProviderKind = ProviderKind { id: "slack", name: "Slack", spec };

/// As the reference's preset for generic providers has it: with PKCE, and another id of the same person.
pub(crate) const SLACK_OPENID: ProviderKind =
    ProviderKind { id: "slack-openid", name: "Slack", spec: openid_spec };

impl Provider {
    /// Sign in with Slack. Register the app at <https://api.slack.com/apps>.
    pub fn slack(client_id: impl Into<String>, client_secret: impl Into<Secret>) -> Self {
        Self::new(&SLACK, client_id, client_secret)
    }

    /// Sign in with Slack, for accounts that were made with the reference's generic preset: they are known by `sub`. The id is
    /// `slack` as well.
    pub fn slack_openid(client_id: impl Into<String>, client_secret: impl Into<Secret>) -> Self {
        Self::new(&SLACK_OPENID, client_id, client_secret).with_id(SLACK.id)
    }
}

fn spec(_: &Provider) -> ProviderSpec {
    ProviderSpec {
        authorization_endpoint: "https://slack.com/openid/connect/authorize".into(),
        token_endpoint: "https://slack.com/api/openid.connect.token".into(),
        user_info_endpoint: Some("https://slack.com/api/openid.connect.userInfo".into()),
        scopes: ["openid", "profile", "email"].map(Into::into).into(),
        scope_order: ScopeOrder::RequestBeforeSettings,
        pkce: Pkce::Off,
        profile: ProfileSource::UserInfo { headers: Vec::new(), map: profile },
        ..ProviderSpec::default()
    }
}

fn profile(_: &Provider, profile: &Value) -> Option<ProfileUser> {
    person(profile, "https://slack.com/user_id")
}

fn person(profile: &Value, id: &str) -> Option<ProfileUser> {
    let user = standard(profile, id, &["name"])?;
    let image = user.image.clone().or_else(|| text(profile, "https://slack.com/user_image_512"));
    Some(ProfileUser { image, ..user })
}

fn openid_spec(provider: &Provider) -> ProviderSpec {
    let ProviderSpec { authorization_endpoint, token_endpoint, user_info_endpoint, .. } = spec(provider);
    ProviderSpec {
        authorization_endpoint,
        token_endpoint,
        user_info_endpoint,
        id_token: None,
        profile: ProfileSource::UserInfo { headers: Vec::new(), map: openid_profile },
        ..preset(provider, &["openid", "profile", "email"])
    }
}

fn openid_profile(_: &Provider, profile: &Value) -> Option<ProfileUser> {
    person(profile, "sub")
}
