//! The pages about devices, as a browser without script gets them.

use std::time::Duration;

use housekey::database::Factory;
use housekey::serde_json::{Value, json};
use housekey::testing::{TestApp, TestResponse};

use {{crate}}::factories::UserFactory;
use {{crate}}::models::User;

async fn somebody(app: &TestApp) -> User {
    app.within(UserFactory::create()).await.unwrap()
}

/// The code that a device shows which calls itself that.
async fn code_of(app: &TestApp, client: &str, scope: &str) -> String {
    let device = app.visitor().from("203.0.113.7").with_header("user-agent", "shop-cli/1.2 (linux)");
    let wanted = json!({ "client_id": client, "scope": scope });
    let codes = device.post("/api/auth/device/code").json(&wanted).without_csrf().await;
    codes.assert_ok().json::<Value>()["user_code"].as_str().unwrap().to_owned()
}

async fn send(visitor: &TestApp, from: &str, action: &str, code: &str) -> TestResponse {
    visitor.post(&format!("/device{action}")).form(&[("user_code", code)]).referer(from).await
}

/// Somebody who entered the code and sees the question.
async fn asked(app: &TestApp, client: &str, scope: &str) -> (TestApp, String, TestResponse) {
    let code = code_of(app, client, scope).await;
    let visitor = app.signed_in(&somebody(app).await).await;
    send(&visitor, "/device", "", &code).await.assert_status(303).assert_redirect("/device/confirm");
    let page = visitor.get("/device/confirm").await;
    page.assert_ok();
    (visitor, code, page)
}

/// What stands in a field of a form.
fn value_of(page: &TestResponse, field: &str) -> String {
    let html = page.text();
    let rest =
        html.split(&format!("name=\"{field}\"")).nth(1).unwrap_or_else(|| panic!("no {field}: {html}"));
    let value = rest.split('>').next().and_then(|tag| tag.split("value=\"").nth(1)).unwrap_or_default();
    value.split('"').next().unwrap_or_default().to_owned()
}

// spec: KEY-1, KIT-3
#[housekey::test]
async fn the_page_says_who_asks_for_what_from_where_and_when_and_warns(app: TestApp) {
    let code = code_of(&app, "shop-cli", "orders:read profile").await;
    app.advance(Duration::from_secs(180));
    let ada = somebody(&app).await;
    let visitor = app.signed_in(&ada).await;
    send(&visitor, "/device", "", &code).await.assert_redirect("/device/confirm");
    let page = visitor.get("/device/confirm").await;
    page.assert_ok().assert_header("cache-control", "no-store");
    for shown in [
        "Only go on if you started this yourself, and the code is the one on your device.",
        &format!("{}-{}", &code[..4], &code[4..]),
        "shop-cli",
        "orders:read",
        "profile",
        "203.0.113.7",
        "shop-cli/1.2",
        "3 minutes ago",
        ada.email.as_str(),
    ] {
        page.assert_see(shown);
    }
    page.assert_see(r#"action="/device/approve""#).assert_see(r#"action="/device/deny""#);
}

// spec: KEY-1
#[housekey::test]
async fn a_code_in_the_address_is_filled_in_and_still_asked_about(app: TestApp) {
    let code = code_of(&app, "shop-cli", "").await;
    let visitor = app.signed_in(&somebody(&app).await).await;
    let page = visitor.get(&format!("/device?user_code={}-{}", &code[..4], &code[4..])).await;
    page.assert_ok().assert_header("referrer-policy", "same-origin").assert_dont_see("shop-cli");
    assert_eq!(value_of(&page, "user_code"), format!("{}-{}", &code[..4], &code[4..]));
    visitor.get("/device/confirm").await.assert_status(302).assert_redirect("/device");
    visitor.get("/device/done").await.assert_status(302).assert_redirect("/device");
}

// spec: SEC-1, STA-8, MID-4
#[housekey::test]
async fn letting_it_in_asks_for_the_password_and_then_does_it(app: TestApp) {
    let (visitor, code, _) = asked(&app, "shop-cli", "").await;
    let locked = send(&visitor, "/device/confirm", "/approve", &code).await;
    locked.assert_status(423).assert_see(r#"action="/confirm-password""#);
    let replay = value_of(&locked, "replay");
    let form = [("password", UserFactory::PASSWORD), ("replay", &replay)];
    visitor.post("/confirm-password").form(&form).await.assert_status(303).assert_redirect("/device/done");
    for _ in 0..2 {
        visitor.get("/device/done").await.assert_ok().assert_see("The device is let in");
    }
    // The page of the question has nothing to ask any more.
    visitor.get("/device/confirm").await.assert_redirect("/device");
}

// spec: KEY-1
#[housekey::test]
async fn turning_it_away_is_said_calmly(app: TestApp) {
    let (visitor, code, _) = asked(&app, "shop-cli", "").await;
    send(&visitor, "/device/confirm", "/deny", &code)
        .await
        .assert_status(303)
        .assert_redirect("/device/done");
    visitor.get("/device/done").await.assert_ok().assert_see("The device is turned away");
}

// spec: VAL-3
#[housekey::test]
async fn a_wrong_code_stays_in_its_field_with_what_is_wrong(app: TestApp) {
    let visitor = app.signed_in(&somebody(&app).await).await;
    send(&visitor, "/device", "", "aaaa-bbbb").await.assert_status(303).assert_redirect("/device");
    let page = visitor.get("/device").await;
    page.assert_see("There is no such code.").assert_see(r#"aria-invalid="true""#);
    assert_eq!(value_of(&page, "user_code"), "aaaa-bbbb");
}

// spec: KEY-1
#[housekey::test]
async fn what_can_no_longer_be_decided_leads_back_to_the_form_and_says_why(app: TestApp) {
    let (visitor, code, _) = asked(&app, "shop-cli", "").await;
    send(&visitor, "/device/confirm", "/deny", &code).await.assert_redirect("/device/done");
    send(&visitor, "/device/confirm", "/deny", &code).await.assert_status(303).assert_redirect("/device");
    visitor.get("/device").await.assert_ok().assert_see("This code was used already.");

    let (visitor, _, _) = asked(&app, "shop-cli", "").await;
    app.advance(Duration::from_secs(1801));
    visitor.get("/device/confirm").await.assert_status(302).assert_redirect("/device");
    visitor.get("/device").await.assert_see("This code is too old.");
}

// spec: KEY-1
#[housekey::test]
async fn whoever_signs_in_next_at_the_same_browser_sees_nothing_of_it(app: TestApp) {
    let (visitor, _, _) = asked(&app, "shop-cli", "").await;
    visitor.post("/sign-out").form(&[("a", "b")]).await.assert_status(303);
    let eve = somebody(&app).await;
    let form = [("email", eve.email.as_str()), ("password", UserFactory::PASSWORD)];
    visitor.post("/sign-in").form(&form).await.assert_status(303);
    let page = visitor.get("/device/confirm").await;
    page.assert_status(302).assert_redirect("/device").assert_dont_see("shop-cli");
}

// spec: KIT-3
#[housekey::test]
async fn what_a_device_says_about_itself_is_text(app: TestApp) {
    let (_, _, page) = asked(&app, r#""><img src=x onerror=alert(1)>"#, "<b>all</b>").await;
    page.assert_dont_see("<img src=x").assert_dont_see("<b>all</b>");
}
