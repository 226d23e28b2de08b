//! A code for tokens, and a refresh token for new ones.

use std::fmt;

use http::StatusCode;
use serde_json::{Map, Value};
use time::{Duration, OffsetDateTime};

use super::{HttpClient, Provider, ProviderRequest, ProviderSpec, SocialError, TokenAuth, TokenSet};
use crate::{BoxError, Secret};

/// A token request, and what it is sent with.
#[derive(Clone, Copy)]
pub struct TokenCall<'a> {
    pub client: &'a dyn HttpClient,
    pub provider: &'a Provider,
    pub spec: &'a ProviderSpec,
    pub now: OffsetDateTime,
    pub grant: Grant<'a>,
}

/// What tokens are asked for with.
#[derive(Clone, Copy)]
pub enum Grant<'a> {
    /// The code of a callback.
    Code {
        code: &'a str,
        /// Of this flow; sent when the provider does PKCE.
        verifier: &'a str,
        redirect_uri: &'a str,
        /// VK sends one with the code and wants it back.
        device_id: Option<&'a str>,
    },
    /// A refresh token.
    Refresh(&'a Secret),
}

impl fmt::Debug for Grant<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if matches!(self, Self::Code { .. }) { "Code" } else { "Refresh" })
    }
}
