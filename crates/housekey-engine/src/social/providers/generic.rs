use serde_json::Value;

use super::reading::{standard, without_trailing_slash};
use crate::Secret;
use crate::social::{
    AuthorizationParams, Discovery, IdTokenSpec, Pkce, ProfileSource, ProfileUser, Provider, ProviderKind,
    ProviderSpec, ScopeOrder,
};

/// Any provider, by its discovery document or by its addresses.
pub(crate) const GENERIC: ProviderKind = ProviderKind { id: "generic", name: "Generic", spec };

const WELL_KNOWN: &str = "/.well-known/openid-configuration";

/// The addresses of a provider that does not describe itself.
#[derive(Clone, Debug, Default)]
pub struct OAuth2Endpoints {
    /// Where a person is sent.
    pub authorization: String,
    /// Where a code becomes tokens.
    pub token: String,
    /// Where the profile is, asked for with the access token.
    pub user_info: String,
}

impl Provider {
    /// Any OpenID provider, by its issuer or by the address of its discovery document. Without an issuer, as without a client
    /// id, it does not exist.
    ///
    /// ```
    /// use housekey_engine::social::Provider;
    ///
    /// let provider = Provider::oidc("work", "https://id.example.com", "client id", "client secret").with_name("Example");
    /// assert!(provider.settings.discovery_url.unwrap().starts_with("https://id.example.com/.well-known/"));
    /// assert!(Provider::oidc("work", "", "client id", "client secret").is_unset());
    /// ```
    pub fn oidc(
        id: impl Into<String>,
        issuer: impl Into<String>,
        client_id: impl Into<String>,
        client_secret: impl Into<Secret>,
    ) -> Self {
        let issuer = issuer.into();
        let mut provider = existing(named(id, client_id, client_secret), &issuer);
        provider.settings.discovery_url = Some(discovery_url(&issuer));
        provider.settings.scope = ["openid", "profile", "email"].map(Into::into).into();
        provider
    }

    /// Any OAuth 2 provider, by its addresses. Name the scopes with [`scope`](Self::scope).
    ///
    /// ```
    /// use housekey_engine::social::{OAuth2Endpoints, Provider};
    ///
    /// let endpoints = OAuth2Endpoints {
    ///     authorization: "https://example.com/oauth/authorize".into(),
    ///     token: "https://example.com/oauth/token".into(),
    ///     user_info: "https://example.com/api/me".into(),
    /// };
    /// let provider = Provider::oauth2("example", endpoints, "client id", "client secret").scope("profile");
    /// # let _ = provider;
    /// ```
    pub fn oauth2(
        id: impl Into<String>,
        endpoints: OAuth2Endpoints,
        client_id: impl Into<String>,
        client_secret: impl Into<Secret>,
    ) -> Self {
        let mut provider = named(id, client_id, client_secret);
        provider.settings.authorization_endpoint = Some(endpoints.authorization);
        provider.settings.token_url = Some(endpoints.token);
        provider.settings.user_info_url = Some(endpoints.user_info).filter(|url| !url.is_empty());
        provider
    }
}

/// A generic provider whose name is its id until it is told otherwise.
fn named(id: impl Into<String>, client_id: impl Into<String>, client_secret: impl Into<Secret>) -> Provider {
    let id = id.into();
    Provider::new(&GENERIC, client_id, client_secret).with_name(id.clone()).with_id(id)
}

/// A provider that needs to know a place: without it, as without a client id, it does not exist.
pub(super) fn existing(mut provider: Provider, place: &str) -> Provider {
    if place.is_empty() {
        provider.client_ids.clear();
    }
    provider
}

/// Where an issuer describes itself. Nothing has no address.
fn discovery_url(issuer: &str) -> String {
    if issuer.is_empty() || issuer.contains("/.well-known/") {
        return issuer.to_owned();
    }
    format!("{}{WELL_KNOWN}", without_trailing_slash(issuer))
}

/// What the presets begin with: a generic provider that asks for these scopes unless the settings name others.
pub(super) fn preset(provider: &Provider, scopes: &[&str]) -> ProviderSpec {
    let settings = &provider.settings;
    let own = if settings.scope.is_empty() { scopes } else { &[] };
    ProviderSpec { scopes: own.iter().map(|scope| (*scope).to_owned()).collect(), ..spec(provider) }
}

/// A preset that is found by discovery.
pub(super) fn discovered(provider: &Provider, issuer: &str) -> ProviderSpec {
    let mut provider = provider.clone();
    provider.settings.discovery_url.get_or_insert_with(|| discovery_url(issuer));
    preset(&provider, &["openid", "profile", "email"])
}

/// What the settings say. The rest is filled in by discovery.
pub(crate) fn spec(provider: &Provider) -> ProviderSpec {
    let settings = &provider.settings;
    let pairs = |map: &std::collections::BTreeMap<String, String>| {
        map.iter().map(|(name, value)| (name.clone(), value.clone())).collect::<Vec<_>>()
    };
    let secrets = |map: &std::collections::BTreeMap<String, crate::Secret>| {
        map.iter().map(|(name, value)| (name.clone(), value.clone())).collect::<Vec<_>>()
    };
    let discovery = settings
        .discovery_url
        .clone()
        .map(|url| Discovery { url, headers: secrets(&settings.discovery_headers) });
    ProviderSpec {
        authorization_endpoint: settings.authorization_endpoint.clone().unwrap_or_default(),
        token_endpoint: settings.token_url.clone().unwrap_or_default(),
        user_info_endpoint: settings.user_info_url.clone(),
        end_session_endpoint: settings.end_session_endpoint.clone(),
        scope_order: ScopeOrder::RequestFirst,
        pkce: if settings.pkce == Some(false) { Pkce::Off } else { Pkce::S256 },
        // Generic providers get a nonce when discovery shows how their id tokens are verified.
        nonce: discovery.is_some() && !settings.disable_id_token_nonce_binding,
        login_hint: true,
        authorization: AuthorizationParams {
            response_type: settings.response_type.clone().unwrap_or_else(|| "code".into()),
            access_type: settings.access_type.clone(),
            extras: pairs(&settings.authorization_url_params),
            ..AuthorizationParams::default()
        },
        public_client: true,
        token_auth: settings.authentication.unwrap_or_default(),
        token_params: pairs(&settings.token_url_params),
        refresh_params: pairs(&settings.refresh_token_params),
        token_headers: secrets(&settings.authorization_headers),
        id_token: Some(IdTokenSpec::default()),
        profile: ProfileSource::Claims(profile),
        discovery,
        ..ProviderSpec::default()
    }
}

/// The standard claims. A plain provider has an `id` of its own, which counts before a `sub` as long as it is no id token that
/// says so.
pub(crate) fn profile(provider: &Provider, profile: &Value) -> Option<ProfileUser> {
    let has_id_of_its_own = provider.kind().id == GENERIC.id && provider.settings.discovery_url.is_none();
    let is_openid = !has_id_of_its_own || profile.get("aud").is_some();
    let (first, second) = if is_openid { ("sub", "id") } else { ("id", "sub") };
    standard(profile, first, &["name"]).or_else(|| standard(profile, second, &["name"]))
}
