use housekey_engine::plugins::JwtOptions;
use housekey_engine::plugins::jwt::Algorithm;
use housekey_engine::{ApiError, Callback, MemoryStorage};
use http::StatusCode;
use serde_json::{Map, Value};

use crate::jwt::{builder, kids, read, token, with};

#[test]
fn options_that_cannot_be_meant_build_no_engine_and_say_why() {
    let usual = JwtOptions::default;
    for (options, words) in [
        (
            JwtOptions { algorithm: Algorithm::Es512, ..usual() },
            "ES512 is not supported; choose EdDSA, ES256, RS256 or PS256",
        ),
        (JwtOptions { expiration_time: 0, ..usual() }, "expirationTime is 0"),
        (JwtOptions { rotation_interval: Some(0), ..usual() }, "rotationInterval is 0"),
        (
            JwtOptions { grace_period: 60, ..usual() },
            "gracePeriod (60 s) is shorter than expirationTime (900 s)",
        ),
        (JwtOptions { jwks_path: "jwks".into(), ..usual() }, "must start with a slash"),
        (JwtOptions { jwks_path: "/../jwks".into(), ..usual() }, "not contain `..`"),
    ] {
        let error = builder(options).build(MemoryStorage::new()).unwrap_err().to_string();
        assert!(error.starts_with("plugin jwt: ") && error.contains(words), "{error}");
    }
}

#[tokio::test]
async fn the_keys_can_be_elsewhere() {
    let test = with(JwtOptions { jwks_path: "/.well-known/jwks.json".into(), ..JwtOptions::default() });
    let set = test.browser().get("/.well-known/jwks.json").await.assert(StatusCode::OK).json();
    assert_eq!(set["keys"].as_array().unwrap().len(), 1);
    test.browser().get("/jwks").await.assert(StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn who_signs_elsewhere_has_no_keys_here() {
    let sign = Callback::new(|claims: Map<String, Value>| async move {
        Ok::<_, ApiError>(format!("signed.for.{}", claims["email"].as_str().unwrap()))
    });
    let test = with(JwtOptions { sign, ..JwtOptions::default() });
    let mut ada = test.ada().await;
    assert_eq!(token(&mut ada).await, "signed.for.ada@example.com");
    test.browser().get("/jwks").await.assert(StatusCode::NOT_FOUND);
    assert_eq!(test.rows("jwks").await.len(), 0);
}

#[tokio::test]
async fn the_first_who_asks_for_keys_makes_one() {
    let test = with(JwtOptions::default());
    let [first] = kids(&test).await.try_into().unwrap();
    assert_eq!(kids(&test).await, std::slice::from_ref(&first));
    assert_eq!(read(&token(&mut test.ada().await).await).0["kid"], first);
}
