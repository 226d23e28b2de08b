use housekey_engine::plugins::JwtOptions;
use housekey_engine::plugins::jwt::Algorithm;
use serde_json::{Value, json};

use crate::jwt::issuer::verifier;
use crate::jwt::{key_set, read, token, with};
use crate::support::TestEngine;

async fn check(algorithm: Algorithm, members: &[&str]) -> TestEngine {
    let test = with(JwtOptions { algorithm, ..JwtOptions::default() });
    let token = token(&mut test.ada().await).await;
    assert_eq!(read(&token).0["alg"], json!(algorithm.name()));
    let claims: Value = verifier(&test).verify(&token).await.unwrap();
    assert_eq!(claims["email"], "ada@example.com");
    let [key] = key_set(&test).await.try_into().unwrap();
    let mut names: Vec<_> = key.as_object().unwrap().keys().map(String::as_str).collect();
    names.sort_unstable();
    assert_eq!(names, members);
    // Read again from the table, by another process.
    let again = test.under(crate::jwt::builder(JwtOptions { algorithm, ..JwtOptions::default() }));
    assert_eq!(key_set(&again).await, [key]);
    test
}

#[tokio::test]
// spec: KEY-5
async fn ed25519_signs() {
    check(Algorithm::EdDsa, &["alg", "crv", "kid", "kty", "x"]).await;
}

#[tokio::test]
// spec: KEY-5
async fn p256_signs() {
    check(Algorithm::Es256, &["alg", "crv", "kid", "kty", "x", "y"]).await;
}

#[tokio::test]
// spec: KEY-5
async fn rsa_signs_with_both_paddings() {
    for algorithm in [Algorithm::Rs256, Algorithm::Ps256] {
        let test = check(algorithm, &["alg", "e", "kid", "kty", "n"]).await;
        assert_eq!(key_set(&test).await[0]["e"], "AQAB");
        assert_eq!(key_set(&test).await[0]["n"].as_str().unwrap().len(), 342, "2048 bits");
        assert!(test.rows("jwks").await[0].get("crv").is_none_or(housekey_engine::Value::is_null));
    }
}
