use std::sync::{Arc, Mutex};

use housekey_engine::options::StoredIdentifier;
use housekey_engine::{ApiError, Callback, User};
use http::StatusCode;
use serde_json::json;

use crate::support::{PASSWORD, TestEngine, options};

#[tokio::test]
async fn a_password_is_changed_by_whoever_knows_the_old_one() {
    let test = TestEngine::new(options());
    let mut browser = test.ada().await;
    let mut other = test.browser();
    other.sign_in("ada@example.com", PASSWORD).await.assert(StatusCode::OK);
    let change = |current: &str, new: &str| json!({ "currentPassword": current, "newPassword": new });
    browser
        .post("/change-password", change("wrong password", "a new password"))
        .await
        .refused(400, "INVALID_PASSWORD");
    browser.post("/change-password", change(PASSWORD, "short")).await.refused(400, "PASSWORD_TOO_SHORT");
    let answer =
        browser.post("/change-password", change(PASSWORD, "a new password")).await.assert(StatusCode::OK);
    assert_eq!(answer.json()["token"], json!(null));
    assert!(answer.cookies.is_empty());
    assert!(other.session().await["user"].is_object());

    let mut revoke = change("a new password", PASSWORD);
    revoke["revokeOtherSessions"] = json!(true);
    let answer = browser.post("/change-password", revoke).await.assert(StatusCode::OK);
    assert!(answer.json()["token"].is_string() && answer.cookie("session_token").is_some());
    assert_eq!(other.session().await, json!(null));
    assert!(browser.session().await["user"].is_object());
    test.browser().post("/change-password", change(PASSWORD, PASSWORD)).await.refused(401, "UNAUTHORIZED");
}

