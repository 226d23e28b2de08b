use housekey_auth::engine::Plugins;
use housekey_auth::engine::options::{EngineOptions, SecretVersion};
use housekey_auth::{Auth, AuthConfig};
use housekey_cache::CacheConfig;
use housekey_core::{AppConfig, AppKey, Config, EncryptionConfig, Environment};
use housekey_http::Application;

use crate::support::{app_with, config, options};

fn boot(
    auth: AuthConfig,
    change: impl Fn(&mut Config) + Send + 'static,
) -> housekey_core::Result<Application> {
    let folder = tempfile::tempdir().unwrap();
    let env = housekey_core::Env::empty();
    let development = |config: &mut Config| {
        config.update::<AppConfig>(|app| app.env = Environment::Development);
    };
    app_with(auth, |_| ()).root(folder.path()).env(env).configure(development).configure(change).boot()
}

fn with_secret(secret: &str) -> AuthConfig {
    AuthConfig { engine: EngineOptions { secret: secret.into(), ..options() }, ..config() }
}

fn production(config: &mut Config) {
    config.update::<AppConfig>(|app| app.env = Environment::Production);
    config.update::<EncryptionConfig>(|encryption| encryption.key = AppKey::generate().to_text());
}

// spec: CFG-4
#[test]
fn production_refuses_an_empty_or_short_secret_and_says_what_to_do() {
    for secret in ["", "too short"] {
        let error = boot(with_secret(secret), production).unwrap_err().to_string();
        assert!(error.contains("auth:secret"), "{error}");
        assert!(!error.contains("too short"), "the secret itself is not printed: {error}");
        assert!(boot(with_secret(secret), |_| ()).is_ok());
        // A place that nobody knows is no better.
        for env in ["Production", "live", "staging"] {
            let named = move |config: &mut Config| {
                production(config);
                config.update::<AppConfig>(|app| app.env = env.into());
            };
            assert!(boot(with_secret(secret), named).is_err(), "{env}");
        }
    }
    assert!(boot(with_secret(&"s".repeat(32)), production).is_ok());
}

// spec: CFG-4
#[test]
fn elsewhere_an_empty_or_short_secret_is_warned_about_with_the_way_out() {
    let warnings = |secret: &str, env: &'static str| {
        let booted = boot(with_secret(secret), move |config| {
            config.update::<AppConfig>(|app| app.env = env.into());
        });
        let mut warnings = booted.unwrap().warnings().to_vec();
        warnings.retain(|warning| warning.contains("AUTH_SECRET"));
        warnings
    };
    for env in ["development", "testing"] {
        let [missing] = &warnings("", env)[..] else { panic!("one warning in {env}") };
        assert!(missing.contains("is not set") && missing.contains("`housekey auth:secret`"), "{missing}");
        let [short] = &warnings("too short", env)[..] else { panic!("one warning in {env}") };
        assert!(short.contains("has 9 characters") && short.contains("auth:secret --force"), "{short}");
        assert!(!short.contains("too short"), "the secret itself is not printed: {short}");
        assert!(warnings(&"s".repeat(32), env).is_empty());
    }
}

// spec: ENG-5
#[test]
fn an_option_that_nothing_reads_is_warned_about_by_name() {
    use housekey_auth::engine::Plugin;
    let warnings = |plugin: Option<Plugin>| {
        let mut auth = config();
        auth.engine.other.insert("billing".into(), serde_json::json!({ "plan": "free" }));
        auth.engine.other.insert("organization".into(), serde_json::json!({ "teams": true }));
        plugin.into_iter().for_each(|plugin| auth.plugins.push(plugin));
        boot(auth, |_| ()).unwrap().warnings().join("\n")
    };
    let nobody = warnings(None);
    assert!(nobody.contains("config/auth.rs sets `other.billing`, which nothing reads yet"), "{nobody}");
    assert!(nobody.contains("config/auth.rs sets `other.organization`, which nothing reads yet"), "{nobody}");
    let teams = warnings(Some(Plugin::new("teams").reads("other.organization")));
    assert!(!teams.contains("other.organization") && teams.contains("other.billing"), "{teams}");
    let plain = boot(with_secret(&"s".repeat(32)), |_| ()).unwrap().warnings().join("\n");
    assert!(!plain.contains("nothing reads"), "{plain}");
}

