use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use time::OffsetDateTime;

use super::{Profile, ProfileCall, ProfileUser, Provider};
use crate::social::{SocialError, TokenCall, TokenSet};
use crate::{BoxFuture, Secret};

/// How to speak to a provider: data, and functions where data is not enough. [`Default`] is a plain OAuth 2 provider with
/// PKCE, so that a kind names only what is different.
#[derive(Clone, Debug)]
pub struct ProviderSpec {
    /// Where it describes itself. What stands in this spec wins over what is found there.
    pub discovery: Option<Discovery>,
    pub authorization_endpoint: String,
    pub token_endpoint: String,
    pub user_info_endpoint: Option<String>,
    /// Where a sign-out at the provider begins (A.12).
    pub end_session_endpoint: Option<String>,

    /// Scopes that it asks for by itself.
    pub scopes: Vec<String>,
    pub scope_order: ScopeOrder,
    /// Between scopes in the authorization request: a space, or TikTok's comma.
    pub scope_separator: &'static str,
    /// Whether scopes are sent at all: Zoom has them at the app.
    pub sends_scopes: bool,
    pub pkce: Pkce,
    /// Whether the start sends a nonce that the id token has to bring back.
    pub nonce: bool,
    /// Whether it takes a `login_hint`.
    pub login_hint: bool,
    /// The name of `client_id`: TikTok says `client_key`, WeChat `appid`.
    pub client_id_name: &'static str,
    pub parameter_order: ParameterOrder,
    pub authorization: AuthorizationParams,

    /// Whether it may do without a client secret.
    pub public_client: bool,
    pub token_auth: TokenAuth,
    /// How a refresh proves who asks, when it is not `token_auth` (Notion).
    pub refresh_auth: Option<TokenAuth>,
    /// Makes the client secret anew for every token request, from a key (Apple). Without it, `client_secret` is sent.
    pub client_secret: Option<ClientSecretMaker>,
    pub token_params: Vec<(String, String)>,
    pub refresh_params: Vec<(String, String)>,
    pub token_headers: Vec<(String, Secret)>,
    /// Whether a token answer of status 200 with an `error` is a failed exchange (GitHub). Elsewhere it is a sign-in
    /// without a profile, as in the reference: the error code of the redirect tells them apart.
    pub refuses_with_success: bool,
    /// Exchanges and refreshes by itself, for providers whose token endpoint is none (WeChat).
    pub exchange: Option<Exchange>,
    /// Whether an access token can be refreshed.
    pub refreshes: bool,

    /// How its id tokens are verified. `None`: it has none.
    pub id_token: Option<IdTokenSpec>,
    pub profile: ProfileSource,
}

impl Default for ProviderSpec {
    fn default() -> Self {
        Self {
            discovery: None,
            authorization_endpoint: String::new(),
            token_endpoint: String::new(),
            user_info_endpoint: None,
            end_session_endpoint: None,
            scopes: Vec::new(),
            scope_order: ScopeOrder::default(),
            scope_separator: " ",
            sends_scopes: true,
            pkce: Pkce::S256,
            nonce: false,
            login_hint: false,
            client_id_name: "client_id",
            parameter_order: ParameterOrder::default(),
            authorization: AuthorizationParams::default(),
            public_client: false,
            token_auth: TokenAuth::Post,
            refresh_auth: None,
            client_secret: None,
            token_params: Vec::new(),
            refresh_params: Vec::new(),
            token_headers: Vec::new(),
            refuses_with_success: false,
            exchange: None,
            refreshes: true,
            id_token: None,
            profile: ProfileSource::IdToken(|_, _| None),
        }
    }
}

/// Where an OpenID provider describes itself.
#[derive(Clone, Debug, Default)]
pub struct Discovery {
    pub url: String,
    pub headers: Vec<(String, Secret)>,
}

/// Parameters of the authorization request, in the order in which they are sent.
#[derive(Clone, Debug)]
pub struct AuthorizationParams {
    pub response_type: String,
    pub duration: Option<String>,
    pub display: Option<String>,
    pub prompt: Option<String>,
    pub hd: Option<String>,
    pub access_type: Option<String>,
    pub response_mode: Option<String>,
    /// JSON, as a text (Twitch).
    pub claims: Option<String>,
    /// Everything else, at the end.
    pub extras: Vec<(String, String)>,
    /// After a `#` (WeChat).
    pub fragment: Option<&'static str>,
}

impl Default for AuthorizationParams {
    fn default() -> Self {
        Self {
            response_type: "code".into(),
            duration: None,
            display: None,
            prompt: None,
            hd: None,
            access_type: None,
            response_mode: None,
            claims: None,
            extras: Vec::new(),
            fragment: None,
        }
    }
}