#[tokio::test]
async fn server_code_checks_a_password_and_no_client_can_try_passwords() {
    let test = TestEngine::new(options());
    let mut browser = test.ada().await;
    let user = test.engine.session(&browser.cookie_header()).await.unwrap().unwrap().user.clone();
    let api = test.engine.api();
    api.verify_password(&user, &PASSWORD.into()).await.unwrap();
    let refused = api.verify_password(&user, &"wrong".into()).await.unwrap_err();
    assert_eq!(refused.code(), Some("INVALID_PASSWORD"));
    browser.post("/verify-password", json!({ "password": PASSWORD })).await.assert(StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn a_user_changes_name_and_picture_and_nothing_they_may_not() {
    let test = TestEngine::new(options());
    let mut browser = test.ada().await;
    let body = json!({ "name": "Countess", "image": "/a.png", "emailVerified": true });
    let answer = browser.post("/update-user", body).await.assert(StatusCode::OK);
    assert_eq!(answer.json(), json!({ "status": true }));
    assert!(answer.cookie("session_token").is_some());
    let user = browser.session().await["user"].clone();
    assert_eq!(
        (&user["name"], &user["image"], &user["emailVerified"]),
        (&json!("Countess"), &json!("/a.png"), &json!(false))
    );
    browser.post("/update-user", json!({ "image": null, "email": "" })).await.assert(StatusCode::OK);
    assert_eq!(browser.session().await["user"]["image"], json!(null));
    let nothing =
        browser.post("/update-user", json!({ "emailVerified": true })).await.assert(StatusCode::BAD_REQUEST);
    assert_eq!(nothing.json(), json!({ "message": "No fields to update" }));
    browser.post("/update-user", json!({ "name": 5 })).await.refused(400, "VALIDATION_ERROR");
    test.browser().post("/update-user", json!({ "name": "x" })).await.refused(401, "UNAUTHORIZED");
}

#[tokio::test]
async fn a_fresh_session_or_the_password_deletes_the_account_and_everything_of_it() {
    let deleted: Arc<Mutex<Vec<String>>> = Arc::default();
    let mut options = options();
    options.user.delete_user.enabled = true;
    let seen = Arc::clone(&deleted);
    options.user.delete_user.after_delete = Callback::new(move |user: User| {
        seen.lock().unwrap().push(user.email);
        async { Ok::<_, ApiError>(()) }
    });
    let test = TestEngine::new(options);
    let mut browser = test.ada().await;
    test.advance(86_400);
    browser.post("/delete-user", json!({})).await.refused(400, "SESSION_EXPIRED");
    browser
        .post("/delete-user", json!({ "password": "wrong password" }))
        .await
        .refused(400, "INVALID_PASSWORD");
    let answer = browser.post("/delete-user", json!({ "password": PASSWORD })).await.assert(StatusCode::OK);
    assert_eq!(answer.json(), json!({ "success": true, "message": "User deleted" }));
    assert!(answer.cookie("session_token").unwrap().is_cleared());
    for table in ["user", "account", "session"] {
        assert!(test.rows(table).await.is_empty(), "{table}");
    }
    assert_eq!(*deleted.lock().unwrap(), ["ada@example.com"]);
}

#[tokio::test]
async fn a_mail_can_be_asked_first_and_works_only_for_the_same_user_and_once() {
    for stored in [StoredIdentifier::Plain, StoredIdentifier::Hashed] {
        let test = TestEngine::with(|mailbox| {
            let mut options = options();
            options.verification.store_identifier = stored;
            options.user.delete_user.enabled = true;
            options.user.delete_user.send_delete_account_verification = mailbox.link("delete");
            options
        });
        let mut ada = test.ada().await;
        let mut bob = test.browser();
        bob.sign_up("bob@example.com").await.assert(StatusCode::OK);
        let answer = ada.post("/delete-user", json!({ "callbackURL": "/bye" })).await.assert(StatusCode::OK);
        assert_eq!(answer.json()["message"], "Verification email sent");
        let mail = test.mailbox.take();
        let row = format!("{:?}", test.rows("verification").await);
        assert_eq!(row.contains(&mail.token), stored == StoredIdentifier::Plain, "{row}");
        assert!(
            mail.url.contains("/delete-user/callback?token=") && mail.url.ends_with("&callbackURL=%2Fbye")
        );
        bob.open(&mail.url).await.refused(404, "INVALID_TOKEN");
        test.browser().open(&mail.url).await.refused(404, "FAILED_TO_GET_USER_INFO");
        let left = ada.open(&mail.url).await.assert(StatusCode::FOUND);
        assert_eq!(left.header("location"), Some("/bye"));
        assert_eq!(test.rows("user").await.len(), 1);
    }
}

#[tokio::test]
async fn accounts_are_listed_without_their_secrets_and_the_last_one_stays() {
    let mut options = options();
    options.account.account_linking.enabled = Some(true);
    let test = TestEngine::new(options);
    let mut browser = test.ada().await;
    let accounts = browser.get("/list-accounts").await.assert(StatusCode::OK).json();
    let account = accounts[0].as_object().unwrap();
    assert_eq!(account["providerId"], "credential");
    assert_eq!(account["scopes"], json!([]));
    assert!(account.get("password").is_none());
    let id = json!({ "accountId": account["id"] });
    browser.post("/unlink-account", id).await.refused(400, "FAILED_TO_UNLINK_LAST_ACCOUNT");
}

#[tokio::test]
async fn server_code_gives_a_password_to_a_user_who_has_none() {
    let test = TestEngine::new(options());
    let mut browser = test.ada().await;
    let user = test.engine.session(&browser.cookie_header()).await.unwrap().unwrap().user.clone();
    let api = test.engine.api();
    assert_eq!(
        api.set_password(&user, &PASSWORD.into()).await.unwrap_err().code(),
        Some("PASSWORD_ALREADY_SET")
    );
    assert!(browser.session().await["user"].is_object());
}

#[tokio::test]
async fn accounts_are_listed_unless_management_is_off_and_unlinked_only_where_there_is_linking() {
    let mut browser = TestEngine::new(options()).ada().await;
    let accounts = browser.get("/list-accounts").await.assert(StatusCode::OK).json();
    assert_eq!(accounts[0]["providerId"], "credential");
    let id = accounts[0]["id"].clone();
    browser.post("/unlink-account", json!({ "accountId": id })).await.assert(StatusCode::NOT_FOUND);

    let mut options = options();
    options.session.management = false;
    TestEngine::new(options).ada().await.get("/list-accounts").await.assert(StatusCode::NOT_FOUND);
}
