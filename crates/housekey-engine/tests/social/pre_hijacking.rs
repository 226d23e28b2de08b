//! Taking over an account by an address that nobody proved, in both directions.

use housekey_engine::Record;
use http::StatusCode;
use serde_json::{Value, json};

use crate::social::imitation::Person;
use crate::social::{come_back, social, social_accounts, social_with, start_link};
use crate::support::{Mailbox, PASSWORD};

/// The attacker signs up with the victim's address and a password, and waits for the victim to come by a provider.
#[tokio::test]
// spec: SOC-5
async fn a_victim_who_comes_by_a_provider_is_not_put_into_the_account_that_waits_for_them() {
    let social = social();
    let mut attacker = social.with_password("victim@example.com", false).await;
    let mut victim = social.browser();
    social
        .sign_in(&mut victim, &Person::new("Victim", "victim@example.com"))
        .await
        .assert_failed("account_not_linked");
    assert_eq!(victim.session().await, Value::Null);
    let accounts = attacker.get("/list-accounts").await.assert(StatusCode::OK).json();
    assert_eq!(
        accounts.as_array().unwrap().len(),
        1,
        "the attacker has a password and nothing of the victim's"
    );
}

/// The attacker has an account at a provider that says the victim's address and has not proven it.
#[tokio::test]
// spec: SOC-5
async fn an_unproven_address_at_a_provider_opens_nobodys_account() {
    for options in [json!({}), json!({ "accountLinking": { "requireLocalEmailVerified": false } })] {
        for proven_here in [true, false] {
            let social = social_accounts(&options);
            social.with_password("victim@example.com", proven_here).await;
            let before = social.snapshot().await;
            let mut attacker = social.browser();
            let claiming = Person::claiming("Attacker", "victim@example.com");
            social.sign_in(&mut attacker, &claiming).await.assert_failed("account_not_linked");
            assert_eq!(attacker.session().await, Value::Null);
            assert_eq!(social.snapshot().await, before);
        }
    }
}

/// The attacker comes first, by a provider that has not proven the victim's address; the victim comes later by one that has.
#[tokio::test]
// spec: SOC-5
async fn an_account_made_with_an_unproven_address_waits_for_nobody() {
    let social = social();
    let mut attacker = social.signed_in(&Person::claiming("Attacker", "victim@example.com")).await;
    let mut victim = social.browser();
    let person = Person::new("Victim", "victim@example.com");
    social.visit(&mut victim, &social.other, &person).await.assert_failed("account_not_linked");
    assert_eq!(victim.session().await, Value::Null);
    let accounts = attacker.get("/list-accounts").await.assert(StatusCode::OK).json();
    assert_eq!(accounts.as_array().unwrap().len(), 1);
}

/// The attacker comes first by a provider; the victim signs up with a password.
#[tokio::test]
// spec: SOC-5
async fn an_account_made_by_a_provider_gets_no_password_by_a_sign_up() {
    let social = social();
    social.signed_in(&Person::claiming("Attacker", "victim@example.com")).await;
    let mut victim = social.browser();
    let answer = victim.sign_up("victim@example.com").await;
    assert_ne!(answer.status, StatusCode::OK, "{answer:?}");
    assert!(social.accounts("credential").await.is_empty());
    let answer = victim.sign_in("victim@example.com", PASSWORD).await;
    answer.refused(401, "INVALID_EMAIL_OR_PASSWORD");
}

/// A reset is the first proof of the address: what the attacker connected before must not stay a way in.
#[tokio::test]
// spec: SOC-5, SEC-2
async fn a_reset_that_first_proves_the_address_ends_what_was_connected_before() {
    let mailbox = Mailbox::default();
    let social =
        social_with(|options| options.email_and_password.send_reset_password = mailbox.link("reset"), |_| {});
    let attacker = Person::claiming("Attacker", "victim@example.com");
    let mut inside = social.signed_in(&attacker).await;
    let mut victim = social.browser();
    let ask = json!({ "email": "victim@example.com", "redirectTo": "/reset" });
    victim.post("/request-password-reset", ask).await.assert(StatusCode::OK);
    let token = mailbox.take().token;
    let reset = json!({ "newPassword": "a new password", "token": token });
    victim.post("/reset-password", reset).await.assert(StatusCode::OK);
    assert_eq!(inside.session().await, Value::Null, "the attacker's session ended");
    let mut again = social.browser();
    let answer = social.sign_in(&mut again, &attacker).await;
    assert_eq!(again.session().await, Value::Null, "{answer:?}");
}

/// Somebody else's account, not proven: nobody may connect it on the strength of an address.
#[tokio::test]
// spec: SOC-5
async fn an_unproven_account_is_not_connected_even_by_whoever_is_signed_in() {
    let social = social();
    let mut ada = social.with_password("ada@example.com", true).await;
    let page = start_link(&mut ada, "acme").await;
    let query = social.acme.agree(&page, &Person::claiming("Eve", "ada@example.com"));
    come_back(&mut ada, &social.acme, &query).await.assert_failed("unable_to_link_account");
    assert!(social.accounts("acme").await.is_empty());
}

/// A provider that proves an address later does not open what the local user has not proven.
#[tokio::test]
// spec: SOC-5
async fn a_change_of_address_at_the_provider_moves_nobody_into_another_account() {
    let social = social();
    social.with_password("victim@example.com", true).await;
    let eve = Person::new("Eve", "eve@example.com");
    social.signed_in(&eve).await;
    let moved = Person { email: Some("victim@example.com".into()), ..eve };
    let mut browser = social.signed_in(&moved).await;
    assert_eq!(browser.session().await["user"]["email"], "eve@example.com");
    social.change_user("eve@example.com", &Record::new().with("emailVerified", false)).await;
    social.signed_in(&moved).await;
    let eve = social.user("eve@example.com").await.unwrap();
    assert_eq!(eve.get("emailVerified"), Some(&housekey_engine::Value::Bool(false)));
}
