use http::StatusCode;
use serde_json::json;

use crate::support::{House, PASSWORD, options};

fn house() -> House {
    House::with(|mailbox| {
        let mut options = options();
        options.email_and_password.send_reset_password = mailbox.link("reset");
        options
    })
}

#[tokio::test]
async fn a_link_leads_to_a_page_that_resets_the_password_and_ends_every_session() {
    let house = house();
    let mut browser = house.ada().await;
    let ask = json!({ "email": "ADA@example.com", "redirectTo": "/new-password?step=2" });
    let asked = house.browser().post("/request-password-reset", ask).await.assert(StatusCode::OK);
    let mail = house.mailbox.take();
    assert_eq!(mail.token.len(), 24);
    assert_eq!(
        mail.url,
        format!(
            "http://localhost:3000/api/auth/reset-password/{}?callbackURL=%2Fnew-password%3Fstep%3D2",
            mail.token
        )
    );

    let opened = house.browser().open(&mail.url).await.assert(StatusCode::FOUND);
    assert_eq!(
        opened.header("location").unwrap(),
        format!("http://localhost:3000/new-password?step=2&token={}", mail.token)
    );
    house.browser().open(&mail.url).await.assert(StatusCode::FOUND);

    let reset = json!({ "newPassword": "a new password", "token": mail.token });
    house.browser().post("/reset-password", reset.clone()).await.assert(StatusCode::OK);
    assert_eq!(browser.session().await, json!(null));
    house.browser().sign_in("ada@example.com", PASSWORD).await.refused(401, "INVALID_EMAIL_OR_PASSWORD");
    house.browser().sign_in("ada@example.com", "a new password").await.assert(StatusCode::OK);
    house.browser().post("/reset-password", reset).await.refused(400, "INVALID_TOKEN");

    let unknown =
        house.browser().post("/request-password-reset", json!({ "email": "bob@example.com" })).await;
    assert_eq!(unknown.assert(StatusCode::OK).body, asked.body);
    assert!(house.mailbox.all().is_empty());
}

#[tokio::test]
async fn a_link_lives_for_an_hour_and_says_so_where_it_leads() {
    let house = house();
    house.ada().await;
    house
        .browser()
        .post("/request-password-reset", json!({ "email": "ada@example.com" }))
        .await
        .assert(StatusCode::OK);
    let mail = house.mailbox.take();
    house.advance(3601);
    let opened = house.browser().open(&mail.url).await.assert(StatusCode::FOUND);
    assert_eq!(opened.header("location"), Some("http://localhost:3000/api/auth/error?error=INVALID_TOKEN"));
    let opened = house.browser().get(&format!("/reset-password/{}?callbackURL=/x", mail.token)).await;
    assert_eq!(opened.header("location"), Some("http://localhost:3000/x?error=INVALID_TOKEN"));
    let reset = json!({ "newPassword": "a new password", "token": mail.token });
    house.browser().post("/reset-password", reset).await.refused(400, "INVALID_TOKEN");
}

#[tokio::test]
async fn what_has_run_out_is_removed_once_a_minute_and_not_by_every_lookup() {
    let house = house();
    house.ada().await;
    let ask = json!({ "email": "ada@example.com" });
    house.browser().post("/request-password-reset", ask).await.assert(StatusCode::OK);
    let link = house.mailbox.take().url;
    let left_after = async |seconds: u32| {
        house.advance(seconds.into());
        house.browser().open(&link).await.assert(StatusCode::FOUND);
        house.rows("verification").await.len()
    };
    assert_eq!(left_after(3590).await, 2, "the link lives, and the address that it is for");
    assert_eq!(left_after(20).await, 2, "they have run out, and somebody swept a moment ago");
    assert_eq!(left_after(41).await, 0);
}

#[tokio::test]
async fn of_two_resets_with_one_link_one_succeeds() {
    let house = house();
    house.ada().await;
    house
        .browser()
        .post("/request-password-reset", json!({ "email": "ada@example.com" }))
        .await
        .assert(StatusCode::OK);
    let token = house.mailbox.take().token;
    let reset = |password: &str| {
        let (mut browser, body) = (house.browser(), json!({ "newPassword": password, "token": token }));
        async move { browser.post("/reset-password", body).await.status.as_u16() }
    };
    let (first, second) = tokio::join!(reset("first password"), reset("second password"));
    let mut statuses = [first, second];
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 400]);
}

#[tokio::test]
async fn a_short_password_is_refused_before_the_link_is_spent() {
    let house = house();
    house.ada().await;
    house
        .browser()
        .post("/request-password-reset", json!({ "email": "ada@example.com" }))
        .await
        .assert(StatusCode::OK);
    let token = house.mailbox.take().token;
    let reset = |password: &str| json!({ "newPassword": password, "token": token });
    house.browser().post("/reset-password", reset("short")).await.refused(400, "PASSWORD_TOO_SHORT");
    house.browser().post("/reset-password", reset("long enough")).await.assert(StatusCode::OK);
}

#[tokio::test]
async fn a_link_leads_nowhere_else() {
    let house = house();
    house.ada().await;
    let ask = json!({ "email": "ada@example.com", "redirectTo": "https://evil.test" });
    house.browser().post("/request-password-reset", ask).await.refused(403, "INVALID_REDIRECT_URL");
    house
        .browser()
        .get("/reset-password/x?callbackURL=https://evil.test")
        .await
        .refused(403, "INVALID_CALLBACK_URL");
    house.browser().get("/reset-password/x").await.refused(400, "VALIDATION_ERROR");
}
