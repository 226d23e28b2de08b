use std::fmt;

use serde_json::{Map, Value};
use time::{Duration, OffsetDateTime};

use crate::Secret;

/// What a provider gives for a code or a refresh token.
///
/// ```
/// use housekey_engine::social::TokenSet;
///
/// let tokens = TokenSet { access_token: Some("an access token".into()), ..Default::default() };
/// assert!(!format!("{tokens:?}").contains("an access token"));
/// ```
#[derive(Clone, Default)]
pub struct TokenSet {
    pub access_token: Option<Secret>,
    pub refresh_token: Option<Secret>,
    pub id_token: Option<Secret>,
    pub token_type: Option<String>,
    /// What was granted. Empty when the provider does not say.
    pub scopes: Vec<String>,
    pub access_token_expires_at: Option<OffsetDateTime>,
    pub refresh_token_expires_at: Option<OffsetDateTime>,
    /// The whole answer, for providers that put more into it.
    pub raw: Map<String, Value>,
}

impl TokenSet {
    /// Reads a token answer that came at `now`. What is of another type than it should be counts as missing.
    pub fn read(raw: Map<String, Value>, now: OffsetDateTime) -> Self {
        let secret = |name: &str| {
            let text = raw.get(name)?.as_str().filter(|text| !text.is_empty())?;
            Some(Secret::from(text))
        };
        Self {
            access_token: secret("access_token"),
            refresh_token: secret("refresh_token"),
            id_token: secret("id_token"),
            token_type: raw.get("token_type").and_then(Value::as_str).map(str::to_owned),
            scopes: scopes(raw.get("scope")),
            access_token_expires_at: after(raw.get("expires_in"), now),
            refresh_token_expires_at: after(raw.get("refresh_token_expires_in"), now),
            raw,
        }
    }
}

/// `"a b"` or `["a", "b"]`.
fn scopes(given: Option<&Value>) -> Vec<String> {
    match given {
        Some(Value::String(text)) => text.split_whitespace().map(str::to_owned).collect(),
        Some(Value::Array(list)) => list.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
        _ => Vec::new(),
    }
}

/// A moment some seconds from now. Some providers write the number as a text; one that no date can hold is none.
fn after(seconds: Option<&Value>, now: OffsetDateTime) -> Option<OffsetDateTime> {
    let seconds = match seconds? {
        Value::Number(number) => number.as_f64()?,
        Value::String(text) => text.trim().parse().ok()?,
        _ => return None,
    };
    // Longer than a thousand years is a mistake, not a promise.
    let is_sensible = seconds > 0.0 && seconds < 3.2e10;
    is_sensible.then(|| now.checked_add(Duration::seconds_f64(seconds))).flatten()
}

/// What is there, and nothing of it.
impl fmt::Debug for TokenSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TokenSet")
            .field("access_token", &self.access_token)
            .field("refresh_token", &self.refresh_token)
            .field("id_token", &self.id_token)
            .field("scopes", &self.scopes)
            .field("access_token_expires_at", &self.access_token_expires_at)
            .finish_non_exhaustive()
    }
}
