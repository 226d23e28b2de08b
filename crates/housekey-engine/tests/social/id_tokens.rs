//! Id tokens of the code flow: verified by signature, issuer, audience, time and nonce, with keys that are kept and change.

use serde_json::{Value, json};

use crate::social::imitation::{Fault, Key, Part, Person};
use crate::social::{come_back, social, start};

type Lie = fn(&mut Value, &mut Value);

#[tokio::test]
// spec: SOC-4
async fn a_code_flow_does_not_believe_an_id_token_that_is_wrong() {
    let lies: &[(&str, Lie)] = &[
        ("no algorithm", |header, _| header["alg"] = json!("none")),
        ("a shared secret", |header, _| header["alg"] = json!("HS256")),
        ("another algorithm than its key's", |header, _| header["alg"] = json!("RS256")),
        ("an unknown key", |header, _| header["kid"] = json!("nobody's")),
        ("another issuer", |_, claims| claims["iss"] = json!("https://evil.test")),
        ("another audience", |_, claims| claims["aud"] = json!("somebody-else")),
        ("another audience beside ours, and meant for that", |_, claims| {
            claims["aud"] = json!(["somebody-else"]);
            claims["azp"] = json!("acme-client");
        }),
        ("long over", |_, claims| claims["exp"] = json!(claims["iat"].as_i64().unwrap() - 31)),
        ("no end", |_, claims| drop(claims.as_object_mut().unwrap().remove("exp"))),
        ("another nonce", |_, claims| claims["nonce"] = json!("another")),
        ("no nonce", |_, claims| drop(claims.as_object_mut().unwrap().remove("nonce"))),
        ("no subject", |_, claims| drop(claims.as_object_mut().unwrap().remove("sub"))),
    ];
    for (what, lie) in lies {
        let social = social();
        social.acme.lies(*lie);
        let answer = social.sign_in(&mut social.browser(), &Person::ada()).await;
        assert_eq!(answer.error().1.as_deref(), Some("unable_to_get_user_info"), "{what}: {answer:?}");
        answer.assert_failed("unable_to_get_user_info");
        social.assert_nothing_made().await;
    }
}

#[tokio::test]
// spec: SOC-4
async fn a_code_flow_does_not_believe_another_key() {
    let social = social();
    social.acme.state().signs_with = Some(Key::p256("first"));
    let answer = social.sign_in(&mut social.browser(), &Person::ada()).await;
    answer.assert_failed("unable_to_get_user_info");
    // Nor at a provider that the reference believes without looking.
    social.google.state().signs_with = Some(Key::other_rsa("google-1"));
    let answer = social.visit(&mut social.browser(), &social.google, &Person::ada()).await;
    answer.assert_failed("unable_to_get_user_info");
    social.assert_nothing_made().await;
}

#[tokio::test]
// spec: SOC-4
async fn the_public_key_is_no_shared_secret() {
    use hmac::{Hmac, KeyInit as _, Mac as _};
    let social = social();
    let jwk = social.google.state().keys[0].jwk();
    let encode = |value: &Value| data_encoding::BASE64URL_NOPAD.encode(value.to_string().as_bytes());
    let mut claims = Person::ada().claims();
    let now = social.test.clock.now().unix_timestamp();
    claims["iss"] = json!("https://accounts.google.com");
    claims["aud"] = json!("google-client");
    claims["iat"] = json!(now);
    claims["exp"] = json!(now + 600);
    let message = format!("{}.{}", encode(&json!({ "alg": "HS256", "kid": "google-1" })), encode(&claims));
    for key in [jwk["n"].as_str().unwrap().to_owned(), jwk.to_string()] {
        let mut mac = Hmac::<sha2::Sha256>::new_from_slice(key.as_bytes()).unwrap();
        mac.update(message.as_bytes());
        let signature = data_encoding::BASE64URL_NOPAD.encode(&mac.finalize().into_bytes());
        let body = json!({ "provider": "google", "idToken": { "token": format!("{message}.{signature}") } });
        social.browser().post("/sign-in/social", body).await.refused(401, "INVALID_TOKEN");
    }
    social.assert_nothing_made().await;
}

#[tokio::test]
// spec: SOC-4
async fn google_signs_with_rsa_and_is_believed_then() {
    let social = social();
    social.visit(&mut social.browser(), &social.google, &Person::ada()).await.assert_leads_in();
    assert_eq!(social.google.requests_to(&social.google.places.keys).len(), 1);
}

#[tokio::test]
// spec: SOC-4
async fn the_keys_of_a_provider_are_asked_for_once() {
    let social = social();
    for number in 0..5 {
        let person = Person::new(&format!("P{number}"), &format!("p{number}@example.com"));
        social.signed_in(&person).await;
    }
    assert_eq!(social.acme.requests_to(&social.acme.places.keys).len(), 1);
    assert_eq!(social.acme.requests_to(&social.acme.places.discovery).len(), 1);
}

#[tokio::test]
// spec: SOC-4
async fn a_provider_that_changes_its_keys_goes_on_working() {
    let social = social();
    social.signed_in(&Person::ada()).await;
    // Both published, the new one signs.
    social.acme.state().keys.push(Key::p256("second"));
    social.test.advance(60);
    social.signed_in(&Person::ada()).await;
    // The old one is gone.
    social.acme.state().keys.remove(0);
    social.signed_in(&Person::ada()).await;
    // In the middle of a flow, and to another kind of key.
    let mut browser = social.browser();
    let page = start(&mut browser, "acme").await;
    let query = social.acme.agree(&page, &Person::ada());
    social.acme.state().keys = vec![Key::rsa("third")];
    social.test.advance(60);
    come_back(&mut browser, &social.acme, &query).await.assert_leads_in();
}

