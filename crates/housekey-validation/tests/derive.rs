//! `#[derive(Validated)]`: the names of the fields, and when their rules are made.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::sync::atomic::{AtomicUsize, Ordering};

use housekey_validation::{Validated, validate};
use serde::Deserialize;
use serde_json::{Value, json};

/// The messages of a refusal.
async fn told<T: Validated>(input: Value) -> Value {
    let error = validate::<T>(input).await.map(drop).unwrap_err();
    error
        .field_errors()
        .unwrap()
        .iter()
        .map(|(field, messages)| (field.to_owned(), json!(messages)))
        .collect()
}

#[tokio::test]
async fn rules_hold_under_the_names_that_clients_send() {
    #[derive(Deserialize, Validated)]
    #[expect(dead_code, reason = "only its rules are looked at")]
    #[serde(rename_all = "camelCase")]
    #[validate(crate = "housekey_validation")]
    struct Account {
        #[validate(required)]
        first_name: Option<String>,
        #[serde(rename = "e-mail")]
        #[validate(email)]
        email: String,
        #[validate(same(email))]
        email_again: String,
        #[serde(rename(serialize = "out", deserialize = "in"))]
        #[validate(max(1))]
        both_ways: String,
    }
    assert_eq!(
        told::<Account>(json!({ "e-mail": "nobody", "emailAgain": "somebody", "in": "ab" })).await,
        json!({
            "firstName": ["The first name is required."],
            "e-mail": ["The e mail must be an e-mail address."],
            "emailAgain": ["The email again must match the e mail."],
            "in": ["The in must be at most 1 characters."],
        })
    );
}

#[tokio::test]
async fn a_type_may_hold_itself() {
    #[derive(Deserialize, Validated)]
    #[expect(dead_code, reason = "only its rules are looked at")]
    #[validate(crate = "housekey_validation")]
    struct Branch {
        #[validate(required, max(3))]
        name: String,
        #[validate(each(nested))]
        branches: Vec<Branch>,
    }
    let leaf = json!({ "name": "leaf", "branches": [] });
    let tree = json!({ "name": "a", "branches": [{ "name": "b", "branches": [leaf] }] });
    assert_eq!(
        told::<Branch>(tree).await,
        json!({ "branches.0.branches.0.name": ["The name must be at most 3 characters."] })
    );
}

#[tokio::test]
async fn rules_are_built_once_and_their_arguments_are_any_rust() {
    static BUILT: AtomicUsize = AtomicUsize::new(0);
    const LONGEST: u8 = 3;

    #[derive(Deserialize, Validated)]
    #[expect(dead_code, reason = "only its rules are looked at")]
    #[validate(crate = "housekey_validation")]
    struct Note {
        #[validate(label(Self::label()), max(LONGEST))]
        text: String,
    }

    impl Note {
        fn label() -> String {
            format!("note {}", BUILT.fetch_add(1, Ordering::Relaxed))
        }
    }

    for _ in 0..3 {
        let message = "The note 0 must be at most 3 characters.";
        assert_eq!(told::<Note>(json!({ "text": "long" })).await, json!({ "text": [message] }));
    }
}
