//! The development account.

use housekey_auth::config::Provider;
use housekey_auth::{Auth, AuthConfig, social_providers};
use housekey_core::{AppConfig, AppKey, Config, EncryptionConfig, Env, Environment};
use housekey_http::Routes;
use housekey_testing::{TestApp, TestResponse};
use serde_json::{Value, json};

use crate::support::{app_with, config, engine_post, make_tables, nothing_asked};

const SITE: &str = "http://localhost:3000";
const FORM: &str = "application/x-www-form-urlencoded";

fn routes(route: &mut Routes) {
    route.get("/buttons", async || {
        social_providers().iter().map(|one| format!("{} {}\n", one.id, one.name)).collect::<String>()
    });
    route.get("/connected", async || "connected").middleware("offers:social");
}

/// An app on a developer's machine, before anybody has registered anything.
async fn developed() -> TestApp {
    let app = TestApp::new(|| app_with(AuthConfig { demands: nothing_asked(), ..config() }, routes));
    let app = app.with_config(|config| {
        config.update::<AppConfig>(|app| app.env = Environment::Development);
    });
    make_tables(&app).await;
    app
}

/// The path and the query of an address of this app.
fn path_of(address: &str) -> &str {
    address.strip_prefix(SITE).unwrap_or_else(|| panic!("{address} is not in this app"))
}

/// Begins to sign in; answers the query of the page that asks who to be.
async fn begin(app: &TestApp) -> String {
    let body =
        json!({ "provider": "development", "callbackURL": "/buttons", "errorCallbackURL": "/refused" });
    let begun: Value = engine_post(app, "sign-in/social", &body).await.assert_ok().json();
    let url = begun["url"].as_str().unwrap();
    let (place, query) = path_of(url).split_once('?').unwrap();
    assert_eq!(place, "/dev/openid/authorize");
    query.to_owned()
}

/// Sends the page's form: who to be, and which button.
async fn answer(app: &TestApp, query: &str, fields: &str) -> TestResponse {
    app.post("/dev/openid/authorize").body(FORM, format!("{query}&{fields}")).await
}

fn location(response: &TestResponse) -> String {
    response.header("location").unwrap_or_else(|| panic!("{}", response.text())).to_owned()
}

/// One parameter of a query. None of those that are looked at here needs decoding.
fn parameter<'a>(query: &'a str, name: &str) -> &'a str {
    let pairs = query.split('&').filter_map(|pair| pair.split_once('='));
    pairs.filter(|(key, _)| *key == name).map(|(_, value)| value).next().unwrap_or_default()
}

const ADA: &str = "email=ada%40example.com&name=Ada&email_verified=1&answer=allow";

// spec: SOC-10
#[tokio::test]
async fn without_any_key_a_developer_signs_in_through_the_whole_flow() {
    let app = developed().await;
    app.get("/buttons").await.assert_see("development Development account");
    app.get("/connected").await.assert_ok();
    let query = begin(&app).await;
    let page = app.get(&format!("/dev/openid/authorize?{query}")).await;
    page.assert_ok().assert_see("Who do you want to be?").assert_see("name=\"_token\"");
    page.assert_dont_see("<script").assert_header("cache-control", "no-store");
    let back = location(answer(&app, &query, ADA).await.assert_status(303));
    assert!(back.starts_with("http://localhost:3000/api/auth/callback/development?code="), "{back}");
    let done = app.get(path_of(&back)).await;
    assert_eq!(location(&done), "/buttons");
    let session: Value = app.get("/api/auth/get-session").await.json();
    assert_eq!(session["user"]["email"], "ada@example.com");
    assert_eq!((&session["user"]["name"], &session["user"]["emailVerified"]), (&json!("Ada"), &json!(true)));

    // The same address is the same person.
    let again = app.visitor();
    let query = begin(&again).await;
    let back = location(&answer(&again, &query, ADA).await);
    again.get(path_of(&back)).await;
    let second: Value = again.get("/api/auth/get-session").await.json();
    assert_eq!(second["user"]["id"], session["user"]["id"]);
}