#[tokio::test]
// spec: SOC-4
async fn a_provider_that_changes_its_keys_at_once_goes_on_working() {
    let social = social();
    social.signed_in(&Person::ada()).await;
    social.acme.state().keys = vec![Key::p256("second")];
    social.signed_in(&Person::ada()).await;
}

#[tokio::test]
// spec: SOC-4
async fn a_key_that_takes_the_place_of_another_under_its_name_is_found() {
    let social = social();
    social.signed_in(&Person::ada()).await;
    social.acme.state().keys = vec![Key::p256("first")];
    social.signed_in(&Person::ada()).await;
    // And so is one that the provider gives no name.
    social.acme.lies(|header, _| drop(header.as_object_mut().unwrap().remove("kid")));
    social.acme.state().keys = vec![Key::p256("unnamed")];
    social.test.advance(11);
    social.signed_in(&Person::ada()).await;
}

#[tokio::test]
// spec: SOC-4
async fn a_key_that_a_provider_took_back_is_not_believed_for_ever() {
    let social = social();
    social.signed_in(&Person::ada()).await;
    let stolen = social.acme.state().keys[0].clone();
    social.acme.state().keys = vec![Key::p256("second")];
    social.test.advance(60);
    social.signed_in(&Person::ada()).await;
    social.acme.state().signs_with = Some(stolen);
    let answer = social.sign_in(&mut social.browser(), &Person::ada()).await;
    answer.assert_failed("unable_to_get_user_info");
}

#[tokio::test]
// spec: SOC-8
async fn keys_that_are_there_serve_while_the_provider_cannot_give_new_ones() {
    let social = social();
    social.signed_in(&Person::ada()).await;
    for fault in [Fault::Unreachable, Fault::Status(500), Fault::Garbage, Fault::Json(json!({ "keys": 7 }))] {
        social.acme.fails(Part::Keys, fault);
        social.test.advance(700);
        social.signed_in(&Person::ada()).await;
    }
    // But not for ever: one that the provider took back must not open doors because its key endpoint cannot be reached.
    social.test.advance(3600);
    let answer = social.sign_in(&mut social.browser(), &Person::ada()).await;
    answer.assert_failed("unable_to_get_user_info");
    social.acme.recovers();
    social.test.advance(60);
    social.signed_in(&Person::ada()).await;
}

#[tokio::test]
// spec: SOC-4
async fn unknown_keys_do_not_make_us_ask_the_provider_without_end() {
    let social = social();
    social.signed_in(&Person::ada()).await;
    for number in 0..30 {
        social.acme.lies(move |header, _| header["kid"] = json!(format!("unknown-{number}")));
        let token = social.acme.id_token(&Person::ada(), None);
        let body = json!({ "provider": "acme", "idToken": { "token": token } });
        social.browser().post("/sign-in/social", body).await.refused(401, "INVALID_TOKEN");
    }
    let asked = social.acme.requests_to(&social.acme.places.keys).len();
    assert!(asked <= 5, "asked {asked} times for the keys");
}

#[tokio::test]
// spec: SOC-4
async fn a_profile_of_somebody_else_than_the_id_token_says_is_refused() {
    let social = social();
    // The id token has no address, so that the user-info endpoint is asked, which speaks of another person.
    let ada = Person::ada().without_email();
    let mut browser = social.browser();
    let page = start(&mut browser, "acme").await;
    let query = social.acme.agree(&page, &ada);
    let eve = Person::new("Eve", "eve@example.com").claims();
    social.acme.fails(Part::UserInfo, Fault::Json(eve));
    come_back(&mut browser, &social.acme, &query).await.assert_failed("unable_to_get_user_info");
    social.assert_nothing_made().await;
}

#[tokio::test]
async fn an_id_token_without_an_address_is_completed_by_the_profile() {
    let social = social();
    let mut browser = social.browser();
    let page = start(&mut browser, "acme").await;
    let query = social.acme.agree(&page, &Person::ada().without_email());
    social.acme.fails(Part::UserInfo, Fault::Json(Person::ada().claims()));
    come_back(&mut browser, &social.acme, &query).await.assert_leads_in();
    assert_eq!(browser.session().await["user"]["email"], "ada@example.com");
}

#[tokio::test]
// spec: SOC-4
async fn tenants_of_microsoft_speak_for_themselves_only() {
    let social = social();
    let evil = "99999999-2222-3333-4444-555555555555";
    let tenant = crate::social::TENANT;
    for (claimed, issuer) in [
        (tenant, format!("https://login.microsoftonline.com/{evil}/v2.0")),
        (evil, format!("https://login.microsoftonline.com/{tenant}/v2.0")),
        (tenant, format!("https://evil.test/{tenant}/v2.0")),
    ] {
        let person = Person::ada().saying(json!({ "oid": "object", "tid": claimed, "iss": issuer }));
        let answer = social.visit(&mut social.browser(), &social.microsoft, &person).await;
        answer.assert_failed("unable_to_get_user_info");
    }
    social.assert_nothing_made().await;
}

#[tokio::test]
// spec: SOC-4
async fn a_provider_that_leaves_its_id_token_out_is_not_believed_without_it() {
    let social = social();
    social.acme.state().sends_id_token = false;
    let answer = social.sign_in(&mut social.browser(), &Person::ada()).await;
    answer.assert_failed("unable_to_get_user_info");
    social.assert_nothing_made().await;
}
