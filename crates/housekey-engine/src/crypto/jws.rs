//! JWS in compact form with HS256: verification links and the `jwt` cookie cache.

use data_encoding::BASE64URL_NOPAD;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::Keys;

/// `{"alg":"HS256"}`: the reference sends no `typ`.
const HEADER: &str = "eyJhbGciOiJIUzI1NiJ9";

#[derive(Deserialize)]
struct Header {
    alg: String,
    crit: Option<serde_json::Value>,
}

impl Keys {
    /// Signs claims. `None` only if the claims cannot be written as JSON.
    pub(crate) fn sign_claims(&self, claims: &impl Serialize) -> Option<String> {
        let payload = BASE64URL_NOPAD.encode(&serde_json::to_vec(claims).ok()?);
        let signature = self.mac(&[HEADER.as_bytes(), b".", payload.as_bytes()]);
        Some(format!("{HEADER}.{payload}.{}", BASE64URL_NOPAD.encode(&signature)))
    }

    /// The claims, if the signature is ours. Expiry is the caller's business.
    pub(crate) fn verify_claims<T: DeserializeOwned>(&self, token: &str) -> Option<T> {
        let (signed, signature) = token.rsplit_once('.')?;
        let (header, payload) = signed.split_once('.')?;
        // The algorithm is ours to choose, never the token's: `none` and RS256 confusion end here.
        let header: Header = decode(header)?;
        if header.alg != "HS256" || header.crit.is_some() {
            return None;
        }
        let signature = BASE64URL_NOPAD.decode(signature.as_bytes()).ok()?;
        if !self.is_mac(&[signed.as_bytes()], &signature) {
            return None;
        }
        decode(payload)
    }
}

fn decode<T: DeserializeOwned>(part: &str) -> Option<T> {
    serde_json::from_slice(&BASE64URL_NOPAD.decode(part.as_bytes()).ok()?).ok()
}

#[cfg(test)]
mod tests {
    use data_encoding::BASE64URL_NOPAD;
    use serde_json::{Value, json};

    use super::*;

    #[test]
    fn claims_come_back_as_they_were_signed() {
        let keys = Keys::for_tests();
        let token = keys.sign_claims(&json!({ "email": "ada@example.com", "exp": 5 })).unwrap();
        assert!(token.starts_with("eyJhbGciOiJIUzI1NiJ9."));
        assert_eq!(keys.verify_claims::<Value>(&token).unwrap()["email"], "ada@example.com");
    }

    #[test]
    fn a_token_cannot_choose_its_algorithm() {
        let keys = Keys::for_tests();
        let payload = BASE64URL_NOPAD.encode(br#"{"email":"ada@example.com"}"#);
        for header in [r#"{"alg":"none"}"#, r#"{"alg":"RS256"}"#, r#"{"alg":"HS256","crit":["x"]}"#] {
            let signed = format!("{}.{payload}", BASE64URL_NOPAD.encode(header.as_bytes()));
            let signature = BASE64URL_NOPAD.encode(&keys.mac(&[signed.as_bytes()]));
            assert!(keys.verify_claims::<Value>(&format!("{signed}.{signature}")).is_none(), "{header}");
            assert!(keys.verify_claims::<Value>(&format!("{signed}.")).is_none(), "{header}");
        }
    }

    proptest::proptest! {
        #[test]
        fn no_text_is_taken_for_claims(text in "[a-zA-Z0-9_.=-]{0,300}") {
            proptest::prop_assert!(Keys::for_tests().verify_claims::<Value>(&text).is_none());
        }
    }
}
