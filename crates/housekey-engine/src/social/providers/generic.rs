use serde_json::Value;

use crate::social::{
    AuthorizationParams, Discovery, IdTokenSpec, Pkce, ProfileSource, ProfileUser, Provider, ProviderKind,
    ProviderSpec, ScopeOrder,
};

/// Any provider, by its discovery document or by its addresses.
pub(crate) const GENERIC: ProviderKind = ProviderKind { id: "generic", name: "Generic", spec };

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
            extras: pairs(&settings.authorization_url_params),
            ..AuthorizationParams::default()
        },
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

/// The standard claims; `id` where a plain provider has no `sub`.
pub(crate) fn profile(_: &Provider, profile: &Value) -> Option<ProfileUser> {
    let user = ProfileUser::read(profile, "sub").or_else(|| ProfileUser::read(profile, "id"))?;
    Some(
        user.name(profile, &["name"])
            .email(profile, "email")
            .image(profile, "picture")
            .verified(profile, "email_verified"),
    )
}
