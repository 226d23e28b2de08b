//! Sign in with others: OAuth 2 and OpenID Connect.

mod client;
mod error;
mod exchange;
mod list;
mod provider;
mod providers;
mod token_set;

pub use client::{FakeKey, FakePerson, FakeProviders, HttpClient, ProviderRequest, ProviderResponse, TlsClient};
pub use error::SocialError;
pub use exchange::{Grant, TokenCall};
pub use list::SocialProviders;
pub use provider::{
    AuthorizationParams, ClientSecretMaker, Discovery, Exchange, FetchProfile, IdTokenQuestion, IdTokenSpec, Jwks,
    MapProfile, NonceRule, Pkce, Profile, ProfileCall, ProfileSource, ProfileUser, Provider, ProviderKind,
    ProviderSettings, ProviderSpec, ScopeOrder, TokenAuth,
};
pub use token_set::TokenSet;
