use std::sync::Arc;

use serde_json::Value;
use time::Duration;

use super::VerifyError;
use crate::Clock;
use crate::http_client::HttpClient;
use crate::jose::{Jwk, JwksCache};

/// After a fetch that failed, for as long nobody tries again: tokens cost nothing to make up.
const AFTER_FAILURE: Duration = Duration::seconds(2);

/// Where keys come from.
#[derive(Clone)]
pub(super) enum Keys {
    /// They are known.
    Known(Arc<Vec<Jwk>>),
    /// They are fetched.
    At { url: String, cache: JwksCache },
}

impl Keys {
    pub(super) fn known(set: &Value) -> Self {
        let keys = set.get("keys").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
        let keys = keys.iter().filter_map(|key| serde_json::from_value(key.clone()).ok());
        Self::Known(Arc::new(keys.filter(Jwk::is_key).collect()))
    }

    pub(super) fn at(url: String, client: Arc<dyn HttpClient>, clock: Clock) -> Self {
        Self::At { url, cache: JwksCache::new(client, clock).resting(AFTER_FAILURE) }
    }

    /// The keys of this name: one, unless the issuer is careless.
    pub(super) async fn named(&self, kid: &str) -> Result<Vec<Jwk>, VerifyError> {
        let mut keys = match self {
            Self::Known(keys) => keys.to_vec(),
            Self::At { url, cache } => cache.keys(url, Some(kid)).await.map_err(VerifyError::Unavailable)?,
        };
        keys.retain(|key| key.kid.as_deref() == Some(kid));
        Ok(keys)
    }
}
