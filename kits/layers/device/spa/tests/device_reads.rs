//! What the pages about devices ask for, and the documents they are in.

use housekey::database::Factory;
use housekey::serde_json::{Value, json};
use housekey::testing::TestApp;

use {{crate}}::factories::UserFactory;
use {{crate}}::models::User;

async fn somebody(app: &TestApp) -> User {
    app.within(UserFactory::create()).await.unwrap()
}

/// The code of a device that asked a moment ago.
async fn code_of(app: &TestApp) -> String {
    let device = app.visitor().from("203.0.113.7").with_header("user-agent", "shop-cli/1.2 (linux)");
    let wanted = json!({ "client_id": "shop-cli", "scope": "orders:read profile" });
    let codes = device.post("/api/auth/device/code").json(&wanted).without_csrf().await;
    codes.assert_ok().json::<Value>()["user_code"].as_str().unwrap().to_owned()
}

async fn send(visitor: &TestApp, action: &str, code: &str) {
    visitor.post(&format!("/device{action}")).json(&json!({ "user_code": code })).await.assert_ok();
}

async fn read(visitor: &TestApp) -> Value {
    let answer = visitor.get("/api/device").await;
    answer.assert_ok().assert_header("cache-control", "no-store");
    answer.json()
}

fn nothing() -> Value {
    json!({ "asked": null, "over": null, "decided": null })
}

// spec: MID-1, SHL-9
#[housekey::test]
async fn only_whoever_is_signed_in_gets_the_pages_and_what_they_show(app: TestApp) {
    app.get("/api/device").await.assert_status(401);
    for path in ["/device", "/device/confirm", "/device/done"] {
        app.visitor().get(path).await.assert_status(302).assert_redirect("/auth/sign-in");
        let visitor = app.signed_in(&somebody(&app).await).await;
        let page = visitor.get(path).await;
        page.assert_ok().assert_see("data-spa-root").assert_header("referrer-policy", "same-origin");
    }
}

// spec: KEY-1
#[housekey::test]
async fn the_page_is_told_who_asks_for_what_from_where_and_when(app: TestApp) {
    let code = code_of(&app).await;
    let visitor = app.signed_in(&somebody(&app).await).await;
    assert_eq!(read(&visitor).await, nothing());
    send(&visitor, "", &code.to_lowercase()).await;
    let answer = read(&visitor).await;
    let at = answer["asked"]["at"].as_str().expect("when it asked");
    let asked = json!({
        "entered": code.to_lowercase(), "code": format!("{}-{}", &code[..4], &code[4..]), "client": "shop-cli",
        "scopes": ["orders:read", "profile"], "address": "203.0.113.7", "program": "shop-cli/1.2", "at": at,
    });
    assert_eq!(answer, json!({ "asked": asked, "over": null, "decided": null }));
}

// spec: KEY-1
#[housekey::test]
async fn after_the_decision_the_page_knows_it_until_another_code_is_entered(app: TestApp) {
    let code = code_of(&app).await;
    let visitor = app.signed_in(&somebody(&app).await).await;
    send(&visitor, "", &code).await;
    send(&visitor, "/deny", &code).await;
    for _ in 0..2 {
        assert_eq!(read(&visitor).await, json!({ "asked": null, "over": null, "decided": "denied" }));
    }
    send(&visitor, "", &code_of(&app).await).await;
    let answer = read(&visitor).await;
    assert_eq!((&answer["decided"], answer["asked"].is_object()), (&Value::Null, true));
}

// spec: KEY-1
#[housekey::test]
async fn whoever_signs_in_next_at_the_same_browser_sees_nothing_of_it(app: TestApp) {
    let visitor = app.signed_in(&somebody(&app).await).await;
    send(&visitor, "", &code_of(&app).await).await;
    visitor.post("/sign-out").json(&json!({})).await.assert_ok();
    let eve = json!({ "email": somebody(&app).await.email, "password": UserFactory::PASSWORD });
    visitor.post("/sign-in").json(&eve).await.assert_ok();
    assert_eq!(read(&visitor).await["asked"], Value::Null);
}
