use std::fmt;
use std::sync::Arc;

use data_encoding::BASE64URL_NOPAD;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::VerifyError;
use super::claims::Expected;
use super::keys::Keys;
use crate::Clock;
use crate::http_client::{HttpClient, TlsClient};
use crate::jose::{ALGORITHMS, Header, decode, parts};

/// Longer than any token of the engine, a user with a picture in the row aside.
const LONGEST: usize = 64 * 1024;

/// Checks tokens of one issuer. Cloning it is cheap, and clones share the keys.
///
/// ```
/// # tokio::runtime::Runtime::new().unwrap().block_on(async {
/// use housekey_engine::jwt::{Verifier, VerifyError};
/// use serde_json::{Value, json};
///
/// // The keys of the issuer, from a file for instance. Usually they are fetched.
/// let keys = json!({ "keys": [{
///     "kty": "OKP", "crv": "Ed25519", "alg": "EdDSA", "kid": "1", "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo",
/// }] });
/// let verifier = Verifier::new("https://shop.example").audience(["https://files.example"]).keys(&keys);
/// let made_up = "eyJhbGciOiJub25lIiwia2lkIjoiMSJ9.eyJzdWIiOiI3In0.";
/// assert_eq!(verifier.verify::<Value>(made_up).await.unwrap_err(), VerifyError::Algorithm);
/// # });
/// ```
#[derive(Clone)]
pub struct Verifier {
    expected: Expected,
    keys: Keys,
    url: String,
    client: Arc<dyn HttpClient>,
    clock: Clock,
}

impl Verifier {
    /// For tokens of the engine at this origin (`https://shop.example`), which are for that origin too, with the keys at
    /// `/api/auth/jwks`. The other functions say where something else is meant.
    pub fn new(issuer: impl Into<String>) -> Self {
        let issuer = issuer.into();
        let url = format!("{}/api/auth/jwks", issuer.trim_end_matches('/'));
        let expected = Expected { audience: vec![issuer.clone()], issuer, skew: 30 };
        let (client, clock): (Arc<dyn HttpClient>, _) = (Arc::new(TlsClient::new(false)), Clock::system());
        let keys = Keys::at(url.clone(), Arc::clone(&client), clock.clone());
        Self { expected, keys, url, client, clock }
    }

    /// For tokens that are meant for any of these. A service that checks its own name cannot be handed a token that somebody
    /// got for another one.
    #[must_use]
    pub fn audience<A: Into<String>>(mut self, audience: impl IntoIterator<Item = A>) -> Self {
        self.expected.audience = audience.into_iter().map(Into::into).collect();
        self
    }

    /// With the keys at this address.
    #[must_use]
    pub fn keys_at(mut self, url: impl Into<String>) -> Self {
        self.url = url.into();
        self.fetching()
    }

    /// With these keys, `{"keys": […]}`, and no others: nothing is fetched.
    #[must_use]
    pub fn keys(mut self, set: &Value) -> Self {
        self.keys = Keys::known(set);
        self
    }

    /// Fetches keys from private addresses too, and without TLS there: an issuer inside of one's own network.
    #[must_use]
    pub fn allow_private_addresses(self) -> Self {
        self.http_client(Arc::new(TlsClient::new(true)))
    }

    /// Fetches keys with a client of one's own.
    #[must_use]
    pub fn http_client(mut self, client: Arc<dyn HttpClient>) -> Self {
        self.client = client;
        self.fetching()
    }

    /// Seconds by which clocks may differ; 30 if nothing is said.
    #[must_use]
    pub fn clock_skew(mut self, seconds: u32) -> Self {
        self.expected.skew = seconds;
        self
    }

    /// With a clock of one's own: for tests.
    #[must_use]
    pub fn clock(mut self, clock: Clock) -> Self {
        self.clock = clock;
        self.fetching()
    }

    /// The claims of a token that holds.
    pub async fn verify<T: DeserializeOwned>(&self, token: &str) -> Result<T, VerifyError> {
        if token.len() > LONGEST {
            return Err(VerifyError::Malformed);
        }
        let parts = parts(token).ok_or(VerifyError::Malformed)?;
        let header: Header = decode(parts.header).ok_or(VerifyError::Malformed)?;
        if header.crit.is_some() {
            return Err(VerifyError::Critical);
        }
        // Before anything is fetched: `none` and a public key used as a shared secret end here.
        if !ALGORITHMS.contains(&header.alg.as_str()) {
            return Err(VerifyError::Algorithm);
        }
        let signature =
            BASE64URL_NOPAD.decode(parts.signature.as_bytes()).map_err(|_| VerifyError::Malformed)?;
        let kid = header.kid.ok_or(VerifyError::UnknownKey)?;
        let mut keys = self.keys.named(&kid).await?;
        if keys.is_empty() {
            return Err(VerifyError::UnknownKey);
        }
        // The key says by which algorithm, never the token.
        keys.retain(|key| key.algorithm() == Some(header.alg.as_str()));
        if keys.is_empty() {
            return Err(VerifyError::Algorithm);
        }
        if !keys.iter().any(|key| key.verifies(&header.alg, parts.signed.as_bytes(), &signature)) {
            return Err(VerifyError::Signature);
        }
        let claims: Value = decode(parts.payload).ok_or(VerifyError::Malformed)?;
        self.expected.check(&claims, self.clock.now().unix_timestamp())?;
        serde_json::from_value(claims).map_err(|error| VerifyError::Claims(error.to_string()))
    }

    /// Forgets what was fetched, unless the keys were given.
    fn fetching(mut self) -> Self {
        if let Keys::At { .. } = self.keys {
            self.keys = Keys::at(self.url.clone(), Arc::clone(&self.client), self.clock.clone());
        }
        self
    }
}

impl fmt::Debug for Verifier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Verifier")
            .field("expected", &self.expected)
            .field("url", &self.url)
            .finish_non_exhaustive()
    }
}
