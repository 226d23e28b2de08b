use super::*;

#[tokio::test]
async fn a_key_ends_when_its_time_is_over() {
    let test = test_engine();
    let mut ada = test.ada().await;
    let answer = made(&mut ada, json!({ "expiresIn": 86_400 })).await;
    let key = text(&answer, "key");
    test.advance(86_400);
    assert!(verified(&test, key).await.is_ok());
    test.advance(1);
    assert_eq!(refused(&test, key).await, "KEY_EXPIRED");
    assert_eq!(refused(&test, key).await, "INVALID_API_KEY", "it is deleted");
}

#[tokio::test]
async fn keys_that_nobody_uses_are_swept_away_when_their_time_is_over() {
    let test = test_engine();
    let mut ada = test.ada().await;
    made(&mut ada, json!({ "expiresIn": 86_400 })).await;
    made(&mut ada, json!({})).await;
    assert_eq!(api_key::delete_expired(&test.engine.api()).await.unwrap(), 0);
    test.advance(86_401);
    assert_eq!(api_key::delete_expired(&test.engine.api()).await.unwrap(), 1);
    assert_eq!(test.rows("apikey").await.len(), 1);
}

// spec: KEY-4
#[tokio::test]
async fn the_keys_of_somebody_who_is_deleted_are_gone() {
    let mut deletable = options();
    deletable.user.delete_user.enabled = true;
    let test = built(deletable, ApiKeyOptions::default());
    let mut ada = test.ada().await;
    let key = text(&made(&mut ada, json!({})).await, "key").to_owned();
    made(&mut person(&test, "eve").await, json!({})).await;
    ada.post("/delete-user", json!({ "password": crate::support::PASSWORD })).await.assert(StatusCode::OK);
    assert_eq!(refused(&test, &key).await, "INVALID_API_KEY");
    assert_eq!(test.rows("apikey").await.len(), 1, "hers alone is left");
}

// spec: ADM-1, KEY-4
#[tokio::test]
async fn the_keys_of_somebody_who_is_banned_do_not_work_until_they_are_let_in_again() {
    use housekey_engine::Record;
    use housekey_engine::storage::{Filter, Records as _};

    let test = test_engine();
    let mut ada = test.ada().await;
    let key = text(&made(&mut ada, json!({})).await, "key").to_owned();
    let ban = async |banned: bool| {
        let table = test.engine.schema().table("user").unwrap().clone();
        let changes = Record::new().with("banned", banned);
        test.storage.update(&table, &Filter::all(), &changes).await.unwrap();
    };
    ban(true).await;
    assert_eq!(refused(&test, &key).await, "USER_BANNED");
    ban(false).await;
    assert!(verified(&test, &key).await.is_ok());
}

// spec: SEC-2
#[tokio::test]
async fn whoever_signed_up_with_an_address_that_is_not_theirs_keeps_no_key() {
    let test = TestEngine::with(|mailbox| {
        let mut options = options();
        options.email_and_password.send_reset_password = mailbox.link("reset");
        Engine::builder(options).plugins([api_key::api_key(ApiKeyOptions::default())])
    });
    let mut squatter = test.ada().await;
    let key = text(&made(&mut squatter, json!({})).await, "key").to_owned();
    let mut owner = test.browser();
    owner.post("/request-password-reset", json!({ "email": "ada@example.com" })).await.assert(StatusCode::OK);
    let token = test.mailbox.take().token;
    owner
        .post("/reset-password", json!({ "token": token, "newPassword": "a better horse" }))
        .await
        .assert(StatusCode::OK);
    assert_eq!(refused(&test, &key).await, "INVALID_API_KEY");
}
