use serde_json::Value;

use crate::Secret;
use crate::social::{
    AuthorizationParams, IdTokenSpec, Jwks, ProfileSource, ProfileUser, Provider, ProviderKind, ProviderSpec,
};

pub(crate) const GOOGLE: ProviderKind = ProviderKind { id: "google", name: "Google", spec };

impl Provider {
    /// Sign in with Google. Register the app at <https://console.cloud.google.com/apis/credentials>.
    pub fn google(client_id: impl Into<String>, client_secret: impl Into<Secret>) -> Self {
        Self::new(&GOOGLE, client_id, client_secret)
    }

    /// Only people of a Google Workspace domain; `*` is any of them. For Google.
    #[must_use]
    pub fn hosted_domain(self, domain: impl Into<String>) -> Self {
        self.with("hd", domain.into())
    }
}

fn spec(provider: &Provider) -> ProviderSpec {
    let settings = &provider.settings;
    let mut authorization = AuthorizationParams {
        display: settings.text("display").map(str::to_owned),
        hd: settings.text("hd").map(str::to_owned),
        access_type: settings.access_type.clone(),
        ..AuthorizationParams::default()
    };
    // Google keeps what was granted before, so that asking for one scope more does not lose the others.
    if settings.flag("includeGrantedScopes") != Some(false) {
        authorization.extras.push(("include_granted_scopes".into(), "true".into()));
    }
    ProviderSpec {
        authorization_endpoint: "https://accounts.google.com/o/oauth2/v2/auth".into(),
        token_endpoint: "https://oauth2.googleapis.com/token".into(),
        scopes: ["email", "profile", "openid"].map(Into::into).into(),
        login_hint: true,
        authorization,
        id_token: Some(IdTokenSpec {
            keys: Jwks::Url("https://www.googleapis.com/oauth2/v3/certs".into()),
            issuers: ["https://accounts.google.com", "accounts.google.com"].map(Into::into).into(),
            max_age: Some(3600),
            check: hosted_domain,
            ..IdTokenSpec::default()
        }),
        profile: ProfileSource::IdToken(profile),
        ..ProviderSpec::default()
    }
}

/// The parameter `hd` is a wish that anybody can take out of the address; the claim is what counts.
fn hosted_domain(provider: &Provider, claims: &Value) -> Result<(), &'static str> {
    let claimed = claims.get("hd").and_then(Value::as_str).unwrap_or_default();
    match provider.settings.text("hd") {
        None => Ok(()),
        Some("*") if !claimed.is_empty() => Ok(()),
        Some(wanted) if claimed == wanted => Ok(()),
        Some(_) => Err("the account is of another hosted domain"),
    }
}

fn profile(_: &Provider, claims: &Value) -> Option<ProfileUser> {
    let user = ProfileUser::read(claims, "sub")?;
    Some(
        user.name(claims, &["name"])
            .email(claims, "email")
            .image(claims, "picture")
            .verified(claims, "email_verified"),
    )
}
