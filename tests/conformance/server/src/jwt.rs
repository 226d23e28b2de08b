use std::convert::Infallible;
use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use housekey_engine::jwt::Verifier;
use housekey_engine::plugins::JwtOptions;
use housekey_engine::plugins::jwt::Algorithm;
use housekey_engine::{Callback, SignedIn};
use http::StatusCode;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::Harness;

/// The plugin's options, as far as JSON can say them and in the reference's shape.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub(crate) struct Jwt {
    jwks: Jwks,
    jwt: Token,
    disable_setting_jwt_header: bool,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
struct Jwks {
    key_pair_config: KeyPairConfig,
    rotation_interval: Option<u32>,
    grace_period: Option<u32>,
    disable_private_key_encryption: bool,
    jwks_path: Option<String>,
}

#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct KeyPairConfig {
    alg: Algorithm,
    /// Said by the algorithm, here.
    #[serde(rename = "crv")]
    _crv: Option<String>,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
struct Token {
    issuer: Option<String>,
    audience: Audience,
    /// `5m`
    expiration_time: Option<String>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Audience {
    One(String),
    Several(Vec<String>),
}

impl Default for Audience {
    fn default() -> Self {
        Self::Several(Vec::new())
    }
}

impl Jwt {
    /// The options, with the callbacks among these names that are theirs.
    pub(crate) fn options(self, callbacks: &[String]) -> Result<JwtOptions, String> {
        let usual = JwtOptions::default();
        let mut options = JwtOptions {
            algorithm: self.jwks.key_pair_config.alg,
            issuer: self.jwt.issuer,
            audience: match self.jwt.audience {
                Audience::One(one) => vec![one],
                Audience::Several(several) => several,
            },
            expiration_time: self
                .jwt
                .expiration_time
                .map_or(Ok(usual.expiration_time), |text| minutes(&text))?,
            rotation_interval: self.jwks.rotation_interval,
            grace_period: self.jwks.grace_period.unwrap_or(usual.grace_period),
            disable_private_key_encryption: self.jwks.disable_private_key_encryption,
            disable_setting_jwt_header: self.disable_setting_jwt_header,
            jwks_path: self.jwks.jwks_path.unwrap_or(usual.jwks_path),
            ..JwtOptions::default()
        };
        for name in callbacks {
            match name.as_str() {
                "definePayload" => options.define_payload = Callback::new(define_payload),
                "getSubject" => options.subject = Callback::new(subject),
                _ => {}
            }
        }
        Ok(options)
    }
}

fn minutes(text: &str) -> Result<u32, String> {
    let number = text.strip_suffix('m').and_then(|number| number.parse::<u32>().ok());
    number.map(|number| number * 60).ok_or_else(|| format!("`{text}` is no number of minutes"))
}

async fn define_payload(signed_in: Arc<SignedIn>) -> Result<Map<String, Value>, Infallible> {
    let claims = json!({ "address": signed_in.user.email, "session": signed_in.session.id });
    Ok(claims.as_object().cloned().unwrap_or_default())
}

async fn subject(signed_in: Arc<SignedIn>) -> Result<Option<String>, Infallible> {
    Ok(Some(signed_in.user.email.clone()))
}

/// A token to check as another service would, with the keys at an address.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Check {
    token: String,
    issuer: String,
    keys_at: String,
}

pub(crate) async fn verify(
    State(harness): State<Harness>,
    Json(Check { token, issuer, keys_at }): Json<Check>,
) -> (StatusCode, Json<Value>) {
    let verifier =
        Verifier::new(issuer).keys_at(keys_at).allow_private_addresses().clock(harness.clock.clone());
    match verifier.verify::<Value>(&token).await {
        Ok(claims) => (StatusCode::OK, Json(claims)),
        Err(error) => (StatusCode::UNAUTHORIZED, Json(json!({ "error": error.to_string() }))),
    }
}