// spec: SOC-10
#[tokio::test]
async fn whoever_refuses_comes_back_with_the_reason_and_is_nobody() {
    let app = developed().await;
    let query = begin(&app).await;
    let refused = answer(&app, &query, "email=&name=&answer=refuse").await;
    let done = app.get(path_of(&location(&refused))).await;
    let target = location(&done);
    assert!(target.contains("/refused?error=access_denied"), "{target}");
    assert_eq!(app.get("/api/auth/get-session").await.text(), "null");
    // What is no address is asked for again, and nobody has left.
    let query = begin(&app).await;
    let again = answer(&app, &query, "email=ada&name=Ada&answer=allow").await;
    again.assert_status(422).assert_see("This is no e-mail address.").assert_see("value=\"ada\"");
}

// spec: SOC-10
#[tokio::test]
async fn a_form_of_another_site_signs_nobody_in() {
    let app = developed().await;
    let query = begin(&app).await;
    let forged = app.post("/dev/openid/authorize").without_csrf().body(FORM, format!("{query}&{ADA}")).await;
    forged.assert_status(419);
}

/// Asks for tokens as the engine does.
async fn tokens(app: &TestApp, fields: &[(&str, &str)]) -> TestResponse {
    let auth = app.services().require::<Auth>().unwrap();
    let provider = auth.engine().options().social_providers.get("development").unwrap();
    let mut form = vec![
        ("grant_type", "authorization_code"),
        ("client_id", provider.client_id()),
        ("client_secret", provider.client_secret.reveal()),
        ("redirect_uri", "http://localhost:3000/api/auth/callback/development"),
    ];
    for (name, value) in fields {
        form.retain(|(known, _)| known != name);
        form.push((name, value));
    }
    app.visitor().post("/dev/openid/token").without_csrf().form(&form).await
}

/// A code whose verifier is known.
async fn code(app: &TestApp) -> String {
    let query = begin(app).await;
    // RFC 7636, appendix B.
    let other = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";
    let query = query.replace(parameter(&query, "code_challenge"), other);
    let back = location(&answer(app, &query, ADA).await);
    parameter(back.split_once('?').unwrap().1, "code").to_owned()
}

const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";

// spec: SOC-10
#[tokio::test]
async fn a_code_works_once_for_its_owner_and_for_a_minute() {
    let app = developed().await;
    let one = code(&app).await;
    let fields = [("code", one.as_str()), ("code_verifier", VERIFIER)];
    let given: Value = tokens(&app, &fields).await.assert_ok().json();
    assert_eq!(given["token_type"], "Bearer");
    tokens(&app, &fields).await.assert_status(400).assert_json_path("error", "invalid_grant");

    let bearer = format!("Bearer {}", given["access_token"].as_str().unwrap());
    let profile = app.get("/dev/openid/userinfo").header("authorization", &bearer).await;
    profile.assert_ok().assert_json_path("email", "ada@example.com");
    app.get("/dev/openid/userinfo").header("authorization", "Bearer x").await.assert_status(401);

    let refresh =
        [("grant_type", "refresh_token"), ("refresh_token", given["refresh_token"].as_str().unwrap())];
    tokens(&app, &refresh).await.assert_ok();
    tokens(&app, &refresh).await.assert_json_path("error", "invalid_grant");

    for (name, wrong, error) in [
        ("code_verifier", "another", "invalid_grant"),
        ("redirect_uri", "http://localhost:3000/elsewhere", "invalid_grant"),
        ("client_secret", "guessed", "invalid_client"),
        ("client_id", "another", "invalid_client"),
        ("grant_type", "password", "unsupported_grant_type"),
    ] {
        let one = code(&app).await;
        let fields = [("code", one.as_str()), ("code_verifier", VERIFIER), (name, wrong)];
        tokens(&app, &fields).await.assert_json_path("error", error);
    }
    let late = code(&app).await;
    app.advance(std::time::Duration::from_secs(60));
    let fields = [("code", late.as_str()), ("code_verifier", VERIFIER)];
    tokens(&app, &fields).await.assert_json_path("error", "invalid_grant");
}

