//! What a release has of the development account: nothing.

use housekey_auth::{Auth, social_providers};
use housekey_core::{AppConfig, Environment};
use housekey_testing::TestApp;

use crate::support::{app_with, config};

// spec: SOC-10
#[tokio::test]
async fn a_release_has_no_development_account_wherever_it_runs() {
    let app = TestApp::new(|| {
        app_with(config(), |route| {
            route.get("/buttons", async || social_providers().len().to_string());
        })
    });
    let app = app.with_config(|config| {
        config.update::<AppConfig>(|app| app.env = Environment::Development);
    });
    app.get("/buttons").await.assert_see("0");
    for path in ["/authorize", "/jwks", "/.well-known/openid-configuration"] {
        app.get(&format!("/dev/openid{path}")).await.assert_not_found();
    }
    let auth = app.services().require::<Auth>().unwrap();
    assert!(auth.engine().options().social_providers.is_empty());
}
