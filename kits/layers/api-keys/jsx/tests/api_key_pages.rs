//! The page of API keys, as a browser without script gets it.

use std::time::Duration;

use housekey::database::Factory;
use housekey::testing::{TestApp, TestResponse};

use {{crate}}::factories::UserFactory;
use {{crate}}::models::User;

const PASSWORD: &str = UserFactory::PASSWORD;
const PREFIX: &str = "{{crate}}_";
const KEYS: &str = "/settings/api-keys";

async fn somebody(app: &TestApp) -> User {
    app.within(UserFactory::create()).await.unwrap()
}

/// Somebody signed in whose password is confirmed.
async fn sure_of(app: &TestApp, user: &User) -> TestApp {
    let visitor = app.signed_in(user).await;
    visitor.post("/confirm-password").form(&[("password", PASSWORD)]).await.assert_status(303);
    visitor.get("/dashboard").await;
    visitor
}

async fn make(visitor: &TestApp, name: &str) -> TestResponse {
    let form = [("name", name), ("lifetime", "90")];
    visitor.post(KEYS).form(&form).await.assert_status(303).assert_redirect(KEYS);
    visitor.get(KEYS).await
}

/// The key on a page that shows one.
fn key_on(page: &TestResponse) -> Option<String> {
    let text = page.text();
    let (_, rest) = text.split_once("data-copy-source>")?;
    Some(rest.split('<').next().unwrap_or_default().to_owned())
}

// spec: KEY-4
#[housekey::test]
async fn a_key_is_shown_by_the_next_page_and_by_none_after_it(app: TestApp) {
    let visitor = sure_of(&app, &somebody(&app).await).await;
    visitor.get(KEYS).await.assert_ok().assert_see("No key yet.").assert_dont_see("Copy your key now");

    let page = make(&visitor, "build server").await;
    page.assert_ok().assert_see("Copy your key now").assert_header("cache-control", "no-store");
    let key = key_on(&page).unwrap();
    assert!(key.starts_with(PREFIX), "{key}");
    page.assert_see("/api/me -H").assert_see(&format!("x-api-key: {key}"));
    visitor.get("/api/me").header("x-api-key", &key).await.assert_ok();

    for path in [KEYS, "/settings/sessions", "/settings/account/data", "/dashboard", "/api/auth/api-key/list"]
    {
        visitor.get(path).await.assert_ok().assert_dont_see(&key[PREFIX.len() + 4..]);
    }
    let start = format!("{}…", &key[..PREFIX.len() + 4]);
    visitor.get(KEYS).await.assert_see("build server").assert_see(&start).assert_dont_see("No key yet.");
}

// spec: KEY-4
#[housekey::test]
async fn people_see_their_own_keys_and_nobody_elses(app: TestApp) {
    let ada = sure_of(&app, &somebody(&app).await).await;
    make(&ada, "adas build server").await;
    let eve = sure_of(&app, &somebody(&app).await).await;
    eve.get(KEYS).await.assert_ok().assert_see("No key yet.").assert_dont_see("adas build server");
}

// spec: KEY-4
#[housekey::test]
async fn the_list_says_of_each_key_how_it_is(app: TestApp) {
    let ada = somebody(&app).await;
    let visitor = sure_of(&app, &ada).await;
    let page = make(&visitor, "build server").await;
    page.assert_see("never used").assert_see("expires on").assert_see("Turn off build server");
    app.visitor().get("/api/me").header("x-api-key", &key_on(&page).unwrap()).await.assert_ok();
    let page = visitor.get(KEYS).await;
    page.assert_see("last used").assert_dont_see("never used");

    let text = page.text();
    let (_, rest) = text.split_once(r#"action="/settings/api-keys/"#).unwrap();
    let path = format!("{KEYS}/{}", rest.split('"').next().unwrap());
    let off = [("_method", "PATCH"), ("enabled", "false")];
    visitor.post(&path).form(&off).await.assert_status(303);
    visitor.get(KEYS).await.assert_see("The key is off.").assert_see("Turn on build server");

    visitor.post(KEYS).form(&[("name", "for ever"), ("lifetime", "never")]).await.assert_status(303);
    visitor.get(KEYS).await.assert_see("does not expire");
    app.advance(Duration::from_secs(91 * 86_400));
    let page = sure_of(&app, &ada).await.get(KEYS).await;
    page.assert_see("Expired").assert_see("expired on").assert_dont_see("Turn on build server");
}

// spec: KIT-3
#[housekey::test]
async fn html_in_a_name_is_text(app: TestApp) {
    let visitor = sure_of(&app, &somebody(&app).await).await;
    make(&visitor, r#""><img src=x onerror=1>"#).await.assert_dont_see("<img src=x").assert_see("img src=x");
}

// spec: MID-4
#[housekey::test]
async fn a_refused_form_comes_back_with_what_was_typed(app: TestApp) {
    let visitor = sure_of(&app, &somebody(&app).await).await;
    visitor.get(KEYS).await;
    visitor.post(KEYS).form(&[("name", ""), ("lifetime", "365")]).await.assert_status(303);
    let page = visitor.get(KEYS).await;
    page.assert_see(r#"id="name-error""#).assert_see(r#"<option value="365" selected>"#);
}
