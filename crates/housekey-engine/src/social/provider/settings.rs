use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{Profile, TokenAuth};
use crate::social::TokenSet;
use crate::{Callback, Secret};

/// What an app may change about a provider. Serialised, the keys are the reference's.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct ProviderSettings {
    /// `false` drops it.
    pub enabled: bool,
    /// More scopes than those it asks for by itself.
    #[serde(alias = "scopes")]
    pub scope: Vec<String>,
    /// Asks for `scope` only.
    pub disable_default_scope: bool,
    /// Where the provider sends people back to, when it is not `<base>/callback/<id>`.
    #[serde(rename = "redirectURI", skip_serializing_if = "Option::is_none")]
    pub redirect_uri: Option<String>,
    #[serde(alias = "authorizationUrl", skip_serializing_if = "Option::is_none")]
    pub authorization_endpoint: Option<String>,
    /// `select_account`, `consent`, …
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prompt: Option<String>,
    /// `query` or `form_post`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub response_mode: Option<String>,
    /// `offline`: asks Google for a refresh token.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub access_type: Option<String>,
    /// Never makes a user, only signs in those who are connected.
    pub disable_sign_up: bool,
    /// Makes a user only when the start asked for it (`requestSignUp`).
    pub disable_implicit_sign_up: bool,
    /// Takes no id tokens from clients.
    pub disable_id_token_sign_in: bool,
    /// Takes over name, picture and address from the provider at every sign-in.
    #[serde(alias = "overrideUserInfo")]
    pub override_user_info_on_sign_in: bool,
    /// Makes the user, but no session until the address is proved.
    pub require_email_verification: bool,
    /// Asks for no second factor after a sign-in here.
    pub trusted_for_two_factor: bool,

    // For providers that the engine does not know.
    /// Where an OpenID provider describes itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub discovery_url: Option<String>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub discovery_headers: BTreeMap<String, Secret>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub token_url: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub user_info_url: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub end_session_endpoint: Option<String>,
    #[serde(rename = "postLogoutRedirectURI", skip_serializing_if = "Option::is_none")]
    pub post_logout_redirect_uri: Option<String>,
    pub disable_provider_logout: bool,
    /// How the app proves who it is at the token endpoint.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub authentication: Option<TokenAuth>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pkce: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub response_type: Option<String>,
    /// More parameters of the authorization request.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub authorization_url_params: BTreeMap<String, String>,
    /// More fields of the token request. They replace none that is there.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub token_url_params: BTreeMap<String, String>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub refresh_token_params: BTreeMap<String, String>,
    /// More headers of the token request.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub authorization_headers: BTreeMap<String, Secret>,
    /// How long an access token lives, in seconds, when the answer does not say.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub access_token_expires_in: Option<u64>,
    pub allow_idp_initiated: bool,
    /// Refuses a sign-in whose id token is missing or cannot be verified.
    pub require_id_token_verification: bool,
    pub disable_id_token_nonce_binding: bool,
    /// A private key in PEM, for providers that want a signed client secret (Apple).
    #[serde(skip_serializing_if = "Secret::is_empty")]
    pub private_key: Secret,

    /// Columns for the user from the profile, as the provider wrote it. They win over what the engine read, but cannot
    /// change the account's id.
    pub map_profile_to_user: Callback<Value, Map<String, Value>>,
    /// Fetches the profile instead of the engine; `None` refuses.
    pub get_user_info: Callback<TokenSet, Option<Profile>>,
    /// Verifies an id token instead of the engine.
    pub verify_id_token: Callback<IdTokenQuestion, bool>,
    /// Refreshes an access token instead of the engine.
    pub refresh_access_token: Callback<Secret, TokenSet>,

    /// What only one kind of provider knows: `hd`, `tenantId`, `issuer`, `permissions`, …
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

impl Default for ProviderSettings {
    fn default() -> Self {
        Self {
            enabled: true,
            scope: Vec::new(),
            disable_default_scope: false,
            redirect_uri: None,
            authorization_endpoint: None,
            prompt: None,
            response_mode: None,
            access_type: None,
            disable_sign_up: false,
            disable_implicit_sign_up: false,
            disable_id_token_sign_in: false,
            override_user_info_on_sign_in: false,
            require_email_verification: false,
            trusted_for_two_factor: false,
            discovery_url: None,
            discovery_headers: BTreeMap::new(),
            token_url: None,
            user_info_url: None,
            end_session_endpoint: None,
            post_logout_redirect_uri: None,
            disable_provider_logout: false,
            authentication: None,
            pkce: None,
            response_type: None,
            authorization_url_params: BTreeMap::new(),
            token_url_params: BTreeMap::new(),
            refresh_token_params: BTreeMap::new(),
            authorization_headers: BTreeMap::new(),
            access_token_expires_in: None,
            allow_idp_initiated: false,
            require_id_token_verification: false,
            disable_id_token_nonce_binding: false,
            private_key: Secret::default(),
            map_profile_to_user: Callback::unset(),
            get_user_info: Callback::unset(),
            verify_id_token: Callback::unset(),
            refresh_access_token: Callback::unset(),
            other: Map::new(),
        }
    }
}

impl ProviderSettings {
    /// A text among the settings of one kind of provider.
    pub fn text(&self, name: &str) -> Option<&str> {
        self.other.get(name)?.as_str().filter(|text| !text.is_empty())
    }

    /// A switch among the settings of one kind of provider.
    pub fn flag(&self, name: &str) -> Option<bool> {
        self.other.get(name)?.as_bool()
    }
}

/// An id token to verify, for [`ProviderSettings::verify_id_token`].
#[derive(Clone, Debug)]
pub struct IdTokenQuestion {
    pub token: Secret,
    /// What the token has to carry, if the client sent one.
    pub nonce: Option<String>,
}
