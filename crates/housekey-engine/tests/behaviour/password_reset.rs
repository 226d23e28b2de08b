use http::StatusCode;
use serde_json::json;

use crate::support::{PASSWORD, TestEngine, options};

fn test_engine() -> TestEngine {
    TestEngine::with(|mailbox| {
        let mut options = options();
        options.email_and_password.send_reset_password = mailbox.link("reset");
        options
    })
}

#[tokio::test]
async fn a_link_leads_to_a_page_that_resets_the_password_and_ends_every_session() {
    let test = test_engine();
    let mut browser = test.ada().await;
    let ask = json!({ "email": "ADA@example.com", "redirectTo": "/new-password?step=2" });
    let asked = test.browser().post("/request-password-reset", ask).await.assert(StatusCode::OK);
    let mail = test.mailbox.take();
    assert_eq!(mail.token.len(), 24);
    assert_eq!(
        mail.url,
        format!(
            "http://localhost:3000/api/auth/reset-password/{}?callbackURL=%2Fnew-password%3Fstep%3D2",
            mail.token
        )
    );

    let opened = test.browser().open(&mail.url).await.assert(StatusCode::FOUND);
    assert_eq!(
        opened.header("location").unwrap(),
        format!("http://localhost:3000/new-password?step=2&token={}", mail.token)
    );
    test.browser().open(&mail.url).await.assert(StatusCode::FOUND);

    let reset = json!({ "newPassword": "a new password", "token": mail.token });
    test.browser().post("/reset-password", reset.clone()).await.assert(StatusCode::OK);
    assert_eq!(browser.session().await, json!(null));
    test.browser().sign_in("ada@example.com", PASSWORD).await.refused(401, "INVALID_EMAIL_OR_PASSWORD");
    test.browser().sign_in("ada@example.com", "a new password").await.assert(StatusCode::OK);
    test.browser().post("/reset-password", reset).await.refused(400, "INVALID_TOKEN");

    let unknown = test.browser().post("/request-password-reset", json!({ "email": "bob@example.com" })).await;
    assert_eq!(unknown.assert(StatusCode::OK).body, asked.body);
    assert!(test.mailbox.all().is_empty());
}

#[tokio::test]
async fn a_link_lives_for_an_hour_and_says_so_where_it_leads() {
    let test = test_engine();
    test.ada().await;
    test.browser()
        .post("/request-password-reset", json!({ "email": "ada@example.com" }))
        .await
        .assert(StatusCode::OK);
    let mail = test.mailbox.take();
    test.advance(3601);
    let opened = test.browser().open(&mail.url).await.assert(StatusCode::FOUND);
    assert_eq!(opened.header("location"), Some("http://localhost:3000/api/auth/error?error=INVALID_TOKEN"));
    let opened = test.browser().get(&format!("/reset-password/{}?callbackURL=/x", mail.token)).await;
    assert_eq!(opened.header("location"), Some("http://localhost:3000/x?error=INVALID_TOKEN"));
    let reset = json!({ "newPassword": "a new password", "token": mail.token });
    test.browser().post("/reset-password", reset).await.refused(400, "INVALID_TOKEN");
}

#[tokio::test]
async fn what_has_run_out_is_removed_once_a_minute_and_not_by_every_lookup() {
    let test = test_engine();
    test.ada().await;
    let ask = json!({ "email": "ada@example.com" });
    test.browser().post("/request-password-reset", ask).await.assert(StatusCode::OK);
    let link = test.mailbox.take().url;
    let left_after = async |seconds: u32| {
        test.advance(seconds.into());
        test.browser().open(&link).await.assert(StatusCode::FOUND);
        test.rows("verification").await.len()
    };
    assert_eq!(left_after(3590).await, 2, "the link lives, and the address that it is for");
    assert_eq!(left_after(20).await, 2, "they have run out, and somebody swept a moment ago");
    assert_eq!(left_after(41).await, 0);
}

#[tokio::test]
async fn of_two_resets_with_one_link_one_succeeds() {
    let test = test_engine();
    test.ada().await;
    test.browser()
        .post("/request-password-reset", json!({ "email": "ada@example.com" }))
        .await
        .assert(StatusCode::OK);
    let token = test.mailbox.take().token;
    let reset = |password: &str| {
        let (mut browser, body) = (test.browser(), json!({ "newPassword": password, "token": token }));
        async move { browser.post("/reset-password", body).await.status.as_u16() }
    };
    let (first, second) = tokio::join!(reset("first password"), reset("second password"));
    let mut statuses = [first, second];
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 400]);
}

#[tokio::test]
async fn a_short_password_is_refused_before_the_link_is_spent() {
    let test = test_engine();
    test.ada().await;
    test.browser()
        .post("/request-password-reset", json!({ "email": "ada@example.com" }))
        .await
        .assert(StatusCode::OK);
    let token = test.mailbox.take().token;
    let reset = |password: &str| json!({ "newPassword": password, "token": token });
    test.browser().post("/reset-password", reset("short")).await.refused(400, "PASSWORD_TOO_SHORT");
    test.browser().post("/reset-password", reset("long enough")).await.assert(StatusCode::OK);
}

#[tokio::test]
async fn a_link_leads_nowhere_else() {
    let test = test_engine();
    test.ada().await;
    let ask = json!({ "email": "ada@example.com", "redirectTo": "https://evil.test" });
    test.browser().post("/request-password-reset", ask).await.refused(403, "INVALID_REDIRECT_URL");
    test.browser()
        .get("/reset-password/x?callbackURL=https://evil.test")
        .await
        .refused(403, "INVALID_CALLBACK_URL");
    test.browser().get("/reset-password/x").await.refused(400, "VALIDATION_ERROR");
}
