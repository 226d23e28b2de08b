use housekey_auth::gate::{AppGate, Gate, can, gate, permission};
use housekey_auth::{ActiveOrganization, AuthConfig, User};
use housekey_http::Routes;
use housekey_testing::TestApp;

use crate::organizations::{joined, organization_of, somebody, with_plugins};
use crate::support::{app_with, config, make_tables, nothing_asked};

fn abilities(gate: &mut Gate) {
    gate.define("invite-members", permission("invitation", ["create"]));
    gate.define("rename", |user: &User, organization: &ActiveOrganization| {
        user.email_verified && organization.has_role("owner")
    });
}

fn routes(route: &mut Routes) {
    route.get("/invite", async || "in").middleware("can:invite-members");
    route.get("/can", async || format!("{} {}", can("invite-members", ()), can("rename", ())));
    // Somebody else is not where the present user is.
    route.get("/somebody-else", async || {
        let somebody = housekey_auth::require_user()?;
        let mut other = User::clone(&somebody);
        other.id = "somebody else".into();
        gate().for_user(other).allows("invite-members", ()).await.map(|may| may.to_string())
    });
}

async fn app() -> TestApp {
    let app = TestApp::new(|| {
        let mut auth = AuthConfig { demands: nothing_asked(), ..config() };
        with_plugins(&mut auth);
        app_with(auth, routes).gate(abilities)
    });
    make_tables(&app).await;
    app
}

// spec: ORG-4
#[tokio::test]
async fn an_ability_about_the_organization_is_about_the_active_one() {
    let app = app().await;
    app.get("/invite").await.assert_redirect("/sign-in");
    let (_, ada) = somebody(&app, "ada@example.com").await;
    ada.get("/can").await.assert_see("false false");
    ada.get("/invite").await.assert_status(403);
    let acme = organization_of(&ada, "acme").await;
    ada.get("/can").await.assert_see("true true");
    ada.get("/invite").await.assert_ok();
    ada.get("/somebody-else").await.assert_see("false");
    let (bob, browser) = somebody(&app, "bob@example.com").await;
    joined(&app, &acme, &bob, &browser, "member").await;
    browser.get("/can").await.assert_see("false false");
    browser.get("/invite").await.assert_status(403);
}
