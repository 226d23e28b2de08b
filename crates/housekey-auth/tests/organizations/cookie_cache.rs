use std::path::Path;

use housekey_auth::{Auth, AuthConfig};
use housekey_database::DatabaseConfig;
use housekey_testing::TestApp;
use serde_json::{Value, json};

use crate::organizations::{joined, organization_of, routes, somebody, with_plugins};
use crate::support::{engine_post, make_tables, test_app};

fn cached(auth: &mut AuthConfig) {
    with_plugins(auth);
    auth.engine.session.cookie_cache.enabled = true;
}

/// Two processes of the same app: one database, and a cache each, so that neither learns anything of the other.
async fn two_processes(folder: &Path) -> (TestApp, TestApp) {
    let file = folder.join("shared.sqlite").display().to_string();
    let app = test_app(cached, routes).await.with_config(move |config| {
        config.update::<DatabaseConfig>(|database| {
            for connection in database.connections.values_mut() {
                connection.database.clone_from(&file);
            }
        });
    });
    make_tables(&app).await;
    let other = app.with_config(|_| ());
    (app, other)
}

/// What a browser sends.
fn cookies(visitor: &TestApp) -> String {
    let names = ["better-auth.session_token", "better-auth.session_data"];
    let pairs = names.iter().filter_map(|name| Some(format!("{name}={}", visitor.cookie(name)?)));
    pairs.collect::<Vec<_>>().join("; ")
}

// spec: ORG-3
#[tokio::test]
async fn a_removed_member_has_nothing_left_at_the_next_request_of_any_process() {
    for how in ["remove", "delete", "role"] {
        let folder = tempfile::tempdir().unwrap();
        let (app, other) = two_processes(folder.path()).await;
        let (_, ada) = somebody(&app, "ada@example.com").await;
        let acme = organization_of(&ada, "acme").await;
        let (bob, browser) = somebody(&app, "bob@example.com").await;
        let member = joined(&app, &acme, &bob, &browser, "admin").await;
        browser.get("/lead").await.assert_ok();
        let sent = cookies(&browser);
        assert!(sent.contains("session_data"), "the copy is what this is about: {sent}");
        let there = async |page: &str| other.visitor().get(page).header("cookie", &sent).await;
        there("/where").await.assert_see("ACME");
        there("/lead").await.assert_ok();
        let answer = match how {
            "remove" => {
                let body = json!({ "memberIdOrEmail": member, "organizationId": acme });
                engine_post(&ada, "organization/remove-member", &body).await
            }
            "delete" => engine_post(&ada, "organization/delete", &json!({ "organizationId": acme })).await,
            _ => {
                let body = json!({ "memberId": member, "role": "member", "organizationId": acme });
                engine_post(&ada, "organization/update-member-role", &body).await
            }
        };
        answer.assert_ok();
        match how {
            "role" => {
                browser.get("/lead").await.assert_status(403);
                there("/lead").await.assert_status(403);
            }
            _ => {
                there("/where").await.assert_see("nowhere");
                browser.get("/where").await.assert_see("nowhere");
                there("/lead").await.assert_redirect("/organizations");
                let session: Value = browser.get("/api/auth/get-session").await.json();
                assert_eq!(session["session"]["activeOrganizationId"], Value::Null, "{how}");
            }
        }
    }
}

// spec: ORG-3
#[tokio::test]
async fn the_organization_is_right_with_a_copy_in_the_cookie() {
    let app = test_app(cached, routes).await;
    let (_, ada) = somebody(&app, "ada@example.com").await;
    let acme = organization_of(&ada, "acme").await;
    ada.get("/where").await.assert_see("ACME");
    organization_of(&ada, "other").await;
    ada.get("/where").await.assert_see("OTHER");
    crate::organizations::go_to(&ada, &acme).await;
    ada.get("/where").await.assert_see("ACME");
    // The session is read from the copy, the membership never.
    let auth = app.services().require::<Auth>().unwrap();
    auth.database().unwrap().table("member").delete().await.unwrap();
    ada.get("/where").await.assert_see("nowhere");
}