#[tokio::test]
async fn a_column_of_the_apps_own_is_set_by_no_client_unless_the_app_says_so() {
    use housekey_auth::engine::options::AdditionalField;
    use serde_json::json;

    let fields = |auth: &mut AuthConfig| {
        let says = |input| AdditionalField { input, ..Default::default() };
        let columns = [("role", None), ("plan", Some(false)), ("nickname", Some(true))];
        auth.engine.user.additional_fields =
            columns.map(|(name, input)| (name.to_owned(), says(input))).into();
    };
    let mut auth = config();
    fields(&mut auth);
    let warned = boot(auth, |_| ()).unwrap().warnings().join("\n");
    assert!(warned.contains("`user.role`") && warned.contains("input: Some(false)"), "{warned}");
    assert!(!warned.contains("user.plan") && !warned.contains("user.nickname"), "{warned}");

    let app = crate::support::test_app(fields, |_| ()).await;
    let sign_up = |column: &str| {
        let mut body =
            json!({ "name": "Eve", "email": "eve@example.com", "password": crate::support::PASSWORD });
        body[column] = "admin".into();
        body
    };
    for column in ["role", "plan"] {
        let refused = crate::support::engine_post(&app, "sign-up/email", &sign_up(column)).await;
        refused.assert_status(400).assert_json_path("code", "FIELD_NOT_ALLOWED");
    }
    crate::support::engine_post(&app, "sign-up/email", &sign_up("nickname")).await.assert_ok();
    for column in ["role", "plan"] {
        let refused = crate::support::engine_post(&app, "update-user", &json!({ (column): "admin" })).await;
        refused.assert_status(400);
    }
    crate::support::engine_post(&app, "update-user", &json!({ "nickname": "E" })).await.assert_ok();
}

// spec: CLI-5
#[test]
fn a_secret_equal_to_the_app_key_does_not_boot() {
    let key = AppKey::generate().to_text();
    let good = "a secret of the tests, with more than 32 characters";
    let mut rotated = with_secret("");
    rotated.engine.secrets = vec![
        SecretVersion { version: 2, value: good.into() },
        SecretVersion { version: 1, value: key.reveal().into() },
    ];
    let bare = key.reveal().trim_start_matches("base64:");
    for auth in [with_secret(key.reveal()), with_secret(bare), rotated] {
        let key = key.clone();
        let error = boot(auth, move |config| {
            config.update::<EncryptionConfig>(|encryption| encryption.key = key.clone());
        });
        let error = error.unwrap_err().to_string();
        assert!(error.contains("APP_KEY") && error.contains("auth:secret"), "{error}");
    }
}

// spec: EPC-1
#[test]
fn a_cookie_cache_on_a_memory_store_is_warned_about() {
    let mut auth = config();
    auth.engine.session.cookie_cache.enabled = true;
    let warns = |store: &'static str| {
        let booted = boot(auth.clone(), move |config| {
            config.update::<CacheConfig>(|cache| cache.store = store.into());
        });
        booted.unwrap().warnings().iter().any(|warning| warning.contains("CACHE_STORE"))
    };
    assert!(warns("memory"));
    assert!(!warns("file"));
}

// spec: CFG-3, CFG-12
#[test]
fn what_the_layer_does_not_know_reaches_the_engine_unchanged() {
    let mut auth = config();
    auth.engine.other.insert("organization".into(), serde_json::json!({ "teams": true }));
    auth.engine.session.expires_in = 1234;
    let app = boot(auth.clone(), |_| ()).unwrap();
    let engine = app.services().require::<Auth>().unwrap().engine().clone();
    let handed = engine.options();
    assert_eq!(handed.other, auth.engine.other);
    assert_eq!(handed.session.expires_in, 1234);
    let ids = |plugins: &Plugins| plugins.iter().map(|plugin| plugin.id().to_owned()).collect::<Vec<_>>();
    // Behind the app's plugins stands one of ours, which asks for what `demands` says.
    assert_eq!(ids(engine.plugins()), [ids(&auth.plugins), vec!["demands".to_owned()]].concat());
}

#[tokio::test]
async fn the_error_page_of_a_developer_says_how_missing_tables_are_made() {
    use housekey_auth::OrHttpError;
    use housekey_auth::engine::SignInEmail;
    use housekey_testing::TestApp;

    let app = TestApp::new(|| {
        app_with(config(), |route| {
            route.get("/in", async || {
                let input = SignInEmail { email: "ada@example.com".into(), ..Default::default() };
                housekey_auth::api()?.sign_in_email(input).await.or_field_error("email").map(|_| "in")
            });
            route.get("/people", async || {
                let people = Auth::current()?.database()?.table("user").count().await?;
                Ok::<_, housekey_core::Error>(people.to_string())
            });
        })
    });
    let app = app.with_config(|config| config.update::<AppConfig>(|app| app.debug = true));
    for path in ["/in", "/people"] {
        let page = app.get(path).header("accept", "text/html").await;
        page.assert_status(500)
            .assert_see("no such table: user")
            .assert_see("housekey auth:schema --migrate");
    }
}
