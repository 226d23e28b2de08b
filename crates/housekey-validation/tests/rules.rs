//! Every rule: what meets it, and what is said when something does not.

use housekey_core::Result;
use housekey_validation::{Validated, validate};
use serde::Deserialize;
use serde_json::{Value, json};

/// A type whose fields take anything, under the rules that a test writes down.
macro_rules! form {
    ($name:ident { $($field:ident: ($($rules:tt)*)),+ $(,)? }) => {
        #[derive(Default, Deserialize, Validated)]
        #[serde(default)]
        #[validate(crate = "housekey_validation")]
        struct $name {
            $(#[validate($($rules)*)] $field: Value,)+
        }
    };
}

/// The messages for a field, or none.
async fn told<T: Validated>(input: Value) -> Vec<String> {
    match validate::<T>(input).await {
        Ok(_) => Vec::new(),
        Err(error) => {
            let errors = error.field_errors().unwrap_or_else(|| panic!("{error}"));
            errors.iter().flat_map(|(_, messages)| messages.to_vec()).collect()
        }
    }
}

/// Checks a rule on the field `it` against values that meet it and values that do not.
async fn check<T: Validated>(good: &[Value], bad: &[Value], message: &str) {
    for value in good {
        assert_eq!(told::<T>(json!({ "it": value })).await, [""; 0], "{value}");
    }
    for value in bad {
        assert_eq!(told::<T>(json!({ "it": value })).await, [message], "{value}");
    }
}

/// One test for one rule.
macro_rules! rule {
    ($test:ident, ($($rules:tt)*), good: $good:tt, bad: $bad:tt, $message:literal) => {
        #[tokio::test]
        async fn $test() {
            form!(Form { it: ($($rules)*) });
            let (Value::Array(good), Value::Array(bad)) = (json!($good), json!($bad)) else { unreachable!() };
            check::<Form>(&good, &bad, $message).await;
        }
    };
}

rule!(required, (required), good: ["x", 0, false, {}], bad: [null, "", "  ", []], "The it is required.");
rule!(optional, (optional, nullable, email), good: [null, "", "a@b.co"], bad: ["x"], "The it must be an e-mail address.");
rule!(accepted, (accepted), good: [true, "on", "yes", "1", 1], bad: [null, false, "no", 0, []], "The it must be accepted.");
rule!(string, (string), good: ["x", null], bad: [1, true, ["x"], {}], "The it must be text.");
rule!(integer, (integer), good: [1, -5, 18_446_744_073_709_551_615_u64], bad: [1.5, "1", true], "The it must be a whole number.");
rule!(number, (number), good: [1, 1.5], bad: ["1", true], "The it must be a number.");
rule!(boolean, (boolean), good: [true, false], bad: ["on", 1], "The it must be yes or no.");
rule!(array, (array), good: [[1], []], bad: ["x", {}], "The it must be a list.");
rule!(email, (email), good: ["ada@example.com"], bad: ["ada", 1, "a@b"], "The it must be an e-mail address.");
rule!(url, (url), good: ["https://example.com/x"], bad: ["javascript:alert(1)", "x"], "The it must be a web address.");
rule!(date, (date), good: ["2024-02-29"], bad: ["2023-02-29", 20240229], "The it must be a date.");
rule!(uuid, (uuid), good: ["67e55044-10b1-426f-9247-bb680e5fe0c8"], bad: ["67e55044"], "The it must be a UUID.");
rule!(ip, (ip), good: ["127.0.0.1", "::1"], bad: ["127.0.0", "localhost"], "The it must be an IP address.");
rule!(alpha, (alpha), good: ["Zoë"], bad: ["a1", "a b"], "The it may have letters only.");
rule!(alpha_dash, (alpha_dash), good: ["a-1_b"], bad: ["a b", "a/b"], "The it may have letters, digits, dashes and underscores only.");
rule!(min_text, (min(3)), good: ["abc", "üüü"], bad: ["ab"], "The it must be at least 3 characters.");
rule!(min_number, (min(3)), good: [3, 3.5], bad: [2.9], "The it must be at least 3.");
rule!(min_items, (min(2)), good: [[1, 2]], bad: [[1]], "The it must have at least 2 items.");
rule!(max_text, (max(3)), good: ["abc", "üüü"], bad: ["abcd"], "The it must be at most 3 characters.");
rule!(max_number, (max(0.5)), good: [0.5, -1], bad: [1], "The it must be at most 0.5.");
rule!(between, (between(2, 3)), good: ["ab", 2, [1, 2]], bad: ["abcd", "a"], "The it must be between 2 and 3 characters.");
rule!(size, (size(2)), good: ["ab", 2, [1, 2]], bad: [[1]], "The it must have exactly 2 items.");
rule!(length, (length(6)), good: ["123456", 123456], bad: ["12345", 1], "The it must be exactly 6 characters.");
rule!(one_of, (one_of(["a", "1"])), good: ["a", 1, ["a", "1"]], bad: ["b", ["a", "b"]], "The it must be one of: a, 1.");
rule!(not_one_of, (not_one_of(["admin", "root"])), good: ["ada"], bad: ["root"], "The it must not be one of: admin, root.");
rule!(starts_with, (starts_with(["+43", "+49"])), good: ["+43 1"], bad: ["0043"], "The it must start with one of: +43, +49.");
rule!(regex, (regex("^[A-Z]{2}$")), good: ["AT"], bad: ["at", "AUT", 1], "The it does not have the right form.");
rule!(each, (each(string, max(2))), good: [["a", "bb"], []], bad: [["a", "ccc"]], "The it #2 must be at most 2 characters.");
rule!(custom, (custom(|value| (value != "right").then(|| "The :field is wrong.".into()))), good: ["right", ""], bad: ["x"], "The it is wrong.");
rule!(own_words, (label("little thing"), min(3), message("Make the :field :min long.")), good: ["abc"], bad: ["a"], "Make the little thing 3 long.");

#[tokio::test]
async fn rules_that_look_at_other_fields() {
    form!(Confirmed { password: (confirmed) });
    let message = "The password and its confirmation do not match.";
    assert_eq!(told::<Confirmed>(json!({ "password": "a", "password_confirmation": "a" })).await, [""; 0]);
    assert_eq!(told::<Confirmed>(json!({ "password": "a", "passwordConfirmation": "a" })).await, [""; 0]);
    assert_eq!(told::<Confirmed>(json!({ "password": "a", "password_confirmation": "a " })).await, [message]);
    assert_eq!(told::<Confirmed>(json!({ "password": "a" })).await, [message]);

    form!(Same { first: (same(second_word)), second_word: (optional), third: (different(first)) });
    assert_eq!(told::<Same>(json!({ "first": 1, "second_word": 1, "third": 2 })).await, [""; 0]);
    let both = ["The first must match the second word.", "The third must differ from the first."];
    assert_eq!(told::<Same>(json!({ "first": 1, "second_word": 2, "third": 1 })).await, both);

    form!(When { kind: (optional), company: (required_if(kind, "business")), vat: (required_with(company)) });
    assert_eq!(told::<When>(json!({ "kind": "private" })).await, [""; 0]);
    assert_eq!(
        told::<When>(json!({ "kind": "business" })).await,
        ["The company is required when the kind is business."]
    );
    let input = json!({ "kind": "business", "company": "Acme" });
    assert_eq!(told::<When>(input).await, ["The vat is required with the company."]);
}

#[tokio::test]
async fn every_broken_rule_is_told_except_after_a_wrong_type() {
    form!(Form { it: (string, min(5), email) });
    let both = ["The it must be at least 5 characters.", "The it must be an e-mail address."];
    assert_eq!(told::<Form>(json!({ "it": "x" })).await, both);
    assert_eq!(told::<Form>(json!({ "it": 1 })).await, ["The it must be text."]);
}

#[tokio::test]
async fn a_rule_that_waits_is_asked_last_and_its_failure_is_an_error() {
    async fn look_up(name: &str) -> Result<bool> {
        match name {
            "broken" => Err(housekey_core::Error::internal("the database is gone")),
            "short-list" => panic!("asked although another rule was broken"),
            name => Ok(name == "taken-name"),
        }
    }
    async fn is_free(value: Value) -> Result<Option<String>> {
        let is_taken = look_up(value.as_str().unwrap_or_default()).await?;
        Ok(is_taken.then(|| "The :field is taken.".into()))
    }
    form!(Form { it: (custom_async(is_free), not_one_of(["short-list"])) });
    assert_eq!(told::<Form>(json!({ "it": "taken-name" })).await, ["The it is taken."]);
    assert_eq!(told::<Form>(json!({ "it": "short-list" })).await, ["The it must not be one of: short-list."]);
    assert_eq!(told::<Form>(json!({ "it": "free" })).await, [""; 0]);
    let error = validate::<Form>(json!({ "it": "broken" })).await.map(drop).unwrap_err();
    assert_eq!(error.status(), 500);
}

#[tokio::test]
async fn a_wrong_expression_is_our_fault_and_says_where() {
    form!(Form { it: (regex("(")) });
    let error = validate::<Form>(json!({ "it": "x" })).await.map(drop).unwrap_err();
    assert_eq!(error.status(), 500);
    assert!(error.to_string().contains("`it`"), "{error}");
}
