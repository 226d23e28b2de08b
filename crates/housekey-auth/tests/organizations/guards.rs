use housekey_auth::{Auth, AuthConfig};
use housekey_database::record;
use housekey_http::Routes;
use serde_json::json;

use crate::organizations::{app, go_to, joined, organization_of, somebody, with_plugins};
use crate::support::{app_with, config, engine_post};

// spec: ORG-4
#[tokio::test]
async fn a_guest_is_sent_to_sign_in_and_somebody_without_an_organization_to_choose_one() {
    let app = app().await;
    for page in ["/member", "/owner"] {
        app.get(page).await.assert_redirect("/sign-in");
        app.get(page).accept_json().await.assert_status(401);
    }
    let (_, ada) = somebody(&app, "ada@example.com").await;
    ada.get("/member").await.assert_redirect("/organizations");
    let refused = ada.get("/owner").accept_json().await;
    refused.assert_status(403).assert_json_path("code", "NO_ACTIVE_ORGANIZATION");
    ada.get("/required").accept_json().await.assert_status(403);
    ada.get("/extracted").accept_json().await.assert_status(403);
    app.get("/required").accept_json().await.assert_status(401);
    ada.get("/where").await.assert_see("nowhere");
    ada.get("/beta").await.assert_status(404);
}

// spec: ORG-4
#[tokio::test]
async fn a_role_opens_what_it_is_named_for_and_nothing_else() {
    let app = app().await;
    let (_, ada) = somebody(&app, "ada@example.com").await;
    let acme = organization_of(&ada, "acme").await;
    for page in ["/member", "/owner", "/lead"] {
        ada.get(page).await.assert_ok();
    }
    ada.get("/where").await.assert_see("ACME");
    ada.get("/required").await.assert_see(&acme);
    let about = ada.get("/about").await;
    about.assert_json_path("invites", true).assert_json_path("deletes", true);
    about.assert_json_path("sunday", true).assert_json_path("wrong", ()).assert_json_path("beta", false);

    for (role, owner, lead) in [("admin", 403, 200), ("member", 403, 403)] {
        let (user, visitor) = somebody(&app, &format!("{role}@example.com")).await;
        joined(&app, &acme, &user, &visitor, role).await;
        visitor.get("/member").await.assert_ok();
        visitor.get("/extracted").await.assert_see(role);
        visitor.get("/owner").await.assert_status(owner);
        visitor.get("/lead").await.assert_status(lead);
        visitor.get("/about").await.assert_json_path("deletes", false);
        visitor.get("/about").await.assert_json_path("invites", role == "admin");
    }
}

// spec: ORG-4
#[tokio::test]
async fn an_owner_elsewhere_is_nobody_here() {
    let app = app().await;
    let (_, ada) = somebody(&app, "ada@example.com").await;
    let acme = organization_of(&ada, "acme").await;
    let (eve, evil) = somebody(&app, "eve@example.com").await;
    organization_of(&evil, "evil").await;
    evil.get("/owner").await.assert_ok();
    let refused = engine_post(&evil, "organization/set-active", &json!({ "organizationId": acme })).await;
    refused.assert_status(403);
    evil.get("/where").await.assert_dont_see("ACME");
    joined(&app, &acme, &eve, &evil, "member").await;
    evil.get("/where").await.assert_see("ACME");
    evil.get("/owner").await.assert_status(403);
}

// spec: ORG-4
#[tokio::test]
async fn a_feature_is_what_the_app_granted_and_not_what_an_owner_wrote() {
    let app = app().await;
    let (_, ada) = somebody(&app, "ada@example.com").await;
    let acme = organization_of(&ada, "acme").await;
    let wish = json!({ "data": { "metadata": { "beta": true }, "name": "Acme", "beta": true } });
    let asked = engine_post(&ada, "organization/update", &wish).await;
    assert!(asked.status() == 200 || asked.status() == 400, "{}", asked.text());
    ada.get("/beta").await.assert_status(404);
    let database = app.services().require::<Auth>().unwrap().database().unwrap();
    database.table("organization").where_eq("id", &acme).update(record! { "beta" => true }).await.unwrap();
    ada.get("/beta").await.assert_ok();
    ada.get("/about").await.assert_json_path("beta", true);
}

// spec: ORG-3
#[tokio::test]
async fn somebody_is_where_they_were_last_when_they_sign_in_again() {
    let app = app().await;
    let (ada, first) = somebody(&app, "ada@example.com").await;
    let acme = organization_of(&first, "acme").await;
    organization_of(&first, "other").await;
    go_to(&first, &acme).await;
    let second = app.signed_in(&ada).await;
    second.get("/where").await.assert_see("ACME");
}

fn boot(change: fn(&mut AuthConfig), routes: fn(&mut Routes)) -> String {
    let folder = tempfile::tempdir().unwrap();
    let mut auth = config();
    change(&mut auth);
    let env = housekey_core::Env::empty().with("APP_ENV", "testing");
    let testing = |config: &mut housekey_core::Config| {
        config.update::<housekey_core::AppConfig>(|app| app.env = housekey_core::Environment::Testing);
    };
    let booted = app_with(auth, routes).root(folder.path()).env(env).configure(testing).boot().map(drop);
    format!("{:#}", booted.unwrap_err())
}

#[test]
fn a_guard_that_would_let_nobody_or_everybody_in_stops_the_boot() {
    let without = boot(
        |_| (),
        |route| {
            route.get("/", async || "").middleware("member");
        },
    );
    assert!(without.contains("`organization(OrganizationOptions::default())`"), "{without}");
    let without = boot(
        |_| (),
        |route| {
            route.get("/", async || "").middleware("admin");
        },
    );
    assert!(without.contains("`admin(AdminOptions::default())`"), "{without}");
    let misspelt = boot(with_plugins, |route| {
        route.get("/", async || "").middleware("role:onwer");
    });
    assert!(misspelt.contains("onwer") && misspelt.contains("owner"), "{misspelt}");
    let none = boot(with_plugins, |route| {
        route.get("/", async || "").middleware("role");
    });
    assert!(none.contains("role:owner,admin"), "{none}");
    let unknown = boot(with_plugins, |route| {
        route.get("/", async || "").middleware("feature:gamma");
    });
    assert!(unknown.contains("additional_fields"), "{unknown}");
}
