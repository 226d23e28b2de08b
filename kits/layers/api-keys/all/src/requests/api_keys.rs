use housekey::prelude::*;
use serde::Deserialize;

/// A new API key.
#[typescript]
#[derive(Deserialize, Validated)]
pub struct ApiKeyRequest {
    /// So that its owner knows later which one it is.
    #[validate(required, max(32))]
    pub name: String,
    /// One of those that the page offers. Where it offers none, the configuration decides.
    #[validate(max(16))]
    pub lifetime: Option<String>,
}

/// Whether an API key works.
#[typescript]
#[derive(Deserialize, Validated)]
pub struct ApiKeyStateRequest {
    pub enabled: bool,
}