// spec: SOC-10
#[tokio::test]
async fn nobody_is_sent_to_an_address_that_is_not_the_apps_own() {
    let app = developed().await;
    let query = begin(&app).await;
    let own = parameter(&query, "redirect_uri").to_owned();
    for (from, to) in [
        (own.as_str(), "https%3A%2F%2Fevil.example%2Fcallback"),
        (own.as_str(), "http%3A%2F%2Flocalhost%3A3000%2Felsewhere"),
        (parameter(&query, "client_id"), "another"),
    ] {
        let changed = query.replace(from, to);
        let page = app.get(&format!("/dev/openid/authorize?{changed}")).await;
        page.assert_status(400);
        assert_eq!(answer(&app, &changed, ADA).await.status(), 400, "{to}");
    }
    // Without PKCE the browser goes back with the reason.
    let bare = query.replace("code_challenge_method=S256", "code_challenge_method=plain");
    let back = location(&app.get(&format!("/dev/openid/authorize?{bare}")).await);
    assert!(back.contains("callback/development?error=invalid_request"), "{back}");
    // A sign-out leads back to the app as well.
    let end = async |target: &str| {
        location(&app.get(&format!("/dev/openid/end-session?post_logout_redirect_uri={target}")).await)
    };
    assert_eq!(end("http%3A%2F%2Flocalhost%3A3000%2Fbye").await, "http://localhost:3000/bye");
    assert_eq!(end("https%3A%2F%2Fevil.example").await, "/");
    assert_eq!(end("http%3A%2F%2Flocalhost%3A3000.evil.example").await, "/");
}

// spec: SOC-10, SEC-6
#[tokio::test]
async fn it_answers_who_sits_at_this_machine_alone() {
    let app = developed().await;
    let query = begin(&app).await;
    let paths = ["/.well-known/openid-configuration", "/jwks", "/userinfo", "/end-session"];
    let page = format!("/authorize?{query}");
    for path in paths.into_iter().chain([page.as_str()]) {
        let path = format!("/dev/openid{path}");
        assert_ne!(app.get(&path).await.status(), 404, "{path}");
        app.from("203.0.113.9").get(&path).await.assert_not_found();
        app.get(&path).header("x-forwarded-for", "203.0.113.9").await.assert_not_found();
        app.get(&path).header("host", "evil.example").await.assert_not_found();
    }
    for path in ["/dev/openid/authorize", "/dev/openid/token"] {
        let body = format!("{query}&{ADA}");
        app.from("203.0.113.9").post(path).body(FORM, body).await.assert_not_found();
    }
}

/// Which addresses of it an app has that was booted like this, and which providers.
fn booted(auth: AuthConfig, env: Environment, url: &'static str) -> (bool, Vec<String>) {
    let root = tempfile::tempdir().unwrap();
    let change = move |config: &mut Config| {
        config.update::<AppConfig>(|app| {
            app.env = env.clone();
            app.url = url.into();
        });
        config.update::<EncryptionConfig>(|encryption| encryption.key = AppKey::generate().to_text());
    };
    let app = app_with(auth, |_| ()).root(root.path()).env(Env::empty()).configure(change).boot().unwrap();
    let auth = app.services().require::<Auth>().unwrap();
    let providers = auth.engine().options().social_providers.iter().map(|one| one.id.clone()).collect();
    (app.url("dev.openid.authorize", &[]).is_ok(), providers)
}

// spec: SOC-10, SEC-6
#[test]
fn it_is_there_in_development_alone_and_only_while_nobody_else_is() {
    let here = "http://localhost:3000";
    let development = Environment::Development;
    assert_eq!(booted(config(), development.clone(), here), (true, vec!["development".to_owned()]));
    for env in [Environment::Production, Environment::Testing, "staging".into(), "Development".into()] {
        assert_eq!(booted(config(), env.clone(), here), (false, Vec::new()), "{env}");
    }
    assert_eq!(booted(config(), development.clone(), "https://shop.example"), (false, Vec::new()));
    let unmounted = AuthConfig { mount: false, ..config() };
    assert_eq!(booted(unmounted, development.clone(), here), (false, Vec::new()));
    let mut real = config();
    real.engine.social_providers.push(Provider::github("id", "secret"));
    assert_eq!(booted(real, development, here), (false, vec!["github".to_owned()]));
}
