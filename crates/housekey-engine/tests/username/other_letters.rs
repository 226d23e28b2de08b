//! Apps that allow more letters than the plain ones.

use housekey_engine::plugins::UsernameOptions;
use housekey_engine::{ApiError, Callback};
use http::StatusCode;
use serde_json::json;

use crate::support::{PASSWORD, TestEngine};
use crate::username::{is_available, row, sign_in, sign_up_with, with};

fn any_letters() -> TestEngine {
    with(UsernameOptions {
        username_validator: Callback::new(|name: String| async move {
            Ok::<_, ApiError>(
                name.chars().all(|character| {
                    character.is_alphanumeric() || character == '_' || !character.is_ascii()
                }),
            )
        }),
        ..UsernameOptions::default()
    })
}

#[tokio::test]
async fn a_name_in_one_script_is_one_s_own_in_every_spelling() {
    let test = any_letters();
    for (who, typed, stored) in [
        ("jose", "Jose\u{301}", "josé"),
        ("olga", "Ольга", "ольга"),
        ("li", "李小明", "李小明"),
        ("kim", "\u{ff2b}\u{ff29}\u{ff2d}", "kim"),
    ] {
        sign_up_with(&mut test.browser(), who, json!({ "username": typed })).await.assert(StatusCode::OK);
        assert_eq!(row(&test, who).await.text("username"), Some(stored));
    }
    sign_in(&mut test.browser(), "JOS\u{c9}", PASSWORD).await.assert(StatusCode::OK);
    for taken in ["José", "kim", "KIM", "ОЛЬГА"] {
        let answer = sign_up_with(&mut test.browser(), "other", json!({ "username": taken })).await;
        answer.refused(400, "USERNAME_IS_ALREADY_TAKEN");
    }
}

#[tokio::test]
async fn a_name_that_looks_like_another_is_refused_whatever_the_app_allows() {
    let test = any_letters();
    sign_up_with(&mut test.browser(), "paypal", json!({ "username": "paypal" })).await.assert(StatusCode::OK);
    for (name, what) in [
        ("p\u{430}ypal", "a Cyrillic letter among Latin ones"),
        ("\u{440}\u{430}\u{443}\u{440}\u{430}", "Cyrillic letters that read like Latin ones"),
        ("adm\u{131}n", "a reserved name but for a dot"),
        ("pay\u{200b}pal", "something invisible"),
        ("\u{202e}lapyap", "something that turns it around"),
        ("p\u{3b1}ypal", "a Greek letter"),
    ] {
        let answer = sign_up_with(&mut test.browser(), "mallory", json!({ "username": name })).await;
        assert_eq!(answer.json()["code"], "INVALID_USERNAME", "{what}");
        is_available(&mut test.browser(), name).await.refused(422, "INVALID_USERNAME");
    }
    assert_eq!(test.rows("user").await.len(), 1);
}

#[tokio::test]
async fn a_name_that_could_be_taken_for_none_in_particular_is_refused_whatever_the_app_allows() {
    let test = any_letters();
    for (name, what) in [
        ("ж\u{444}paypal", "two scripts, and no other name that it looks like"),
        ("ada\u{2603}", "a sign that is in no language"),
        ("\u{646}\u{627}\u{645}\u{200c}\u{647}\u{627}", "something invisible in one script"),
    ] {
        let answer = sign_up_with(&mut test.browser(), "mallory", json!({ "username": name })).await;
        assert_eq!(answer.json()["code"], "INVALID_USERNAME", "{what}");
    }
    assert!(test.rows("user").await.is_empty());
}