/// Which scopes come first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ScopeOrder {
    /// The provider's own, those of the settings, those of the request.
    #[default]
    Configured,
    /// The provider's own, those of the request, those of the settings (Discord, Slack).
    RequestBeforeSettings,
    /// Those of the request, then all others (generic providers).
    RequestFirst,
}

/// In which order the parameters of the authorization request come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ParameterOrder {
    #[default]
    Standard,
    /// Scope, response type, client id, redirect URI, state (Slack, TikTok, WeChat).
    ScopeFirst,
    /// The standard order, but scopes at the very end and with `%20` between them (Cognito).
    ScopeLast,
}

/// Proof that whoever brings the code is who asked for it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Pkce {
    Off,
    #[default]
    S256,
    /// Without a challenge, but the verifier is sent all the same (Zoom, when switched off).
    VerifierOnly,
}

/// How the app proves who it is at the token endpoint.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TokenAuth {
    /// `client_id` and `client_secret` in the form; without a secret, the id alone.
    #[default]
    Post,
    /// `Authorization: Basic`, and neither in the form.
    Basic,
    /// A public client: the id alone.
    None,
}

/// How id tokens are verified. Signature, issuer, audience and times are always looked at.
#[derive(Clone, Debug)]
pub struct IdTokenSpec {
    pub keys: Jwks,
    /// Any of these. Empty: `check` decides (Microsoft).
    pub issuers: Vec<String>,
    /// Any of these, when not the provider's client ids (Apple's bundle id).
    pub audiences: Vec<String>,
    /// `RS256`, `ES256`, … An id token signed otherwise is refused.
    pub algorithms: Vec<String>,
    /// Whether `HS256` with the client secret is taken too, besides `algorithms` (LINE).
    pub shared_secret: bool,
    /// How long ago, in seconds, a token that a client brings may have been issued.
    pub max_age: Option<i64>,
    pub nonce: NonceRule,
    /// Whether clients may sign in with an id token.
    pub sign_in: bool,
    /// Whether a token that is no JWT is left to the function that fetches the profile (Facebook).
    pub opaque: bool,
    /// What else has to hold for the claims; the error says what does not.
    pub check: fn(&Provider, &Value) -> Result<(), &'static str>,
}

impl Default for IdTokenSpec {
    fn default() -> Self {
        Self {
            keys: Jwks::None,
            issuers: Vec::new(),
            audiences: Vec::new(),
            algorithms: vec!["RS256".into()],
            shared_secret: false,
            max_age: None,
            nonce: NonceRule::Exact,
            sign_in: true,
            opaque: false,
            check: |_, _| Ok(()),
        }
    }
}

/// The keys that id tokens are signed with.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Jwks {
    /// Nobody knows. Claims are believed only when the token came from the token endpoint itself, over TLS, and no client
    /// may bring one.
    #[default]
    None,
    /// A key set at this address.
    Url(String),
}

/// How the nonce of a token is compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum NonceRule {
    #[default]
    Exact,
    /// As it is, or as the hexadecimal SHA-256 of it (Apple's native sign-in).
    ExactOrSha256,
}

/// Where the profile comes from.
#[derive(Clone)]
pub enum ProfileSource {
    /// The claims of the id token.
    IdToken(MapProfile),
    /// The user info endpoint, asked with the access token.
    UserInfo { headers: Vec<(String, String)>, map: MapProfile },
    /// The claims of the id token when they have `sub` and `email`, else the user info endpoint, whose `sub` has to be the
    /// same (generic providers).
    Claims(MapProfile),
    /// A function: several calls, a picture, other headers.
    Custom(FetchProfile),
}

/// Reads a profile. `None` refuses the sign-in (`unable_to_get_user_info`): there is no id, the account is locked.
pub type MapProfile = fn(&Provider, &Value) -> Option<ProfileUser>;

/// Fetches a profile. `Ok(None)` refuses the sign-in.
pub type FetchProfile = for<'a> fn(ProfileCall<'a>) -> BoxFuture<'a, Result<Option<Profile>, SocialError>>;

/// Makes a client secret, at this moment.
pub type ClientSecretMaker = fn(&Provider, OffsetDateTime) -> Result<Secret, SocialError>;

/// Exchanges a code, or refreshes.
pub type Exchange = for<'a> fn(TokenCall<'a>) -> BoxFuture<'a, Result<TokenSet, SocialError>>;

impl fmt::Debug for ProfileSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::IdToken(_) => "IdToken",
            Self::UserInfo { .. } => "UserInfo",
            Self::Claims(_) => "Claims",
            Self::Custom(_) => "Custom",
        })
    }
}
