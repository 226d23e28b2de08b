//! Getting in: the sign-in page, and who may open which page.

use std::time::Duration;

use housekey::testing::TestApp;

use crate::support::{OF_MEMBERS, PASSWORD, sign_in, somebody};

// spec: RTE-2
#[housekey::test]
async fn the_sign_in_page_is_drawn_by_the_server_and_offers_passkeys_in_its_field(app: TestApp) {
    let page = app.get("/sign-in").await;
    page.assert_status(200).assert_header("content-type", "text/html; charset=utf-8");
    page.assert_see(r#"autocomplete="username webauthn""#).assert_see(r#"autocomplete="current-password""#);
    page.assert_see(r#"action="/sign-in""#).assert_see(r#"name="_token""#);
}

// spec: MID-2
#[housekey::test]
async fn pages_for_guests_send_members_to_the_dashboard(app: TestApp) {
    let ada = somebody(&app).await;
    for path in ["/sign-in", "/sign-up", "/forgot-password"] {
        app.get(path).await.assert_status(200);
        app.signed_in(&ada).await.get(path).await.assert_status(302).assert_redirect("/dashboard");
    }
}

// spec: RTE-3, MID-1
#[housekey::test]
async fn pages_of_members_open_for_members_only(app: TestApp) {
    let ada = somebody(&app).await;
    let visitor = app.signed_in(&ada).await;
    for path in OF_MEMBERS {
        app.get(path).await.assert_status(302).assert_redirect("/sign-in");
        app.get(path).accept_json().await.assert_status(401);
        visitor.get(path).await.assert_status(200).assert_header("cache-control", "no-store");
    }
    visitor.get("/settings").await.assert_redirect("/settings/profile");
}

// spec: RTE-3
#[housekey::test]
async fn the_dashboard_opens_right_after_sign_up_and_asks_to_confirm_the_address(app: TestApp) {
    let form = [("name", "Eve"), ("email", "eve@example.com"), ("password", PASSWORD)];
    app.post("/sign-up").form(&form).await.assert_status(303).assert_redirect("/dashboard");
    let page = app.get("/dashboard").await;
    page.assert_status(200).assert_see("Confirm your address").assert_see("href=\"/verify-email\"");
    app.get("/verify-email").await.assert_status(200).assert_see("eve@example.com");
}

#[housekey::test]
async fn who_was_asked_to_sign_in_goes_on_where_they_wanted_to(app: TestApp) {
    let ada = somebody(&app).await;
    app.get("/settings/sessions?from=mail").await.assert_redirect("/sign-in");
    sign_in(&app, &ada).await.assert_redirect("/settings/sessions?from=mail");

    // Once: the next sign-in leads where it always does.
    app.post("/sign-out").form(&[("a", "b")]).await.assert_status(303);
    sign_in(&app, &ada).await.assert_redirect("/dashboard");
}

#[housekey::test]
async fn no_address_that_was_asked_for_leads_to_another_site(app: TestApp) {
    let ada = somebody(&app).await;
    for lure in ["//evil.example/dashboard", "/%5Cevil.example", "//evil.example/%2e%2e/settings/profile"] {
        let visitor = app.visitor();
        visitor.get(lure).await;
        sign_in(&visitor, &ada).await.assert_redirect("/dashboard");
        app.advance(Duration::from_secs(60));
    }
    let visitor = app.visitor();
    visitor.get("/dashboard").header("host", "evil.example").await.assert_redirect("/sign-in");
    let answer = sign_in(&visitor, &ada).await;
    assert_eq!(answer.header("location"), Some("/dashboard"), "a path, whatever host was asked for");
}

#[housekey::test]
async fn whose_session_has_run_out_is_told_so_at_the_door_once(app: TestApp) {
    let ada = somebody(&app).await;
    sign_in(&app, &ada).await.assert_redirect("/dashboard");
    app.advance(Duration::from_hours(24 * 30));
    app.get("/settings/profile").await.assert_redirect("/sign-in");
    app.get("/sign-in").await.assert_see("Your session has ended.");
    app.get("/sign-in").await.assert_dont_see("Your session has ended.");
}
