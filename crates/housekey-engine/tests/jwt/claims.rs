use std::sync::Arc;

use housekey_engine::options::{AdditionalField, FieldKind};
use housekey_engine::plugins::{JwtOptions, jwt};
use housekey_engine::{ApiError, Callback, Engine, SignedIn};
use http::StatusCode;
use serde_json::{Map, Value, json};

use crate::jwt::issuer::{Issuer, verifier};
use crate::jwt::{read, token, with};
use crate::support::{ORIGIN, PASSWORD, TestEngine, options};

fn map(value: Value) -> Map<String, Value> {
    let Value::Object(map) = value else { panic!("an object") };
    map
}

fn payload(value: Value) -> Callback<Arc<SignedIn>, Map<String, Value>> {
    Callback::new(move |_| {
        let value = map(value.clone());
        async move { Ok::<_, ApiError>(value) }
    })
}

#[tokio::test]
async fn an_app_says_what_is_in_a_token() {
    let role = Callback::new(|signed_in: Arc<SignedIn>| async move {
        Ok::<_, ApiError>(map(json!({ "role": "reader", "session": signed_in.session.id })))
    });
    let subject = Callback::new(|signed_in: Arc<SignedIn>| async move {
        Ok::<_, ApiError>(Some(signed_in.user.email.clone()))
    });
    let test = with(JwtOptions {
        define_payload: role,
        subject,
        issuer: Some("https://issuer.example".into()),
        audience: vec!["https://files.example".into(), "https://maps.example".into()],
        expiration_time: 60,
        ..JwtOptions::default()
    });
    let mut ada = test.ada().await;
    let session = ada.session().await["session"]["id"].clone();
    let token = token(&mut ada).await;
    let now = test.clock.now().unix_timestamp();
    let expected = json!({
        "role": "reader", "session": session, "sub": "ada@example.com", "iat": now, "exp": now + 60,
        "iss": "https://issuer.example", "aud": ["https://files.example", "https://maps.example"],
    });
    assert_eq!(read(&token).1, expected);
    let keys = format!("{ORIGIN}/api/auth/jwks");
    let verifier = housekey_engine::jwt::Verifier::new("https://issuer.example")
        .audience(["https://maps.example"])
        .keys_at(keys)
        .http_client(Arc::new(Issuer::of(&test)))
        .clock(test.clock.clone());
    assert_eq!(verifier.verify::<Value>(&token).await.unwrap(), expected);
}

#[tokio::test]
async fn an_app_may_name_the_registered_claims_but_not_who_it_is() {
    let now = 1_900_000_000;
    let test = with(JwtOptions {
        define_payload: payload(
            json!({ "iat": now, "exp": now + 5, "iss": "me", "aud": "you", "sub": "root", "nbf": null, "jti": "1" }),
        ),
        ..JwtOptions::default()
    });
    let mut ada = test.ada().await;
    let id = ada.session().await["user"]["id"].clone();
    let (_, claims) = read(&token(&mut ada).await);
    assert_eq!(
        claims,
        json!({ "iat": now, "exp": now + 5, "iss": "me", "aud": "you", "sub": id, "jti": "1" })
    );
}

#[tokio::test]
async fn a_subject_that_is_not_given_is_the_user() {
    let subject = Callback::new(|_| async { Ok::<_, ApiError>(None) });
    let test = with(JwtOptions { subject, ..JwtOptions::default() });
    let mut ada = test.ada().await;
    let id = ada.session().await["user"]["id"].clone();
    assert_eq!(read(&token(&mut ada).await).1["sub"], id);
}

#[tokio::test]
async fn a_function_that_fails_gives_no_token_and_leaves_the_session_alone() {
    let fails = Callback::new(|_| async { Err::<Map<String, Value>, _>("no") });
    let test = with(JwtOptions { define_payload: fails, ..JwtOptions::default() });
    let mut ada = test.ada().await;
    ada.get("/token").await.assert(StatusCode::INTERNAL_SERVER_ERROR);
    let answer = ada.get("/get-session").await.assert(StatusCode::OK);
    assert_eq!(answer.header("set-auth-jwt"), None);
    assert_eq!(answer.json()["user"]["email"], "ada@example.com");
}

#[tokio::test]
// A reference deployment takes `exp`, `aud` and the like from the user's row: whoever may set a column of that name
// decides how long their tokens hold.
async fn a_column_that_is_called_like_a_claim_decides_nothing() {
    let text = |returned| AdditionalField {
        kind: FieldKind::String,
        required: false,
        returned,
        ..AdditionalField::default()
    };
    let mut options = options();
    for name in ["exp", "nbf", "iat", "iss", "aud", "jti", "sub"] {
        options.user.additional_fields.insert(name.into(), text(true));
    }
    options.user.additional_fields.insert("favourite".into(), text(true));
    options.user.additional_fields.insert("secretNote".into(), text(false));
    let test = TestEngine::new(Engine::builder(options).plugins([jwt(Default::default())]));
    let mut ada = test.browser();
    let body = json!({
        "name": "Ada", "email": "ada@example.com", "password": PASSWORD, "favourite": "blue", "secretNote": "hidden",
        "exp": "9999999999", "nbf": "0", "iat": "0", "iss": "https://bank.example", "aud": "https://bank.example", "jti": "1", "sub": "root",
    });
    ada.post("/sign-up/email", body).await.assert(StatusCode::OK);
    let id = ada.session().await["user"]["id"].clone();
    let now = test.clock.now().unix_timestamp();
    let claims: Value = verifier(&test).verify(&token(&mut ada).await).await.unwrap();
    assert_eq!((&claims["sub"], &claims["exp"], &claims["iat"]), (&id, &json!(now + 900), &json!(now)));
    assert_eq!((&claims["iss"], &claims["aud"]), (&json!(ORIGIN), &json!(ORIGIN)));
    assert_eq!((&claims["favourite"], claims.get("jti"), claims.get("nbf")), (&json!("blue"), None, None));
    assert_eq!(claims.get("secretNote"), None, "what clients do not see is in no token");
}
