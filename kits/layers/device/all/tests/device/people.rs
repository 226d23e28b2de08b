//! Who may see and decide what.

use housekey::serde_json::json;
use housekey::testing::TestApp;

use {{crate}}::factories::UserFactory;

use crate::support::{ask, enter, poll, said, send, somebody, stored, sure};

// spec: MID-1, KEY-1
#[housekey::test]
async fn a_guest_signs_in_and_comes_back_with_the_code(app: TestApp) {
    let ada = somebody(&app).await;
    let device = ask(&app).await;
    let page = format!("/device?user_code={}", device.user_code);
    app.get(&page).await.assert_status(302).assert_redirect(&app.route("sign-in"));
    let sign_in = json!({ "email": ada.email, "password": UserFactory::PASSWORD });
    let signed_in = app.post("/sign-in").json(&sign_in).await;
    signed_in.assert_ok().assert_json_path("redirect", page.as_str());
    app.get(&page).await.assert_ok();
}

// spec: MID-1
#[housekey::test]
async fn a_guest_enters_and_decides_nothing(app: TestApp) {
    let device = ask(&app).await;
    for action in ["", "/approve", "/deny"] {
        send(&app.visitor(), action, &device.user_code).await.assert_status(401);
    }
    assert_eq!(stored(&app).await, ("pending".into(), None));
}

// spec: MID-8
#[housekey::test]
async fn a_form_of_another_site_is_refused(app: TestApp) {
    let visitor = sure(&app).await;
    let device = ask(&app).await;
    let form = [("user_code", device.user_code.as_str())];
    for action in ["", "/approve", "/deny"] {
        let forged = visitor.post(&format!("/device{action}")).form(&form).without_csrf().await;
        forged.assert_status(419);
    }
    assert_eq!(stored(&app).await, ("pending".into(), None));
    enter(&visitor, &device.user_code).await.assert_ok();
    visitor.post("/device/approve").form(&form).without_csrf().await.assert_status(419);
    assert_eq!(stored(&app).await.0, "pending");
}

// spec: KEY-1
#[housekey::test]
async fn a_code_that_one_person_entered_is_nobody_elses(app: TestApp) {
    let (ada, eve) = (sure(&app).await, sure(&app).await);
    let device = ask(&app).await;
    enter(&ada, &device.user_code).await.assert_ok();
    for action in ["", "/approve", "/deny"] {
        let refused = send(&eve, action, &device.user_code).await;
        assert!(said(&refused).contains("Somebody else"), "{action}: {}", refused.text());
        refused.assert_dont_see("shop-cli").assert_dont_see("203.0.113.7");
    }
    assert_eq!(stored(&app).await.0, "pending");
    send(&ada, "/approve", &device.user_code).await.assert_ok();
    poll(&app, &device).await.assert_ok();
}

// spec: CFG-6
#[housekey::test]
async fn where_devices_cannot_be_let_in_there_is_no_page(app: TestApp) {
    let app = app.with_config(|config| {
        config.update::<housekey::auth::AuthConfig>(|auth| auth.mount = false);
    });
    let visitor = app.signed_in(&somebody(&app).await).await;
    visitor.get("/device").await.assert_not_found();
    for action in ["", "/approve", "/deny"] {
        send(&visitor, action, "ABCD2345").await.assert_not_found();
    }
}
