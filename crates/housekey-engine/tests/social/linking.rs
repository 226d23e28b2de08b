//! Somebody comes by a provider with an address that has an account here: the measured matrix.

use housekey_engine::Value;
use serde_json::{Value as Json, json};

use crate::social::imitation::Person;
use crate::social::{social, social_accounts};
use crate::support::PASSWORD;

/// What becomes of somebody whose address is proven here or not, at the provider or not.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Outcome {
    Linked,
    /// Linked, and the address counts as proven from now on.
    Proven,
    Refused,
}
use Outcome::{Linked, Proven, Refused};

/// Options, and what they lead to for: both proven; at the provider only; here only; nowhere.
fn matrix() -> Vec<(Json, [Outcome; 4])> {
    let linking = |options: Json| json!({ "accountLinking": options });
    vec![
        (json!({}), [Linked, Refused, Refused, Refused]),
        (linking(json!({ "trustedProviders": ["acme"] })), [Linked, Refused, Linked, Refused]),
        (linking(json!({ "trustedProviders": ["other"] })), [Linked, Refused, Refused, Refused]),
        (linking(json!({ "requireLocalEmailVerified": false })), [Linked, Proven, Refused, Refused]),
        (
            linking(json!({ "trustedProviders": ["acme"], "requireLocalEmailVerified": false })),
            [Linked, Proven, Linked, Linked],
        ),
        (linking(json!({ "enabled": false })), [Refused; 4]),
        (linking(json!({ "disableImplicitLinking": true })), [Refused; 4]),
        (
            linking(json!({
                "enabled": false, "trustedProviders": ["acme"], "requireLocalEmailVerified": false
            })),
            [Refused; 4],
        ),
    ]
}

#[tokio::test]
// spec: SOC-5
async fn accounts_are_linked_by_an_address_only_when_the_matrix_says_so() {
    for (options, outcomes) in matrix() {
        let cases = [(true, true), (true, false), (false, true), (false, false)];
        for ((at_provider, here), outcome) in cases.into_iter().zip(outcomes) {
            let case = format!("{options}, provider {at_provider}, here {here}");
            let social = social_accounts(&options);
            let mut ada = social.with_password("ada@example.com", here).await;
            let id = ada.session().await["user"]["id"].clone();
            let person = Person { verified: at_provider, name: "Somebody".into(), ..Person::ada() };
            let mut browser = social.browser();
            let answer = social.sign_in(&mut browser, &person).await;
            let user = social.user("ada@example.com").await.unwrap();
            assert_eq!(user.text("name"), Some("Ada"), "{case}");
            if outcome == Refused {
                answer.assert_failed("account_not_linked");
                assert!(social.accounts("acme").await.is_empty(), "{case}");
                assert_eq!(browser.session().await, Json::Null, "{case}");
                assert_eq!(user.get("emailVerified"), Some(&Value::Bool(here)), "{case}");
            } else {
                assert_eq!(answer.location(), "/in", "{case}");
                assert_eq!(browser.session().await["user"]["id"], id, "{case}");
                assert_eq!(social.accounts("acme").await.len(), 1, "{case}");
                let proven = here || outcome == Proven;
                assert_eq!(user.get("emailVerified"), Some(&Value::Bool(proven)), "{case}");
            }
            // Whatever happened, the password is what it was.
            social.browser().sign_in("ada@example.com", PASSWORD).await.assert(http::StatusCode::OK);
        }
    }
}

#[tokio::test]
// spec: SOC-5
async fn somebody_refused_connects_after_they_signed_in_with_their_password() {
    let social = social();
    let mut ada = social.with_password("ada@example.com", false).await;
    social.sign_in(&mut social.browser(), &Person::ada()).await.assert_failed("account_not_linked");
    let page = crate::social::start_link(&mut ada, "acme").await;
    let query = social.acme.agree(&page, &Person::ada());
    crate::social::come_back(&mut ada, &social.acme, &query).await.assert_leads_to("/linked");
    social.sign_in(&mut social.browser(), &Person::ada()).await.assert_leads_in();
}

#[tokio::test]
async fn linking_brings_name_and_picture_only_where_that_is_wanted_and_never_an_address() {
    for update in [false, true] {
        let social = social_accounts(&json!({ "accountLinking": { "updateUserInfoOnLink": update } }));
        social.with_password("ada@example.com", true).await;
        let person = Person { name: "Countess".into(), ..Person::ada() };
        let user = social.signed_in(&person).await.session().await["user"].clone();
        let image = json!("https://pictures.test/subject-of-ada.png");
        assert_eq!(user["name"], if update { "Countess" } else { "Ada" });
        assert_eq!(user["image"], if update { image } else { Json::Null });
        assert_eq!(user["email"], "ada@example.com");
    }
}

#[tokio::test]
// spec: SOC-5
async fn an_address_is_the_same_in_any_case() {
    let social = social();
    let mut ada = social.with_password("ada@example.com", true).await;
    let id = ada.session().await["user"]["id"].clone();
    let shouting = Person { email: Some("ADA@Example.COM".into()), ..Person::ada() };
    assert_eq!(social.signed_in(&shouting).await.session().await["user"]["id"], id);
}

#[tokio::test]
async fn two_providers_lead_to_one_person_when_both_prove_the_address() {
    let social = social();
    let first = social.signed_in(&Person::ada()).await.session().await["user"]["id"].clone();
    let mut browser = social.browser();
    let elsewhere = Person { subject: "another-id".into(), ..Person::ada() };
    social.visit(&mut browser, &social.other, &elsewhere).await.assert_leads_to("/in");
    assert_eq!(browser.session().await["user"]["id"], first);
    assert_eq!(social.test.rows("account").await.len(), 2);
}
