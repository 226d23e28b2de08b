use std::sync::Arc;

use serde_json::{Map, Value};

use super::Algorithm;
use crate::options::ModelNames;
use crate::{Callback, SignedIn};

#[derive(Clone, Debug)]
pub struct JwtOptions {
    /// How tokens are signed. Changed later, a new key is made, and the old one stays published for the grace period.
    pub algorithm: Algorithm,
    /// Who says it; the app's own origin when unset.
    pub issuer: Option<String>,
    /// For whom; the app's own origin when empty.
    pub audience: Vec<String>,
    /// Seconds that a token lives. Nothing ends it sooner: neither a sign-out nor a ban.
    pub expiration_time: u32,
    /// Says what is in a token; the whole user, as clients see it, when unset. `sub` is added, and so are `iat`, `exp`, `iss` and
    /// `aud` where it does not name them.
    pub define_payload: Callback<Arc<SignedIn>, Map<String, Value>>,
    /// Says who a token is about; the user's id when unset, or when it gives nothing.
    pub subject: Callback<Arc<SignedIn>, Option<String>>,
    /// Signs tokens elsewhere, in a key service for instance: it gets the claims and gives the token. There are no keys here then,
    /// and no endpoint for them.
    pub sign: Callback<Map<String, Value>, String>,
    /// Seconds after which a new key takes the place of the old one; never when unset.
    pub rotation_interval: Option<u32>,
    /// Seconds that a key is published after its end.
    pub grace_period: u32,
    /// Keeps private keys as they are, not encrypted with the engine's secret. Whoever reads the table can then sign.
    pub disable_private_key_encryption: bool,
    /// Whether whoever reads the session gets no token in the header `set-auth-jwt`.
    pub disable_setting_jwt_header: bool,
    /// Where the public keys are, below the base path.
    pub jwks_path: String,
    /// Other names for the `jwks` table and its columns.
    pub schema: ModelNames,
}

impl Default for JwtOptions {
    fn default() -> Self {
        Self {
            algorithm: Algorithm::default(),
            issuer: None,
            audience: Vec::new(),
            expiration_time: 900,
            define_payload: Callback::unset(),
            subject: Callback::unset(),
            sign: Callback::unset(),
            rotation_interval: None,
            grace_period: 2_592_000,
            disable_private_key_encryption: false,
            disable_setting_jwt_header: false,
            jwks_path: "/jwks".into(),
            schema: ModelNames::new(),
        }
    }
}

impl JwtOptions {
    /// What cannot be meant.
    pub(super) fn problem(&self) -> Option<String> {
        let Self { algorithm, expiration_time, grace_period, jwks_path, .. } = self;
        if *algorithm == Algorithm::Es512 {
            return Some(format!(
                "{algorithm} is not supported; choose EdDSA, ES256, RS256 or PS256. Keys of {algorithm} that are in the table stay published"
            ));
        }
        if *expiration_time == 0 {
            return Some("expirationTime is 0: no token would hold".into());
        }
        if self.rotation_interval == Some(0) {
            return Some("rotationInterval is 0: leave it unset to keep one key".into());
        }
        if grace_period < expiration_time {
            return Some(format!(
                "gracePeriod ({grace_period} s) is shorter than expirationTime ({expiration_time} s): a token would outlive the key \
                 that it is checked with"
            ));
        }
        if !jwks_path.starts_with('/') || jwks_path.contains("..") {
            return Some(format!("jwksPath `{jwks_path}` must start with a slash and not contain `..`"));
        }
        None
    }
}
