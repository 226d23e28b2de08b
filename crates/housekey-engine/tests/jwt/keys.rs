//! Rotation: a new key signs, the old one is published until its tokens are over.

use housekey_engine::plugins::JwtOptions;
use housekey_engine::plugins::jwt::{Algorithm, rotate};
use http::StatusCode;
use serde_json::Value;

use crate::jwt::issuer::{Issuer, verifier};
use crate::jwt::{builder, key_set, kid, kids, test_engine, token, with};

const DAY: u64 = 86_400;

fn rotating() -> JwtOptions {
    JwtOptions { rotation_interval: Some(10 * 86_400), grace_period: 2 * 86_400, ..JwtOptions::default() }
}

#[tokio::test]
// spec: KEY-5
async fn a_key_that_is_old_is_replaced_and_stays_published_for_a_while() {
    let test = with(rotating());
    let mut ada = test.ada().await;
    let first = kid(&token(&mut ada).await);
    test.advance(5 * DAY);
    assert_eq!(kid(&token(&mut ada).await), first, "it has time left");
    ada.post("/sign-out", serde_json::json!({})).await.assert(StatusCode::OK);

    test.advance(5 * DAY - 1);
    ada.sign_in("ada@example.com", crate::support::PASSWORD).await.assert(StatusCode::OK);
    let last_of_first = token(&mut ada).await;
    assert_eq!(kid(&last_of_first), first);
    let issuer = Issuer::of(&test);
    let service = issuer.verifier(&test);
    service.verify::<Value>(&last_of_first).await.unwrap();

    test.advance(1);
    let second_token = token(&mut ada).await;
    let second = kid(&second_token);
    assert_ne!(second, first);
    assert_eq!(kids(&test).await, [first.clone(), second.clone()]);
    service.verify::<Value>(&last_of_first).await.unwrap();
    service.verify::<Value>(&second_token).await.unwrap();
    assert_eq!(issuer.asked(), 2, "the new name made the service look again");

    test.advance(2 * DAY - 1);
    assert_eq!(kids(&test).await, [first, second.clone()]);
    test.advance(1);
    assert_eq!(kids(&test).await, [second], "the grace is over");
    assert_eq!(test.rows("jwks").await.len(), 2, "rows stay, as in the reference");
}

#[tokio::test]
async fn without_rotation_a_key_stays() {
    let test = test_engine();
    let mut ada = test.ada().await;
    let first = kid(&token(&mut ada).await);
    test.advance(400 * DAY);
    ada.sign_in("ada@example.com", crate::support::PASSWORD).await.assert(StatusCode::OK);
    assert_eq!(kid(&token(&mut ada).await), first);
    assert_eq!(kids(&test).await, [first]);
    assert!(test.rows("jwks").await[0].get("expiresAt").is_none_or(housekey_engine::Value::is_null));
}

#[tokio::test]
async fn rotation_that_is_turned_on_later_counts_for_the_key_that_is_there() {
    let before = test_engine();
    let first = kid(&token(&mut before.ada().await).await);
    let test = before.under(builder(rotating()));
    let mut ada = test.browser();
    ada.sign_in("ada@example.com", crate::support::PASSWORD).await.assert(StatusCode::OK);
    assert_eq!(kid(&token(&mut ada).await), first);
    test.advance(6 * DAY);
    ada.session().await;
    test.advance(4 * DAY);
    let second = kid(&token(&mut ada).await);
    assert_eq!(kids(&test).await, [first, second.clone()]);
    test.advance(2 * DAY);
    assert_eq!(kids(&test).await, [second], "its grace began when the new one came");
}

#[tokio::test]
async fn another_algorithm_means_another_key() {
    let before = test_engine();
    let old = token(&mut before.ada().await).await;
    let test = before.under(builder(JwtOptions { algorithm: Algorithm::Es256, ..JwtOptions::default() }));
    // The clock moves on between a deployment and the next.
    test.advance(1);
    let mut ada = test.browser();
    ada.sign_in("ada@example.com", crate::support::PASSWORD).await.assert(StatusCode::OK);
    let new = token(&mut ada).await;
    let algorithms: Vec<_> = key_set(&test).await.iter().map(|key| key["alg"].clone()).collect();
    assert_eq!(algorithms, ["EdDSA", "ES256"]);
    for token in [old, new] {
        verifier(&test).verify::<Value>(&token).await.unwrap();
    }
    test.advance(30 * DAY);
    assert_eq!(kids(&test).await.len(), 1, "the old one has its grace and no more");
}

#[tokio::test]
async fn server_code_can_ask_for_a_new_key() {
    let test = test_engine();
    let other = test.under(builder(JwtOptions::default()));
    let (mut here, mut there) = (test.ada().await, other.browser());
    there.sign_in("ada@example.com", crate::support::PASSWORD).await.assert(StatusCode::OK);
    let first = kid(&token(&mut here).await);
    assert_eq!(kid(&token(&mut there).await), first);
    rotate(&test.engine.api()).await.unwrap();
    let second = kid(&token(&mut here).await);
    assert_ne!(second, first);
    assert_eq!(kids(&test).await.len(), 2);
    verifier(&test).verify::<Value>(&token(&mut there).await).await.unwrap();
    test.advance(60);
    assert_eq!(kid(&token(&mut there).await), second, "the other process has noticed");
}

#[tokio::test]
async fn a_key_whose_row_is_gone_signs_no_more() {
    let test = test_engine();
    let mut ada = test.ada().await;
    let stolen = token(&mut ada).await;
    let mut changes = test.engine.api().changes();
    changes.delete("jwks", housekey_engine::storage::Filter::by("id", kid(&stolen))).await.unwrap();
    let _ = changes.commit().await.unwrap();
    let [published] = kids(&test).await.try_into().unwrap();
    assert_ne!(published, kid(&stolen), "a name is never given twice");
    let fresh = token(&mut ada).await;
    assert_eq!(kid(&fresh), published, "whoever is asked for the keys has noticed");
    verifier(&test).verify::<Value>(&fresh).await.unwrap();
    assert!(verifier(&test).verify::<Value>(&stolen).await.is_err());
}

/// Whoever else reads these rows goes by what stands in them.
#[tokio::test]
// spec: KEY-5
async fn the_row_of_a_key_that_was_rotated_away_says_when_it_ended() {
    let test = test_engine();
    let first = kid(&token(&mut test.ada().await).await);
    rotate(&test.engine.api()).await.unwrap();
    for row in test.rows("jwks").await {
        let ended = row.get("expiresAt").and_then(housekey_engine::Value::as_date).is_some();
        assert_eq!(ended, row.text("id") == Some(&first), "{:?}", row.text("id"));
    }
}
