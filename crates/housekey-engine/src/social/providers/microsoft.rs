use data_encoding::BASE64;
use serde_json::Value;

use super::reading::without_trailing_slash;
use crate::social::provider::text;
use crate::social::{
    IdTokenSpec, Jwks, Profile, ProfileCall, ProfileSource, ProfileUser, Provider, ProviderKind,
    ProviderSpec, SocialError,
};
use crate::{BoxFuture, Secret};

pub(crate) const MICROSOFT: ProviderKind = ProviderKind { id: "microsoft", name: "Microsoft", spec };

/// The tenant of personal accounts.
const CONSUMERS: &str = "9188040d-6c67-4c5b-b112-36a304b66dad";

const SCOPES: [&str; 5] = ["openid", "profile", "email", "User.Read", "offline_access"];

impl Provider {
    /// Sign in with Microsoft: personal accounts and those of every organisation, unless a tenant is set. Register the app
    /// at <https://entra.microsoft.com>. Without a secret it is a public client.
    ///
    /// ```
    /// use housekey_engine::social::Provider;
    ///
    /// let provider = Provider::microsoft("client id", "client secret").tenant("organizations");
    /// # let _ = provider;
    /// ```
    pub fn microsoft(client_id: impl Into<String>, client_secret: impl Into<Secret>) -> Self {
        Self::new(&MICROSOFT, client_id, client_secret)
    }

    /// Only people of one tenant (its id), of any organisation (`organizations`), or with personal accounts (`consumers`).
    /// For Microsoft.
    #[must_use]
    pub fn tenant(self, tenant: impl Into<String>) -> Self {
        self.with("tenantId", tenant.into())
    }
}

fn authority(provider: &Provider) -> &str {
    without_trailing_slash(provider.settings.text("authority").unwrap_or("https://login.microsoftonline.com"))
}

fn tenant(provider: &Provider) -> &str {
    provider.settings.text("tenantId").unwrap_or("common")
}

/// Whether the tenant is one, and not a group of them.
fn is_concrete(tenant: &str) -> bool {
    !matches!(tenant, "common" | "organizations" | "consumers")
}

fn spec(provider: &Provider) -> ProviderSpec {
    let settings = &provider.settings;
    let (authority, tenant) = (authority(provider), tenant(provider));
    let defaults = if settings.disable_default_scope { &[][..] } else { &SCOPES[..] };
    let scopes: Vec<&str> =
        defaults.iter().copied().chain(settings.scope.iter().map(String::as_str)).collect();
    ProviderSpec {
        authorization_endpoint: format!("{authority}/{tenant}/oauth2/v2.0/authorize"),
        token_endpoint: format!("{authority}/{tenant}/oauth2/v2.0/token"),
        scopes: SCOPES.map(Into::into).into(),
        login_hint: true,
        public_client: true,
        // Microsoft narrows a token to what a refresh asks for.
        refresh_params: vec![("scope".into(), scopes.join(" "))],
        id_token: Some(IdTokenSpec {
            keys: Jwks::Url(format!("{authority}/{tenant}/discovery/v2.0/keys")),
            issuers: is_concrete(tenant).then(|| format!("{authority}/{tenant}/v2.0")).into_iter().collect(),
            max_age: Some(3600),
            check: of_the_tenant,
            ..IdTokenSpec::default()
        }),
        profile: ProfileSource::Custom(profile),
        ..ProviderSpec::default()
    }
}

/// The keys of `common` sign for every tenant: the issuer has to be that of the tenant the token names, and the tenant one
/// that we take.
fn of_the_tenant(provider: &Provider, claims: &Value) -> Result<(), &'static str> {
    let tid = claims.get("tid").and_then(Value::as_str).unwrap_or_default();
    let iss = claims.get("iss").and_then(Value::as_str).unwrap_or_default();
    if tid.is_empty() || iss != format!("{}/{tid}/v2.0", authority(provider)) {
        return Err("the issuer is not that of the token's tenant");
    }
    match tenant(provider) {
        "organizations" if tid == CONSUMERS => Err("personal accounts are not taken"),
        "consumers" if tid != CONSUMERS => Err("only personal accounts are taken"),
        _ => Ok(()),
    }
}

/// The claims, and the photo, which only the graph has.
fn profile(call: ProfileCall<'_>) -> BoxFuture<'_, Result<Option<Profile>, SocialError>> {
    Box::pin(async move {
        let Some(mut data) = call.claims.cloned() else { return Ok(None) };
        // `oid` is the person, `sub` the person at this app: moving to another registration would lose everybody.
        let Some(id) = text(&data, "oid").filter(|id| !id.trim().is_empty()) else { return Ok(None) };
        let user = ProfileUser { id, ..ProfileUser::default() };
        let mut user = user.name(&data, &["name"]).email(&data, "email").image(&data, "picture");
        user.former_id = text(&data, "sub");
        user.email_verified = is_verified(&data, user.email.as_deref());
        if let Some(photo) = photo(call).await {
            if let Some(claims) = data.as_object_mut() {
                claims.insert("picture".into(), photo.clone().into());
            }
            user.image = Some(photo);
        }
        Ok(Some(Profile::new(user, data)))
    })
}

/// An address is proved when Microsoft says so, or lists it among those that are.
fn is_verified(claims: &Value, email: Option<&str>) -> bool {
    match claims.get("email_verified") {
        Some(said) => *said == Value::Bool(true) || said == "true",
        None => email.is_some_and(|email| {
            ["verified_primary_email", "verified_secondary_email"]
                .iter()
                .filter_map(|list| claims.get(list).and_then(Value::as_array))
                .flatten()
                .any(|entry| entry.as_str() == Some(email))
        }),
    }
}

/// As an address with the picture inside, because the graph shows it only to who has the token. None is no reason to refuse.
async fn photo(call: ProfileCall<'_>) -> Option<String> {
    let settings = &call.provider.settings;
    if settings.flag("disableProfilePhoto") == Some(true) {
        return None;
    }
    let size = settings.other.get("profilePhotoSize").and_then(Value::as_u64).unwrap_or(48);
    let url = format!("https://graph.microsoft.com/v1.0/me/photos/{size}x{size}/$value");
    let request = call.request(&url).ok()?.header("accept", "image/jpeg");
    let response = call.client.send(request).await.ok()?;
    let has_picture = response.status.is_success() && !response.body.is_empty();
    // The space is the reference's; browsers do not mind.
    has_picture.then(|| format!("data:image/jpeg;base64, {}", BASE64.encode(&response.body)))
}
