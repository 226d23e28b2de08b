use serde_json::Value;

use super::reading::without_trailing_slash;
use crate::Secret;
use crate::social::{ProfileSource, ProfileUser, Provider, ProviderKind, ProviderSpec};

pub(crate) const GITLAB: ProviderKind = ProviderKind { id: "gitlab", name: "GitLab", spec };

impl Provider {
    /// Sign in with GitLab. Register the app at <https://gitlab.com/-/user_settings/applications>; a server of one's own is
    /// `.with("issuer", "https://gitlab.example.com")`.
    pub fn gitlab(client_id: impl Into<String>, client_secret: impl Into<Secret>) -> Self {
        Self::new(&GITLAB, client_id, client_secret)
    }
}

fn spec(provider: &Provider) -> ProviderSpec {
    let issuer = without_trailing_slash(provider.settings.text("issuer").unwrap_or("https://gitlab.com"));
    ProviderSpec {
        authorization_endpoint: format!("{issuer}/oauth/authorize"),
        token_endpoint: format!("{issuer}/oauth/token"),
        user_info_endpoint: Some(format!("{issuer}/api/v4/user")),
        scopes: vec!["read_user".into()],
        login_hint: true,
        profile: ProfileSource::UserInfo { headers: Vec::new(), map: profile },
        ..ProviderSpec::default()
    }
}

/// GitLab still answers for people whom it has blocked.
fn profile(_: &Provider, profile: &Value) -> Option<ProfileUser> {
    let is_active = profile.get("state").and_then(Value::as_str) == Some("active");
    let is_locked =
        profile.get("locked").is_some_and(|locked| *locked != Value::Bool(false) && !locked.is_null());
    if !is_active || is_locked {
        return None;
    }
    let user = ProfileUser::read(profile, "id")?;
    Some(
        user.name(profile, &["name", "username"])
            .email(profile, "email")
            .image(profile, "avatar_url")
            .verified(profile, "email_verified"),
    )
}
