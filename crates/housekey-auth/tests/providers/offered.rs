//! Which providers there are, and what is said about them at boot.

use housekey_auth::config::{Provider, SocialProviders};
use housekey_auth::{AuthConfig, Feature, offers, social_providers};
use housekey_core::{AppConfig, AppKey, Config, EncryptionConfig, Env, Environment};
use housekey_http::Routes;
use serde_json::json;

use crate::support::{app_with, config, engine_post, test_app};

fn routes(route: &mut Routes) {
    route.get("/buttons", async || {
        let names: Vec<String> = social_providers().into_iter().map(|one| one.name).collect();
        format!("{} {}", offers(Feature::Social), names.join(", "))
    });
    route.get("/connected", async || "connected").middleware("offers:social");
}

// spec: SOC-1
#[tokio::test]
async fn a_provider_without_its_variables_does_not_exist() {
    let app = test_app(
        |auth| {
            auth.engine.social_providers = SocialProviders::from([
                Provider::google("id", "secret"),
                Provider::github("", ""),
                Provider::discord("another", "secret"),
            ]);
        },
        routes,
    )
    .await;
    assert_eq!(app.get("/buttons").await.text(), "true Google, Discord");
    app.get("/connected").await.assert_ok();
    let begin = async |id: &str| engine_post(&app, "sign-in/social", &json!({ "provider": id })).await;
    begin("google").await.assert_ok();
    begin("github").await.assert_status(404).assert_json_path("code", "PROVIDER_NOT_FOUND");
}

// spec: SOC-1, CFG-6
#[tokio::test]
async fn where_nobody_is_configured_nothing_of_it_is_there() {
    let app = test_app(
        |auth| auth.engine.social_providers = SocialProviders::from([Provider::github("", "secret")]),
        routes,
    )
    .await;
    assert_eq!(app.get("/buttons").await.text(), "false ");
    app.get("/connected").await.assert_not_found();
    for path in ["sign-in/social", "link-social"] {
        engine_post(&app, path, &json!({ "provider": "github" })).await.assert_not_found();
    }
    app.get("/api/auth/callback/github?state=x&code=y").await.assert_not_found();
}

// spec: SOC-1, CFG-1
#[tokio::test]
async fn without_the_endpoints_nobody_could_come_back_so_nobody_is_offered() {
    let app = test_app(
        |auth| {
            auth.mount = false;
            auth.engine.social_providers.push(Provider::google("id", "secret"));
        },
        routes,
    )
    .await;
    assert_eq!(app.get("/buttons").await.text(), "false ");
    app.get("/connected").await.assert_not_found();
}

fn warnings(env: Environment, change: impl FnOnce(&mut AuthConfig)) -> String {
    let mut auth = config();
    change(&mut auth);
    let root = tempfile::tempdir().unwrap();
    let set = move |config: &mut Config| {
        config.update::<AppConfig>(|app| app.env = env.clone());
        config.update::<EncryptionConfig>(|encryption| encryption.key = AppKey::generate().to_text());
    };
    let app = app_with(auth, |_| ()).root(root.path()).env(Env::empty()).configure(set).boot().unwrap();
    app.warnings().join("\n")
}

// spec: SOC-1
#[test]
fn half_a_provider_is_warned_about_with_what_to_do() {
    let of = |provider: Provider| {
        warnings(Environment::Testing, |auth| auth.engine.social_providers.push(provider))
    };
    for half in [Provider::google("id", ""), Provider::google("", "secret")] {
        let warned = of(half);
        assert!(warned.contains("`google` lacks a client"), "{warned}");
        assert!(warned.contains("GOOGLE_CLIENT_ID") && warned.contains("GOOGLE_CLIENT_SECRET"), "{warned}");
    }
    for whole in [Provider::google("id", "secret"), Provider::google("", "")] {
        let warned = of(whole);
        assert!(!warned.contains("CLIENT_SECRET"), "{warned}");
    }
    // A public client has none.
    let public = of(Provider::oidc("own", "https://id.example", "id", ""));
    assert!(!public.contains("CLIENT_SECRET"), "{public}");
}

// spec: SOC-1
#[test]
fn what_cannot_work_in_production_is_said_at_boot() {
    let with_google = |auth: &mut AuthConfig, url: &str| {
        auth.engine.base_url = url.into();
        auth.engine.social_providers.push(Provider::google("id", "secret"));
    };
    let plain = warnings(Environment::Production, |auth| with_google(auth, "http://shop.example"));
    assert!(plain.contains("https") && plain.contains("APP_URL is http://shop.example"), "{plain}");
    let good = warnings(Environment::Production, |auth| with_google(auth, "https://shop.example"));
    assert!(!good.contains("APP_URL is"), "{good}");
    let unmounted = warnings(Environment::Testing, |auth| {
        with_google(auth, "https://shop.example");
        auth.mount = false;
    });
    assert!(unmounted.contains("AUTH_MOUNT"), "{unmounted}");
    let trusting = warnings(Environment::Testing, |auth| {
        with_google(auth, "https://shop.example");
        auth.engine.account.account_linking.trusted_providers = vec!["google".into(), "githbu".into()];
    });
    assert!(trusting.contains("`githbu`") && !trusting.contains("`google`"), "{trusting}");
    let loose = warnings(Environment::Testing, |auth| {
        with_google(auth, "https://shop.example");
        auth.engine.account.skip_state_cookie_check = true;
    });
    assert!(loose.contains("skip_state_cookie_check"), "{loose}");
}
