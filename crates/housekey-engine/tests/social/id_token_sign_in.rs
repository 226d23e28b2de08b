//! `POST /sign-in/social` with an id token that a native app got by itself.

use http::StatusCode;
use serde_json::{Value, json};

use crate::social::imitation::{Key, Person};
use crate::social::{Social, social, social_accounts, social_where};
use crate::support::Answer;

async fn send(social: &Social, provider: &str, id_token: Value) -> Answer {
    let body = json!({ "provider": provider, "idToken": id_token, "callbackURL": "/ignored" });
    social.browser().post("/sign-in/social", body).await
}

#[tokio::test]
// spec: SOC-2
async fn an_id_token_signs_its_owner_in() {
    let social = social();
    let mut browser = social.browser();
    let token = social.acme.id_token(&Person::ada(), Some("once"));
    let body = json!({
        "provider": "acme",
        "idToken": {
            "token": token, "nonce": "once", "accessToken": "an access token", "refreshToken": "a refresh token",
            "expiresAt": 5,
        },
    });
    let answer = browser.post("/sign-in/social", body).await.assert(StatusCode::OK);
    assert!(answer.cookie("session_token").is_some());
    assert_eq!(answer.header("location"), None);
    let said = answer.json();
    assert_eq!(said["redirect"], false);
    assert_eq!(said["user"]["email"], "ada@example.com");
    assert_eq!(said["token"], browser.session().await["session"]["token"]);

    let account = social.account("acme").await;
    assert_eq!(account.text("idToken"), Some(token.as_str()));
    assert_eq!(account.text("accessToken"), Some("an access token"));
    assert_eq!(account.text("refreshToken"), None);
    assert_eq!(account.get("accessTokenExpiresAt").and_then(housekey_engine::Value::as_date), None);
    assert_eq!(account.text("scope"), None);
    assert!(social.test.rows("verification").await.is_empty(), "no flow began");
}

#[tokio::test]
async fn googles_own_tokens_are_taken_for_any_of_the_apps_ids() {
    let social = social_where(|providers| providers["google"]["clientId"] = json!(["web", "ios"]));
    for audience in ["web", "ios"] {
        social.google.lies(move |_, claims| claims["aud"] = json!(audience));
        let token = social.google.id_token(&Person::ada(), None);
        send(&social, "google", json!({ "token": token })).await.assert(StatusCode::OK);
    }
    social.google.lies(|_, claims| claims["aud"] = json!("android"));
    let token = social.google.id_token(&Person::ada(), None);
    send(&social, "google", json!({ "token": token })).await.refused(401, "INVALID_TOKEN");
}

#[tokio::test]
async fn a_provider_without_a_verifier_takes_none() {
    let off = social_where(|providers| providers["acme"]["disableIdTokenSignIn"] = json!(true));
    let token = off.acme.id_token(&Person::ada(), None);
    for provider in ["plain", "acme"] {
        let refused =
            send(&off, provider, json!({ "token": token })).await.refused(404, "ID_TOKEN_NOT_SUPPORTED");
        assert_eq!(refused.json()["message"], "id_token not supported");
    }
}

type Lie = fn(&mut Value, &mut Value);

#[tokio::test]
// spec: SOC-4
async fn a_token_that_is_wrong_in_any_way_is_refused() {
    let lies: &[(&str, Lie)] = &[
        ("another issuer", |_, claims| claims["iss"] = json!("https://evil.test")),
        ("the issuer with a slash", |_, claims| claims["iss"] = json!("https://id.acme.test/")),
        ("another audience", |_, claims| claims["aud"] = json!("somebody-else")),
        ("an audience that only contains ours", |_, claims| claims["aud"] = json!("acme-client-2")),
        ("no audience", |_, claims| drop(claims.as_object_mut().unwrap().remove("aud"))),
        ("an empty list of audiences", |_, claims| claims["aud"] = json!([])),
        ("no issuer", |_, claims| drop(claims.as_object_mut().unwrap().remove("iss"))),
        ("no subject", |_, claims| drop(claims.as_object_mut().unwrap().remove("sub"))),
        ("no end", |_, claims| drop(claims.as_object_mut().unwrap().remove("exp"))),
        ("no beginning", |_, claims| drop(claims.as_object_mut().unwrap().remove("iat"))),
        ("long over", |_, claims| claims["exp"] = json!(claims["iat"].as_i64().unwrap() - 31)),
        ("an end that is a text", |_, claims| claims["exp"] = json!("9999999999")),
        ("not yet valid", |_, claims| claims["nbf"] = json!(claims["iat"].as_i64().unwrap() + 3600)),
        ("issued in the future", |_, claims| claims["iat"] = json!(claims["iat"].as_i64().unwrap() + 3600)),
        ("no algorithm", |header, _| header["alg"] = json!("none")),
        ("an algorithm of another kind", |header, _| header["alg"] = json!("HS256")),
        ("another algorithm than its key's", |header, _| header["alg"] = json!("RS256")),
        ("an unknown key", |header, _| header["kid"] = json!("nobody's")),
        ("another nonce", |_, claims| claims["nonce"] = json!("another")),
        ("no nonce", |_, claims| drop(claims.as_object_mut().unwrap().remove("nonce"))),
        ("a critical header", |header, _| header["crit"] = json!(["exp"])),
    ];
    for (what, lie) in lies {
        let social = social();
        social.acme.lies(*lie);
        let token = social.acme.id_token(&Person::ada(), Some("once"));
        let answer = send(&social, "acme", json!({ "token": token, "nonce": "once" })).await;
        assert_eq!(answer.status, StatusCode::UNAUTHORIZED, "{what}: {answer:?}");
        answer.refused(401, "INVALID_TOKEN").assert_grants_nothing();
        social.assert_nothing_made().await;
    }
}

