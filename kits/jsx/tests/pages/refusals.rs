//! Pages that say no, and pages that are not there.

use housekey::auth::AuthConfig;
use housekey::testing::TestApp;

use crate::support::{OF_MEMBERS, sign_in, somebody};

// spec: ERR-1
#[housekey::test]
async fn errors_are_pages_for_people(app: TestApp) {
    let html = "text/html; charset=utf-8";
    app.get("/nowhere").await.assert_status(404).assert_header("content-type", html);
    let form = [("email", "ada@example.com"), ("password", "x")];
    let stale = app.post("/sign-in").form(&form).without_csrf().await;
    stale.assert_status(419).assert_header("content-type", html);
    for _ in 0..7 {
        app.post("/sign-in").form(&form).await;
    }
    let busy = app.post("/sign-in").form(&form).await;
    busy.assert_status(429).assert_header("content-type", html);
    assert!(busy.header("retry-after").is_some());
    app.get("/nowhere").header("accept", "text/html").await.assert_see("Nobody lives at this address.");
    app.get("/api/nowhere")
        .accept_json()
        .await
        .assert_status(404)
        .assert_header("content-type", "application/json");
}

// spec: CFG-6
#[housekey::test]
async fn where_sign_up_is_closed_there_is_no_page_for_it(app: TestApp) {
    app.get("/sign-in").await.assert_see(r#"href="/sign-up""#);
    let closed = app.with_config(|config| {
        config.update::<AuthConfig>(|auth| auth.engine.email_and_password.disable_sign_up = true);
    });
    closed.get("/sign-up").await.assert_not_found();
    closed.get("/sign-in").await.assert_status(200).assert_dont_see(r#"href="/sign-up""#);
}

// spec: CFG-6
#[housekey::test]
async fn what_is_turned_off_has_no_page_and_no_link(app: TestApp) {
    let off = app.with_config(|config| {
        config.update::<AuthConfig>(|auth| {
            // What a layer of the app has besides stays: its routes need it.
            let others =
                auth.plugins.iter().filter(|plugin| !["two-factor", "passkey"].contains(&plugin.id()));
            auth.plugins = others.cloned().collect();
            auth.engine.user.delete_user.enabled = false;
            auth.engine.user.change_email.enabled = false;
        });
    });
    let visitor = off.signed_in(&somebody(&off).await).await;
    let gone = ["/settings/two-factor", "/settings/passkeys"];
    for path in gone {
        visitor.get(path).await.assert_not_found();
    }
    for path in OF_MEMBERS.iter().filter(|path| !gone.contains(path)) {
        let page = visitor.get(path).await;
        page.assert_status(200).assert_dont_see("data-passkey=");
        for path in gone {
            page.assert_dont_see(path);
        }
    }
    visitor.get("/settings/profile").await.assert_dont_see("/settings/profile/email");
    visitor.get("/settings/account").await.assert_dont_see("Delete my account");
    visitor
        .delete("/settings/sessions")
        .form(&[("a", "b")])
        .await
        .assert_status(423)
        .assert_see("/confirm-password");
    off.get("/sign-in").await.assert_see("action=\"/sign-in\"").assert_dont_see("data-passkey=");
    for path in ["/two-factor-challenge", "/change-email/confirm?token=x", "/.well-known/passkey-endpoints"] {
        off.get(path).await.assert_not_found();
    }

    let keys_only = app.with_config(|config| {
        config.update::<AuthConfig>(|auth| auth.engine.email_and_password.enabled = false);
    });
    let page = keys_only.get("/sign-in").await;
    page.assert_status(200).assert_see("data-passkey=\"sign-in\"").assert_dont_see("type=\"password\"");
    page.assert_dont_see("/forgot-password").assert_dont_see("/sign-up");
    for path in ["/sign-up", "/forgot-password", "/reset-password?token=x"] {
        keys_only.get(path).await.assert_not_found();
    }
}

// spec: CFG-1
#[housekey::test]
async fn without_the_engines_endpoints_no_page_leads_to_one(app: TestApp) {
    app.get("/sign-in").await.assert_see("data-passkey=").assert_see("username webauthn");
    let unmounted = app.with_config(|config| config.update::<AuthConfig>(|auth| auth.mount = false));
    unmounted.get("/api/auth/get-session").await.assert_not_found();
    unmounted.get("/.well-known/passkey-endpoints").await.assert_not_found();
    let page = unmounted.get("/sign-in").await;
    page.assert_status(200).assert_dont_see("data-passkey=").assert_dont_see("webauthn");
    // The password still opens the door: the form is this app's own.
    let ada = somebody(&unmounted).await;
    sign_in(&unmounted, &ada).await.assert_redirect("/dashboard");
    unmounted.get("/settings/passkeys").await.assert_not_found();
    for path in OF_MEMBERS.iter().filter(|path| **path != "/settings/passkeys") {
        let page = unmounted.get(path).await;
        page.assert_status(200).assert_dont_see("data-passkey=").assert_dont_see("/settings/passkeys");
    }
}
