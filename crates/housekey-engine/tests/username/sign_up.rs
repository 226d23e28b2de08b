use housekey_engine::plugins::UsernameOptions;
use housekey_engine::plugins::username::codes;
use housekey_engine::storage::{Filter, Records as _};
use housekey_engine::{Record, SignUpEmail};
use http::StatusCode;
use serde_json::{Value, json};

use crate::support::PASSWORD;
use crate::username::{email, is_available, person, row, sign_up_with, test_engine, with};

#[tokio::test]
// spec: KEY-1
async fn a_name_is_stored_in_lower_case_and_shown_as_it_was_typed() {
    let test = test_engine();
    let mut browser = test.browser();
    let answer =
        sign_up_with(&mut browser, "ada", json!({ "username": "Ada_L" })).await.assert(StatusCode::OK);
    let user = &answer.json()["user"];
    assert_eq!((&user["username"], &user["displayUsername"]), (&json!("ada_l"), &json!("Ada_L")));
    assert_eq!(row(&test, "ada").await.text("username"), Some("ada_l"));
}

#[tokio::test]
async fn a_name_that_is_only_to_be_shown_becomes_the_name_if_it_can() {
    let test = test_engine();
    let more = json!({ "displayUsername": "Ada.L" });
    let user = sign_up_with(&mut test.browser(), "ada", more).await.assert(StatusCode::OK).json();
    let names = (&user["user"]["username"], &user["user"]["displayUsername"]);
    assert_eq!(names, (&json!("ada.l"), &json!("Ada.L")));
    let more = json!({ "displayUsername": "Bob the Builder" });
    sign_up_with(&mut test.browser(), "bob", more).await.refused(400, "INVALID_DISPLAY_USERNAME");
}

#[tokio::test]
async fn somebody_without_a_name_has_none() {
    let test = test_engine();
    let mut browser = test.browser();
    browser.sign_up(&email("ada")).await.assert(StatusCode::OK);
    assert_eq!(browser.session().await["user"]["username"], Value::Null);
    test.browser().sign_up(&email("bob")).await.assert(StatusCode::OK);
}

#[tokio::test]
// spec: KEY-1
async fn what_can_be_no_name_is_refused() {
    let test = test_engine();
    for (name, code) in [
        ("ab", "USERNAME_TOO_SHORT"),
        ("", "USERNAME_TOO_SHORT"),
        ("a23456789012345678901234567890x", "USERNAME_TOO_LONG"),
        ("with space", "INVALID_USERNAME"),
        ("a-b", "INVALID_USERNAME"),
        ("josé", "INVALID_USERNAME"),
        ("ada@example.com", "INVALID_USERNAME"),
        ("<script>", "INVALID_USERNAME"),
    ] {
        let answer = sign_up_with(&mut test.browser(), "ada", json!({ "username": name })).await;
        answer.refused(400, code);
    }
    assert!(test.rows("user").await.is_empty());
}

#[tokio::test]
async fn a_name_is_one_person_s_in_whatever_case() {
    let test = test_engine();
    person(&test, "ada").await;
    for name in ["ada", "ADA", "Ada"] {
        let answer = sign_up_with(&mut test.browser(), "bob", json!({ "username": name })).await;
        answer.refused(400, "USERNAME_IS_ALREADY_TAKEN");
    }
    assert_eq!(test.rows("user").await.len(), 1);
}

#[tokio::test]
async fn names_that_speak_for_the_house_are_nobody_s() {
    let mut own = UsernameOptions::default();
    own.reserved.push("pricing".into());
    let test = with(own);
    for name in ["admin", "Ad.Min", "support", "root_", "postmaster", "pricing"] {
        let answer = sign_up_with(&mut test.browser(), "ada", json!({ "username": name })).await;
        answer.refused(400, "USERNAME_IS_ALREADY_TAKEN");
        let told = is_available(&mut test.browser(), name).await.assert(StatusCode::OK);
        assert_eq!(told.json(), json!({ "available": false }));
    }
    let none = with(UsernameOptions { reserved: Vec::new(), ..UsernameOptions::default() });
    sign_up_with(&mut none.browser(), "ada", json!({ "username": "admin" })).await.assert(StatusCode::OK);
}

