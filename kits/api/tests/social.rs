//! Signing in with others: an app on a phone brings an id token, a browser comes back with a code.

use std::sync::Arc;

use housekey::auth::AuthConfig;
use housekey::auth::engine::options::Shared;
use housekey::auth::engine::social::{FakeKey, FakePerson, FakeProviders, Provider, SocialProviders};
use housekey::database::{Factory, record};
use housekey::serde_json::{Value, json};
use housekey::testing::{TestApp, TestResponse};

use {{crate}}::factories::UserFactory;

const ADA: &str = "ada@example.com";
const PHONE: &str = "the id of the app on the phone";

/// The app with Google, and Ada at its other side.
fn with_google(app: &TestApp) -> (TestApp, FakeProviders) {
    let google = Provider::google("an id", "a secret").also_for(PHONE);
    let fakes = FakeProviders::new().person(&google, FakePerson::new("4711", "Ada", ADA));
    let client = fakes.clone();
    let app = app.with_config(move |config| {
        config.update::<AuthConfig>(|auth| {
            auth.engine.social_providers = SocialProviders::from([google.clone()]);
            auth.engine.social.http_client = Shared::new(Arc::new(client.clone()));
        });
    });
    (app, fakes)
}

/// What Google signs for the app on the phone, but for what a test wants to be otherwise.
fn id_token(app: &TestApp, other: &Value) -> String {
    let now = app.clock().now().unix_timestamp();
    let mut claims = json!({
        "iss": "https://accounts.google.com", "aud": PHONE, "sub": "4711", "email": ADA, "email_verified": true,
        "name": "Ada", "nonce": "once", "iat": now, "exp": now + 3600,
    });
    for (name, value) in other.as_object().into_iter().flatten() {
        claims[name] = value.clone();
    }
    FakeKey::rsa().sign(&claims)
}

async fn bring(app: &TestApp, token: &str) -> TestResponse {
    let body = json!({ "provider": "google", "idToken": { "token": token, "nonce": "once" } });
    app.post("/api/auth/sign-in/social").without_csrf().json(&body).await
}

async fn me(app: &TestApp, answer: &TestResponse) -> TestResponse {
    let token = answer.header("set-auth-token").expect("a token to keep");
    app.visitor().with_header("authorization", &format!("Bearer {token}")).get("/api/me").await
}

// spec: SOC-1
#[housekey::test]
async fn without_its_variables_a_provider_does_not_exist(app: TestApp) {
    bring(&app, "a token").await.assert_not_found();
}

// spec: SOC-2, SOC-4, KIT-2
#[housekey::test]
async fn an_id_token_from_a_phone_is_a_way_in(app: TestApp) {
    let (app, _) = with_google(&app);
    let answer = bring(&app, &id_token(&app, &json!({}))).await;
    answer.assert_ok().assert_json_path("redirect", false).assert_json_path("user.email", ADA);
    me(&app, &answer).await.assert_ok().assert_json_path("user.email", ADA);
}

// spec: SOC-4
#[housekey::test]
async fn an_id_token_that_is_not_for_us_or_not_from_them_is_none(app: TestApp) {
    let (app, _) = with_google(&app);
    for wrong in [
        json!({ "aud": "somebody else's app" }),
        json!({ "iss": "https://evil.example" }),
        json!({ "nonce": "another" }),
        json!({ "exp": 1 }),
    ] {
        let answer = bring(&app, &id_token(&app, &wrong)).await;
        answer
            .assert_status(401)
            .assert_json_path("code", "INVALID_TOKEN")
            .assert_no_header("set-auth-token");
    }
    let good = id_token(&app, &json!({}));
    let (signed, _) = good.rsplit_once('.').expect("three parts");
    for forged in [format!("{signed}."), format!("{signed}.AAAA"), "no token".to_owned()] {
        bring(&app, &forged).await.assert_status(401);
    }
}

// spec: SOC-5
#[housekey::test]
async fn an_address_that_was_never_confirmed_here_is_not_taken_over(app: TestApp) {
    let (app, _) = with_google(&app);
    let columns = record! { "email" => ADA, "emailVerified" => false };
    app.within(UserFactory::create_with(columns)).await.expect("a user");
    let answer = bring(&app, &id_token(&app, &json!({}))).await;
    answer.assert_status(401).assert_json_path("code", "OAUTH_LINK_ERROR").assert_no_header("set-auth-token");
}

// spec: SOC-2, SOC-3
#[housekey::test]
async fn a_phone_brings_a_code_with_the_cookie_it_began_with(app: TestApp) {
    let callback = "com.example.app:/callback";
    let (app, fakes) = with_google(&app);
    let app = app.with_config(move |config| {
        config.update::<AuthConfig>(|auth| {
            let mut google = Provider::google("an id", "a secret");
            google.settings.redirect_uri = Some(callback.into());
            auth.engine.social_providers = SocialProviders::from([google]);
        });
    });
    let begin = async |app: &TestApp| -> String {
        let body = json!({ "provider": "google", "disableRedirect": true });
        let start: Value = app.post("/api/auth/sign-in/social").without_csrf().json(&body).await.json();
        let back = fakes.approve(start["url"].as_str().expect("where to"));
        let query = back.strip_prefix(callback).expect("the app's own address");
        format!("/api/auth/callback/google{query}")
    };
    let path = begin(&app).await;
    let thief = app.visitor().get(&path).await;
    thief.assert_status(302).assert_no_header("set-auth-token");
    let answer = app.get(&path).await;
    answer.assert_status(302);
    me(&app, &answer).await.assert_ok().assert_json_path("user.email", ADA);
}

// spec: SOC-3
#[housekey::test]
async fn a_sign_in_ends_at_pages_of_the_client_only(app: TestApp) {
    let (app, _) = with_google(&app);
    for (page, status) in [("http://localhost:5173/signed-in", 200), ("https://evil.example/", 403)] {
        let body = json!({ "provider": "google", "callbackURL": page });
        app.post("/api/auth/sign-in/social").without_csrf().json(&body).await.assert_status(status);
    }
}
