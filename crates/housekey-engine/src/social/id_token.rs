//! Whether an id token holds: who signed it, for whom, when.

use data_encoding::{BASE64URL_NOPAD, HEXLOWER};
use serde_json::Value;

use super::runtime::ReadyProvider;
use super::{IdTokenQuestion, IdTokenSpec, Jwks, NonceRule, Provider, SocialError};
use crate::crypto::{hmac_sha256, sha256};
use crate::jose::{ALGORITHMS, Header, Jwk, JwksCache, Parts, decode, parts};
use crate::{Secret, constant_time_eq};

/// Clocks differ.
const TOLERANCE: i64 = 30;
/// Longer than any provider's, groups and all.
const LONGEST: usize = 64 * 1024;

/// Who brings a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sender {
    /// The token endpoint, over a connection of ours.
    Provider,
    /// A client, who may have made it up.
    Client,
}

/// The claims of a token that holds. `None` for an opaque one, where that is allowed: then whoever fetches the profile has to
/// ask the provider about it.
pub(super) async fn verify(
    ready: &ReadyProvider,
    keys: &JwksCache,
    token: &Secret,
    nonce: Option<&str>,
    from: Sender,
    now: i64,
) -> Result<Option<Value>, SocialError> {
    let refused = |reason: &'static str| SocialError::id_token(reason);
    let provider = &ready.provider;
    let question = || IdTokenQuestion { token: token.clone(), nonce: nonce.map(str::to_owned) };
    if let Some(answer) = call_own(provider, question).await {
        return match answer {
            true => Ok(parts(token.reveal()).and_then(|parts| decode(parts.payload))),
            false => Err(refused("the app's own function refuses the id token")),
        };
    }
    let Some(spec) = &ready.spec.id_token else {
        return Err(refused("the provider has no id tokens"));
    };
    let text = token.reveal();
    if text.len() > LONGEST {
        return Err(refused("the id token is too long"));
    }
    let Some(parts) = parts(text) else {
        return if spec.opaque { Ok(None) } else { Err(refused("the id token is no JWT")) };
    };
    let header: Header =
        decode(parts.header).ok_or(refused("the id token has no header that can be read"))?;
    if header.crit.is_some() {
        return Err(refused("the id token wants something that we do not know"));
    }
    let is_signed = match &spec.keys {
        Jwks::Url(url) => signature_holds(provider, spec, keys, url, &header, &parts).await?,
        // Nobody but the provider could have put it there (OpenID Connect Core 3.1.3.7, number 6).
        Jwks::None => from == Sender::Provider,
    };
    if !is_signed {
        return Err(refused("the id token is not signed by the provider"));
    }
    let claims: Value =
        decode(parts.payload).ok_or(refused("the id token has no claims that can be read"))?;
    check_claims(provider, spec, &claims, nonce, from, now).map_err(refused)?;
    Ok(Some(claims))
}

async fn call_own(provider: &Provider, question: impl FnOnce() -> IdTokenQuestion) -> Option<bool> {
    let own = &provider.settings.verify_id_token;
    if !own.is_set() {
        return None;
    }
    // One that fails has not said yes.
    own.call(question()).await.map(|answer| answer.unwrap_or(false))
}

async fn signature_holds(
    provider: &Provider,
    spec: &IdTokenSpec,
    keys: &JwksCache,
    url: &str,
    header: &Header,
    parts: &Parts<'_>,
) -> Result<bool, SocialError> {
    // The algorithm is ours to choose, never the token's: `none` and a public key used as a shared secret end here.
    let algorithm = header.alg.as_str();
    let Ok(signature) = BASE64URL_NOPAD.decode(parts.signature.as_bytes()) else { return Ok(false) };
    if algorithm == "HS256" && spec.shared_secret && !provider.client_secret.is_empty() {
        let mac = hmac_sha256(provider.client_secret.reveal().as_bytes(), &[parts.signed.as_bytes()]);
        return Ok(constant_time_eq(&mac, &signature));
    }
    if !ALGORITHMS.contains(&algorithm) || !spec.algorithms.iter().any(|allowed| allowed == algorithm) {
        return Ok(false);
    }
    let kid = header.kid.as_deref();
    let signed_by =
        |keys: &[Jwk]| keys.iter().any(|key| key.verifies(algorithm, parts.signed.as_bytes(), &signature));
    Ok(signed_by(&keys.keys(url, kid).await?) || signed_by(&keys.newer_keys(url, kid).await?))
}

