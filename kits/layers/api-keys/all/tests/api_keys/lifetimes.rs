//! How long a key lives, and what it is called.

use std::time::Duration;

use housekey::auth::AuthConfig;
use housekey::auth::config::{ApiKeyConfig, ApiKeyOptions, KeyExpiration, api_key};
use housekey::prelude::*;
use housekey::serde_json::json;
use housekey::testing::TestApp;

use crate::support::{KEYS, ask_for, make, me, somebody, sure_of};

const DAY: u64 = 86_400;

/// The app with other rules for the life of keys.
fn with_rules(app: &TestApp, rules: KeyExpiration) -> TestApp {
    let config = ApiKeyConfig { key_expiration: rules, ..default() };
    let options = ApiKeyOptions { configurations: vec![config], ..default() };
    app.with_config(move |config| {
        config.update::<AuthConfig>(|auth| auth.plugins.replace(api_key(options.clone())));
    })
}

/// Whether the key with a name ends by itself.
async fn ends(app: &TestApp, name: &str) -> bool {
    let ending =
        async { db()?.table("apikey").where_eq("name", name).where_not_null("expiresAt").count().await };
    app.within(ending).await.unwrap() == 1
}

// spec: KEY-4
#[housekey::test]
async fn a_key_ends_when_its_time_is_over(app: TestApp) {
    let ada = somebody(&app).await;
    let visitor = sure_of(&app, &ada).await;
    let (key, _) = make(&visitor, "a quarter").await;
    let forever: housekey::serde_json::Value =
        ask_for(&visitor, "for ever", "never").await.assert_ok().json();
    app.advance(Duration::from_secs(89 * DAY));
    me(&app, &key).await.assert_ok();
    app.advance(Duration::from_secs(2 * DAY));
    me(&app, &key).await.assert_status(401).assert_json_path("code", "KEY_EXPIRED");
    me(&app, forever["api_key"].as_str().unwrap()).await.assert_ok();
}

#[housekey::test]
async fn what_is_wrong_is_said_at_its_field(app: TestApp) {
    let visitor = sure_of(&app, &somebody(&app).await).await;
    for name in ["", &"x".repeat(33)] {
        ask_for(&visitor, name, "90").await.assert_status(422).assert_invalid("name");
    }
    ask_for(&visitor, &"ä".repeat(32), "90").await.assert_ok();
    // Somebody else, who has not asked so often.
    let visitor = sure_of(&app, &somebody(&app).await).await;
    for lifetime in ["", "1", "-90", "90 days", "36500"] {
        ask_for(&visitor, "build server", lifetime).await.assert_status(422).assert_invalid("lifetime");
    }
    let silent = visitor.post(KEYS).json(&json!({ "name": "build server" })).await;
    silent.assert_status(422).assert_invalid("lifetime");
}

// spec: KEY-4
#[housekey::test]
async fn only_what_the_configuration_allows_can_be_chosen(app: TestApp) {
    let rules = KeyExpiration { default_expires_in: Some(7 * 86_400), max_expires_in: 100, ..default() };
    let app = with_rules(&app, rules);
    let visitor = sure_of(&app, &somebody(&app).await).await;
    for lifetime in ["never", "365"] {
        ask_for(&visitor, "too long", lifetime).await.assert_status(422).assert_invalid("lifetime");
    }
    ask_for(&visitor, "long enough", "90").await.assert_ok();
    assert!(ends(&app, "long enough").await);
}

#[housekey::test]
async fn where_nobody_may_say_the_configuration_does(app: TestApp) {
    let rules = KeyExpiration {
        default_expires_in: Some(7 * 86_400),
        disable_custom_expires_time: true,
        ..default()
    };
    let app = with_rules(&app, rules);
    let visitor = sure_of(&app, &somebody(&app).await).await;
    visitor.post(KEYS).json(&json!({ "name": "a week" })).await.assert_ok();
    ask_for(&visitor, "also a week", "never").await.assert_ok();
    assert!(ends(&app, "a week").await && ends(&app, "also a week").await);
}
