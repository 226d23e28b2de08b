//! Pages of the settings, and what people wrote on them.

use housekey::prelude::*;
use housekey::serde_json::json;
use housekey::testing::TestApp;

use {{crate}}::factories::UserFactory;

use crate::support::{OF_MEMBERS, PASSWORD, somebody, value_of};

// spec: RTE-9
#[housekey::test]
async fn light_dark_and_system_are_offered_and_chosen_in_the_browser(app: TestApp) {
    let ada = somebody(&app).await;
    let page = app.signed_in(&ada).await.get("/settings/appearance").await;
    page.assert_status(200);
    for choice in ["light", "dark", "system"] {
        page.assert_see(&format!(r#"name="theme" value="{choice}""#));
    }
    page.assert_dont_see(r#"action="/settings/appearance""#);
}

// spec: KIT-3
#[housekey::test]
async fn html_in_a_name_is_text_on_every_page(app: TestApp) {
    let name = r#""><img src=x onerror=alert(1)>"#;
    let eve = app.within(UserFactory::named(name)).await.unwrap();
    let visitor = app.signed_in(&eve).await;
    for path in OF_MEMBERS.iter().chain(&["/"]) {
        visitor.get(path).await.assert_status(200).assert_dont_see("<img src=x");
    }
    visitor.get("/settings/profile").await.assert_see("&lt;img src=x");
    visitor
        .get("/dashboard")
        .header("user-agent", "<script>alert(1)</script>")
        .await
        .assert_dont_see("<script>alert");
}

// spec: RTE-8
#[housekey::test]
async fn the_list_of_passkeys_tells_who_keeps_each_and_when_it_was_used(app: TestApp) {
    let ada = somebody(&app).await;
    let visitor = app.signed_in(&ada).await;
    let now = app.clock().now();
    let row = |id: &str, name: &str, aaguid: Option<&str>, used: Option<time::OffsetDateTime>| {
        record! {
            "id" => id, "name" => name, "publicKey" => "pQECAyYgASFYIA", "userId" => ada.id.as_str(),
            "credentialID" => format!("credential-{id}"), "counter" => 0, "deviceType" => "multiDevice",
            "backedUp" => aaguid.is_some(), "createdAt" => now - time::Duration::days(3), "aaguid" => aaguid,
            "lastUsedAt" => used,
        }
    };
    let google = Some("ea9b8d66-4d01-1d21-3ce4-b6b48cb575d4");
    let unknown = Some("00000000-0000-0000-0000-000000000000");
    app.within(async {
        let passkeys = || db().map(|db| db.table("passkey"));
        passkeys()?.insert(row("one", "Phone", google, Some(now - time::Duration::hours(2)))).await?;
        passkeys()?.insert(row("two", "<b>Key</b>", unknown, None)).await?;
        passkeys()?.insert(row("three", "Old", None, None)).await
    })
    .await
    .unwrap();
    let page = visitor.get("/settings/passkeys").await;
    page.assert_status(200).assert_see("Google Password Manager").assert_see("2 hours ago");
    page.assert_see("&lt;b&gt;Key&lt;/b&gt;").assert_dont_see("<b>Key").assert_dont_see("00000000-0000");
    let html = page.text();
    assert_eq!(html.matches("Last used").count(), 1);
    assert_eq!(html.matches("3 days ago").count(), 3);
    assert_eq!((html.matches(">Synced<").count(), html.matches(">This device only<").count()), (2, 1));
}

// spec: SEC-9
#[housekey::test]
async fn below_the_sessions_stands_what_happened_to_ones_own_account(app: TestApp) {
    let (ada, eve) = (somebody(&app).await, somebody(&app).await);
    let visitor = app.signed_in(&ada).await;
    app.within(async { db()?.table("securityEvent").delete().await }).await.unwrap();
    visitor.get("/settings/sessions").await.assert_status(200).assert_see("Nothing has happened yet.");

    let guess = |email: &str| json!({ "email": email, "password": "a guess of somebody's" });
    let firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
    let stranger = app.from("203.0.113.9");
    stranger.post("/sign-in").header("user-agent", firefox).json(&guess(&ada.email)).await.assert_status(422);
    stranger
        .post("/sign-in")
        .header("user-agent", "<b>me</b>")
        .json(&guess(&eve.email))
        .await
        .assert_status(422);
    let page = visitor.get("/settings/sessions").await;
    page.assert_see("Sign-in with a wrong password").assert_see("Firefox on Linux").assert_see("203.0.113.9");
    page.assert_dont_see("Nothing has happened yet.").assert_dont_see("<b>me");
    assert_eq!(page.text().matches("Sign-in with a wrong password").count(), 1, "eve's is hers");
}

// spec: SEC-1, STA-8
#[housekey::test]
async fn adding_a_passkey_asks_for_the_password_and_leads_back(app: TestApp) {
    let ada = somebody(&app).await;
    let visitor = app.signed_in(&ada).await;
    let asked = visitor.get("/settings/passkeys/add").await;
    asked.assert_status(423).assert_see(r#"action="/confirm-password""#);
    let replay = value_of(&asked, "replay");
    let form = [("password", PASSWORD), ("replay", replay.as_str())];
    let done = visitor.post("/confirm-password").form(&form).await;
    done.assert_status(303).assert_redirect("/settings/passkeys/add");
    visitor.get("/settings/passkeys/add").await.assert_redirect("/settings/passkeys");
    visitor.get("/settings/passkeys").await.assert_see("You can add your passkey now.");
}

// spec: KIT-7
#[housekey::test]
async fn password_managers_learn_where_passkeys_are_looked_after(app: TestApp) {
    let answer = app.get("/.well-known/passkey-endpoints").await;
    let page = format!("{}/settings/passkeys", app.config().get::<AppConfig>().url);
    answer.assert_status(200).assert_json(&json!({ "enroll": page, "manage": page }));
}