fn check_claims(
    provider: &Provider,
    spec: &IdTokenSpec,
    claims: &Value,
    nonce: Option<&str>,
    from: Sender,
    now: i64,
) -> Result<(), &'static str> {
    let text = |name: &str| claims.get(name).and_then(Value::as_str);
    // Believed unsigned, from the provider's own hand, a token need not say everything; but what it says has to be right.
    let has_keys = spec.keys != Jwks::None;
    let missing_is_fine = |name: &str| !has_keys && claims.get(name).is_none();

    let issuer_holds = match text("iss") {
        Some(issuer) => spec.issuers.is_empty() || spec.issuers.iter().any(|known| known == issuer),
        None => missing_is_fine("iss"),
    };
    if !issuer_holds {
        return Err("the id token is of another issuer");
    }
    if text("sub").is_none_or(str::is_empty) {
        return Err("the id token does not say who it is about");
    }
    let audiences = if spec.audiences.is_empty() { &provider.client_ids } else { &spec.audiences };
    let is_ours = |name: &str| !name.is_empty() && audiences.iter().any(|audience| audience == name);
    let is_for_us = match claims.get("aud") {
        Some(Value::String(audience)) => is_ours(audience),
        Some(Value::Array(several)) => {
            several.iter().filter_map(Value::as_str).any(is_ours)
                // Several may hold it; one of them asked for it.
                && (several.len() == 1 || text("azp").is_none_or(is_ours))
        }
        _ => missing_is_fine("aud"),
    };
    if !is_for_us {
        return Err("the id token is meant for another app");
    }
    let time = |name: &str| claims.get(name).and_then(Value::as_f64);
    let (now, tolerance) = (now as f64, TOLERANCE as f64);
    match time("exp") {
        Some(expiry) if now < expiry + tolerance => {}
        None if missing_is_fine("exp") => {}
        _ => return Err("the id token has expired"),
    }
    match time("iat") {
        Some(issued) if issued > now + tolerance => return Err("the id token is from the future"),
        Some(issued) => {
            let is_old = |age: i64| now - issued > age as f64 + tolerance;
            if from == Sender::Client && spec.max_age.is_some_and(is_old) {
                return Err("the id token is too old");
            }
        }
        None if missing_is_fine("iat") => {}
        None => return Err("the id token does not say when it was issued"),
    }
    if claims.get("nbf").is_some() && time("nbf").is_none_or(|start| start > now + tolerance) {
        return Err("the id token does not hold yet");
    }
    if let Some(nonce) = nonce
        && !nonce_matches(text("nonce"), nonce, spec.nonce)
    {
        return Err("the id token is of another sign-in: its nonce differs");
    }
    (spec.check)(provider, claims)
}

fn nonce_matches(given: Option<&str>, wanted: &str, rule: NonceRule) -> bool {
    let Some(given) = given else { return false };
    let hashed = || HEXLOWER.encode(&sha256(wanted.as_bytes()));
    constant_time_eq(given.as_bytes(), wanted.as_bytes())
        || rule == NonceRule::ExactOrSha256 && constant_time_eq(given.as_bytes(), hashed().as_bytes())
}

