//! Sign in with others: OAuth 2 and OpenID Connect.
//!
//! ```
//! use housekey_engine::options::EngineOptions;
//! use housekey_engine::social::{Provider, SocialProviders};
//!
//! let options = EngineOptions {
//!     social_providers: SocialProviders::from([
//!         Provider::google("client id", "client secret"),
//!         Provider::github("client id", "client secret"),
//!     ]),
//!     ..Default::default()
//! };
//! # let _ = options;
//! ```
//!
//! # A tour
//!
//! - A [`Provider`] is what an app configures; its [`ProviderKind`] says how to speak to it, as a [`ProviderSpec`]: data, and a
//!   function where data is not enough. Each kind has a file in `providers`.
//! - Requests go through an [`HttpClient`](crate::http_client::HttpClient): a [`TlsClient`](crate::http_client::TlsClient) in earnest, [`FakeProviders`] in tests.
//! - A flow starts (`start`), keeps what it knows until the person comes back (`state`), gets tokens for a code
//!   (`exchange`), verifies the id token (`id_token`, with the keys of `jose`), asks who this is (`identify`) and finds or makes
//!   the user (`person`).
//! - `discovery` completes the spec of providers that describe themselves.

mod account_cookie;
mod describe;
mod discovery;
mod endpoints;
mod error;
mod exchange;
mod fake;
mod id_token;
mod identify;
mod linking;
mod list;
mod person;
mod provider;
mod providers;
mod refresh;
mod refusal;
mod runtime;
mod sign_out;
mod start;
mod state;
mod token_set;
mod tokens;

pub use endpoints::{
    AccessToken, AccountChoice, AccountInfo, AccountOwner, IdToken, LinkSocial, RefreshedTokens,
    SignInSocial, SocialStart,
};
pub use error::SocialError;
pub use exchange::{Grant, TokenCall};
pub use fake::{FakeKey, FakePerson, FakeProviders};
pub use list::SocialProviders;
pub use provider::{
    AuthorizationParams, ClientSecretMaker, Discovery, Exchange, FetchProfile, IdTokenQuestion, IdTokenSpec,
    Jwks, MapProfile, NonceRule, ParameterOrder, Pkce, Profile, ProfileCall, ProfileSource, ProfileUser,
    Provider, ProviderKind, ProviderSettings, ProviderSpec, ScopeOrder, TokenAuth,
};
pub use providers::{AppleKey, AppleSecret, CognitoPool, OAuth2Endpoints};
pub use sign_out::SignOut;
pub use start::challenge as pkce_challenge;
pub use token_set::TokenSet;

pub(crate) use endpoints::of as endpoints_of;
pub(crate) use identify::ProfileHints;
pub(crate) use runtime::{ReadyProvider, Social};
pub(crate) use start::{RESERVED as RESERVED_PARAMETERS, Start};