#[tokio::test]
// spec: SOC-4
async fn a_token_that_another_key_signed_or_nobody_is_refused() {
    let social = social();
    social.acme.state().signs_with = Some(Key::p256("first"));
    let by_another = social.acme.id_token(&Person::ada(), None);
    social.acme.state().signs_with = None;
    let right = social.acme.id_token(&Person::ada(), None);
    let (message, signature) = right.rsplit_once('.').unwrap();
    let (header, claims) = message.split_once('.').unwrap();
    let other_claims = social.acme.id_token(&Person::new("Eve", "eve@example.com"), None);
    let other_claims = other_claims.split('.').nth(1).unwrap();
    let swapped = format!("{header}.{other_claims}.{signature}");
    for token in [
        by_another,
        swapped,
        format!("{message}."),
        message.to_owned(),
        format!("{message}.{}", "A".repeat(86)),
        format!("{message}.{signature}A"),
        format!("{header}.{claims}.{signature}.{signature}"),
        "opaque".into(),
        String::new(),
        "..".into(),
        "a.b.c".into(),
        "\u{fffd}.\u{fffd}.\u{fffd}".into(),
        "x".repeat(100_000),
    ] {
        let answer = send(&social, "acme", json!({ "token": token })).await;
        assert!([400, 401].contains(&answer.status.as_u16()), "{token:.80}: {answer:?}");
        answer.assert_grants_nothing();
    }
    social.assert_nothing_made().await;
    send(&social, "acme", json!({ "token": right })).await.assert(StatusCode::OK);
}

#[tokio::test]
async fn a_nonce_that_nobody_asks_for_and_a_clock_that_is_a_little_off_are_no_harm() {
    let social = social();
    let token = social.acme.id_token(&Person::ada(), Some("unasked"));
    send(&social, "acme", json!({ "token": token })).await.assert(StatusCode::OK);
    social.acme.lies(|_, claims| claims["exp"] = json!(claims["iat"].as_i64().unwrap() - 29));
    let token = social.acme.id_token(&Person::ada(), None);
    send(&social, "acme", json!({ "token": token })).await.assert(StatusCode::OK);
}

#[tokio::test]
async fn an_old_token_of_google_is_too_old() {
    let social = social();
    social.google.lies(|_, claims| {
        claims["iat"] = json!(claims["iat"].as_i64().unwrap() - 3700);
    });
    let token = social.google.id_token(&Person::ada(), None);
    send(&social, "google", json!({ "token": token })).await.refused(401, "INVALID_TOKEN");
}

#[tokio::test]
async fn a_token_without_an_address_needs_somebody_to_ask() {
    let social = social();
    let token = social.acme.id_token(&Person::ada().without_email(), None);
    send(&social, "acme", json!({ "token": token })).await.refused(401, "FAILED_TO_GET_USER_INFO");
    let token = social.google.id_token(&Person::ada().without_email(), None);
    send(&social, "google", json!({ "token": token })).await.refused(401, "USER_EMAIL_NOT_FOUND");
    social.assert_nothing_made().await;
}

#[tokio::test]
// spec: SOC-5
async fn a_token_links_and_makes_people_by_the_same_rules() {
    let social = social();
    social.with_password("ada@example.com", false).await;
    let token = social.acme.id_token(&Person::ada(), None);
    let refused = send(&social, "acme", json!({ "token": token })).await.refused(401, "OAUTH_LINK_ERROR");
    assert_eq!(refused.json()["message"], "account not linked");

    let closed = social_where(|providers| providers["acme"]["disableSignUp"] = json!(true));
    let token = closed.acme.id_token(&Person::ada(), None);
    let refused = send(&closed, "acme", json!({ "token": token })).await.refused(401, "OAUTH_LINK_ERROR");
    assert_eq!(refused.json()["message"], "signup disabled");
    closed.assert_nothing_made().await;

    let careful = social_where(|providers| providers["acme"]["requireEmailVerification"] = json!(true));
    let token = careful.acme.id_token(&Person::claiming("Ada", "ada@example.com"), None);
    send(&careful, "acme", json!({ "token": token })).await.refused(403, "EMAIL_NOT_VERIFIED");
    assert!(careful.test.rows("session").await.is_empty());
}

#[tokio::test]
async fn a_token_overrides_nothing() {
    let social = social_where(|providers| providers["acme"]["overrideUserInfo"] = json!(true));
    social.signed_in(&Person::ada()).await;
    let renamed = Person { name: "Countess".into(), ..Person::ada() };
    let token = social.acme.id_token(&renamed, None);
    let said = send(&social, "acme", json!({ "token": token })).await.assert(StatusCode::OK).json();
    assert_eq!(said["user"]["name"], "Ada");
}

#[tokio::test]
async fn tokens_that_come_along_are_encrypted_like_others() {
    let social = social_accounts(&json!({ "encryptOAuthTokens": true }));
    let token = social.acme.id_token(&Person::ada(), None);
    let id_token = json!({ "token": token, "accessToken": "an access token" });
    send(&social, "acme", id_token).await.assert(StatusCode::OK);
    assert_ne!(social.account("acme").await.text("accessToken"), Some("an access token"));
}