/// The claims as they stand in a token that was verified when it came.
pub(super) fn claims_of_stored(token: &Secret) -> Option<Value> {
    decode(parts(token.reveal())?.payload)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use serde_json::json;

    use super::*;
    use crate::Clock;
    use crate::social::{FakeKey, FakeProviders};

    const KEYS: &str = "https://www.googleapis.com/oauth2/v3/certs";
    const NOW: i64 = 1_800_000_000;

    fn claims() -> Value {
        json!({
            "iss": "https://accounts.google.com", "sub": "7", "aud": "id", "azp": "other",
            "iat": NOW, "exp": NOW + 3600, "nonce": "n", "email": "ada@example.com",
        })
    }

    fn with(name: &str, value: Value) -> Value {
        let mut claims = claims();
        claims[name] = value;
        claims
    }

    fn without(name: &str) -> Value {
        let mut claims = claims();
        claims.as_object_mut().unwrap().remove(name);
        claims
    }

    async fn check_as(
        provider: Provider,
        token: &str,
        nonce: Option<&str>,
    ) -> Result<Option<Value>, SocialError> {
        let fakes = FakeProviders::new().json(KEYS, FakeKey::set(&[&FakeKey::rsa()]));
        let keys = JwksCache::new(Arc::new(fakes), Clock::frozen_now());
        let ready = ReadyProvider::without_discovery(provider);
        verify(&ready, &keys, &token.into(), nonce, Sender::Client, NOW).await
    }

    async fn check(token: &str) -> Result<Option<Value>, SocialError> {
        check_as(Provider::google("id", "secret"), token, Some("n")).await
    }

    #[tokio::test]
    // spec: SOC-4
    async fn a_token_that_the_provider_signed_for_us_holds() {
        let found = check(&FakeKey::rsa().sign(&claims())).await.unwrap().unwrap();
        assert_eq!(found["sub"], "7");
        for fine in [
            with("exp", json!(NOW - 29)),
            with("iat", json!(NOW + 29)),
            with("aud", json!(["id"])),
            with("iss", json!("accounts.google.com")),
        ] {
            check(&FakeKey::rsa().sign(&fine)).await.unwrap_or_else(|error| panic!("{error}: {fine}"));
        }
    }

    #[tokio::test]
    // spec: SOC-4
    async fn claims_that_are_not_meant_for_this_sign_in_are_refused() {
        for (wrong, why) in [
            (with("iss", json!("https://evil.example")), "another issuer"),
            (without("iss"), "another issuer"),
            (with("iss", json!(["https://accounts.google.com"])), "another issuer"),
            (with("aud", json!("another app")), "another app"),
            (with("aud", json!(["another app"])), "another app"),
            (with("aud", json!(["id", "another app"])), "another app"),
            (with("aud", json!([])), "another app"),
            (with("aud", json!("")), "another app"),
            (without("aud"), "another app"),
            (with("exp", json!(NOW - 31)), "expired"),
            (with("exp", json!("never")), "expired"),
            (without("exp"), "expired"),
            (with("iat", json!(NOW + 31)), "future"),
            (with("iat", json!(NOW - 3631)), "too old"),
            (without("iat"), "when it was issued"),
            (with("nbf", json!(NOW + 60)), "not hold yet"),
            (with("nonce", json!("another")), "nonce"),
            (without("nonce"), "nonce"),
            (with("sub", json!("")), "who it is about"),
            (without("sub"), "who it is about"),
        ] {
            let error = check(&FakeKey::rsa().sign(&wrong)).await.unwrap_err();
            assert!(error.is_id_token() && error.to_string().contains(why), "{error}: {wrong}");
        }
    }

    #[tokio::test]
    // spec: SOC-4
    async fn a_token_that_the_provider_did_not_sign_is_refused() {
        let key = FakeKey::rsa();
        let good = key.sign(&claims());
        let (signed, signature) = good.rsplit_once('.').unwrap();
        let encode = |value: &Value| BASE64URL_NOPAD.encode(value.to_string().as_bytes());
        let unsigned = format!("{}.{}.", encode(&json!({ "alg": "none" })), encode(&claims()));
        let changed =
            format!("{}.{}.{signature}", signed.split('.').next().unwrap(), encode(&with("sub", json!("8"))));
        // The public key, which everybody has, as a shared secret.
        let confused = {
            let header = encode(&json!({ "alg": "HS256", "kid": "fake" }));
            let message = format!("{header}.{}", encode(&claims()));
            let public = key.public().to_string();
            let mac = hmac_sha256(public.as_bytes(), &[message.as_bytes()]);
            format!("{message}.{}", BASE64URL_NOPAD.encode(&mac))
        };
        // Our own secret, which Google does not sign with.
        let shared = {
            let message = format!("{}.{}", encode(&json!({ "alg": "HS256" })), encode(&claims()));
            let mac = hmac_sha256(b"secret", &[message.as_bytes()]);
            format!("{message}.{}", BASE64URL_NOPAD.encode(&mac))
        };
        let another = FakeKey::generate("fake");
        for token in [
            unsigned,
            changed,
            confused,
            shared,
            format!("{signed}."),
            format!("{signed}.{}", BASE64URL_NOPAD.encode(b"signature")),
            another.sign(&claims()),
            another.sign_with(&json!({ "alg": "RS256", "kid": "fake" }), &claims()),
            key.sign_with(&json!({ "alg": "RS256", "kid": "unknown" }), &claims()),
            key.sign_with(&json!({ "alg": "RS512", "kid": "fake" }), &claims()),
            key.sign_with(&json!({ "alg": "PS256", "kid": "fake" }), &claims()),
            key.sign_with(&json!({ "alg": "RS256", "kid": "fake", "crit": ["b64"] }), &claims()),
            key.sign_with(&json!({ "alg": "RS256", "kid": "fake", "jwk": another.public() }), &json!([])),
            "opaque".into(),
            "a.b".into(),
            "a.b.c.d".into(),
            "..".into(),
            String::new(),
            "x".repeat(LONGEST + 1),
        ] {
            let error = check(&token).await.unwrap_err();
            assert!(error.is_id_token(), "{error}: {token}");
        }
    }

    #[tokio::test]
    async fn an_unasked_nonce_is_not_looked_at() {
        let token = FakeKey::rsa().sign(&claims());
        assert!(check_as(Provider::google("id", "secret"), &token, None).await.is_ok());
    }

    #[tokio::test]
    async fn any_client_id_of_the_app_may_be_meant() {
        let token = FakeKey::rsa().sign(&with("aud", json!("mobile")));
        assert!(check(&token).await.is_err());
        let both = Provider::google("id", "secret").also_for("mobile");
        assert!(check_as(both, &token, Some("n")).await.is_ok());
    }

    #[tokio::test]
    async fn a_hosted_domain_is_looked_at_in_the_token() {
        let of = |domain: &str| Provider::google("id", "secret").hosted_domain(domain);
        let (none, some) =
            (FakeKey::rsa().sign(&claims()), FakeKey::rsa().sign(&with("hd", json!("example.com"))));
        assert!(check_as(of("example.com"), &some, None).await.is_ok());
        assert!(check_as(of("*"), &some, None).await.is_ok());
        assert!(check_as(of("other.example"), &some, None).await.is_err());
        assert!(check_as(of("*"), &none, None).await.is_err());
        assert!(check_as(of("example.com"), &none, None).await.is_err());
    }

    #[tokio::test]
    async fn the_function_of_an_app_decides_alone_and_a_failure_is_a_no() {
        let answering = |yes: Result<bool, std::io::Error>| {
            let yes = yes.ok();
            let mut provider = Provider::google("id", "secret");
            provider.settings.verify_id_token =
                crate::Callback::new(move |_| async move { yes.ok_or(std::io::Error::other("down")) });
            provider
        };
        let token = FakeKey::generate("any").sign(&json!({ "sub": "9" }));
        assert_eq!(check_as(answering(Ok(true)), &token, None).await.unwrap().unwrap()["sub"], "9");
        assert!(check_as(answering(Ok(false)), &token, None).await.is_err());
        assert!(check_as(answering(Err(std::io::Error::other("x"))), &token, None).await.is_err());
    }

    #[test]
    fn apple_may_hash_the_nonce() {
        let hashed = HEXLOWER.encode(&sha256(b"n"));
        assert!(nonce_matches(Some(&hashed), "n", NonceRule::ExactOrSha256));
        assert!(!nonce_matches(Some(&hashed), "n", NonceRule::Exact));
        assert!(nonce_matches(Some("n"), "n", NonceRule::ExactOrSha256));
        assert!(!nonce_matches(None, "n", NonceRule::ExactOrSha256));
    }
}