#[tokio::test]
async fn what_is_shown_has_nothing_invisible_in_it() {
    let test = test_engine();
    for shown in ["\u{202e}nimda", "ada\u{200b}", "ada\r\nbob"] {
        let more = json!({ "username": "ada", "displayUsername": shown });
        sign_up_with(&mut test.browser(), "ada", more).await.refused(400, "INVALID_DISPLAY_USERNAME");
    }
}

#[tokio::test]
async fn without_a_name_to_show_there_is_no_such_column() {
    let test = with(UsernameOptions { display_username: false, ..UsernameOptions::default() });
    let user = sign_up_with(&mut test.browser(), "ada", json!({ "username": "Ada" })).await.json();
    assert_eq!(user["user"]["username"], "ada");
    assert!(user["user"].get("displayUsername").is_none(), "{user}");
}

#[tokio::test]
async fn server_code_is_held_to_the_same_rules() {
    let test = test_engine();
    person(&test, "ada").await;
    let api = test.engine.api();
    let bob = |name: &str| SignUpEmail {
        name: "Bob".into(),
        email: email("bob"),
        password: PASSWORD.into(),
        fields: Record::new().with("username", name),
        ..SignUpEmail::default()
    };
    let refused = api.clone().sign_up_email(bob("Ada")).await.unwrap_err();
    assert_eq!(refused.code(), Some(codes::USERNAME_IS_ALREADY_TAKEN.code));
    assert!(api.create_user(bob("x"), Record::new()).await.is_err());
    let made = api.create_user(bob("Bob_1"), Record::new()).await.unwrap();
    assert_eq!(made.fields.text("username"), Some("bob_1"));
}

/// Where sign-up does not tell that an address is taken, the fate of the name must not tell it either.
#[tokio::test]
// spec: SEC-5
async fn the_name_that_was_asked_for_does_not_tell_whether_the_address_is_known() {
    let mut options = crate::username::options();
    options.email_and_password.require_email_verification = true;
    let test = crate::username::built(options, UsernameOptions::default());
    sign_up_with(&mut test.browser(), "ada", json!({ "username": "ada" })).await.assert(StatusCode::OK);

    let mut told = Vec::new();
    for (who, name) in [("ada", "probe_one"), ("nobody", "probe_two")] {
        let more = json!({ "username": name });
        let first = sign_up_with(&mut test.browser(), who, more.clone()).await;
        let fields: Vec<_> = first.json()["user"].as_object().unwrap().keys().cloned().collect();
        let shown =
            first.json()["user"]["username"] == name && first.json()["user"]["displayUsername"] == name;
        let free = is_available(&mut test.browser(), name).await;
        let again = sign_up_with(&mut test.browser(), "third", more.clone()).await;
        let same = sign_up_with(&mut test.browser(), who, more).await;
        let seen = [free, again, same].map(|answer| (answer.status, answer.body));
        told.push((first.status, fields, shown, seen));
    }
    assert_eq!(told[0], told[1]);
    assert!(told[0].2);
    assert_eq!(told[0].3[0].1, r#"{"available":false}"#);
}

#[tokio::test]
// spec: SEC-5
async fn a_name_that_is_kept_is_kept_for_the_owner_of_the_address() {
    let mut options = crate::username::options();
    options.email_and_password.require_email_verification = true;
    options.email_and_password.hide_unverified = false;
    let test = crate::username::built(options, UsernameOptions::default());
    sign_up_with(&mut test.browser(), "ada", json!({ "username": "ada" })).await.assert(StatusCode::OK);
    sign_up_with(&mut test.browser(), "ada", json!({ "username": "countess" })).await.assert(StatusCode::OK);
    let users = test.engine.schema().table("user").unwrap();
    let proven = Record::new().with("emailVerified", true);
    test.storage.update(users, &Filter::all(), &proven).await.unwrap();

    let mut bob = test.browser();
    sign_up_with(&mut bob, "bob", json!({ "username": "countess" }))
        .await
        .refused(400, "USERNAME_IS_ALREADY_TAKEN");
    let mut ada = test.browser();
    ada.sign_in(&email("ada"), PASSWORD).await.assert(StatusCode::OK);
    ada.post("/update-user", json!({ "username": "Countess" })).await.assert(StatusCode::OK);
    assert_eq!(row(&test, "ada").await.text("username"), Some("countess"));
}
