use std::collections::{BTreeMap, BTreeSet};

use housekey_auth::engine::options::{AdditionalField, LinkMail};
use housekey_auth::engine::plugins::two_factor::OtpOptions;
use housekey_auth::engine::plugins::{TwoFactorOptions, bearer, passkey, two_factor};
use housekey_auth::engine::{ApiError, Callback, Plugins, SignInEmail};
use housekey_auth::{Auth, AuthConfig, OrHttpError, api, user};
use housekey_core::Result;
use housekey_http::Routes;
use housekey_testing::TestApp;
use serde_json::{Value, json};

use crate::support::{PASSWORD, engine_post, sign_in, sign_up, test_app};

fn routes(route: &mut Routes) {
    route.get("/me", async || user().map_or_else(|| "nobody".to_owned(), |user| user.email.clone()));
    route.get("/members", async || "members").middleware("auth");
}

/// Everything that an option or a plugin turns on.
fn everything(auth: &mut AuthConfig) {
    let sends_nothing = || Callback::new(|_: LinkMail| async { Ok::<_, ApiError>(()) });
    let send_otp = Callback::new(|_| async { Ok::<_, ApiError>(()) });
    let second =
        TwoFactorOptions { otp: OtpOptions { send_otp, ..Default::default() }, ..Default::default() };
    auth.plugins =
        Plugins::from([bearer(Default::default()), two_factor(second), passkey(Default::default())]);
    let engine = &mut auth.engine;
    engine.user.delete_user.enabled = true;
    engine.user.delete_user.send_delete_account_verification = sends_nothing();
    engine.account.account_linking.enabled = Some(true);
    engine.session.defer_session_refresh = true;
    engine
        .session
        .additional_fields
        .insert("theme".into(), AdditionalField { input: Some(true), ..Default::default() });
    #[cfg(feature = "social")]
    engine.social_providers.push(housekey_auth::config::Provider::github("1", "2"));
}

/// Paths that the reference answers, with any plugin that we have: a reader of its documentation would try them.
const OF_THE_REFERENCE: [&str; 47] = [
    "/",
    "/ok",
    "/error",
    "/sign-up/email",
    "/sign-in/email",
    "/sign-out",
    "/get-session",
    "/request-password-reset",
    "/forget-password",
    "/reset-password",
    "/reset-password/{token}",
    "/verify-password",
    "/set-password",
    "/send-verification-email",
    "/verify-email",
    "/change-email",
    "/change-password",
    "/update-user",
    "/update-session",
    "/delete-user",
    "/delete-user/callback",
    "/list-sessions",
    "/revoke-session",
    "/revoke-sessions",
    "/revoke-other-sessions",
    "/list-accounts",
    "/unlink-account",
    "/sign-in/social",
    "/callback/{id}",
    "/link-social",
    "/get-access-token",
    "/refresh-token",
    "/account-info",
    "/two-factor/enable",
    "/two-factor/disable",
    "/two-factor/get-totp-uri",
    "/two-factor/verify-totp",
    "/two-factor/generate-totp",
    "/two-factor/send-otp",
    "/two-factor/verify-otp",
    "/two-factor/verify-backup-code",
    "/two-factor/generate-backup-codes",
    "/two-factor/view-backup-codes",
    "/passkey/list-user-passkeys",
    "/passkey/verify-authentication",
    "/passkey/generate-authenticate-options",
    "/organization/create",
];

// spec: CLI-6
#[tokio::test]
async fn what_can_be_reached_below_the_base_path_is_what_is_listed_and_nothing_else() {
    for config in [everything as fn(&mut AuthConfig), |_| ()] {
        let app = test_app(config, routes).await;
        let listed: BTreeMap<String, Vec<String>> = listed(&app);
        let auth = app.services().require::<Auth>().unwrap();
        let served = auth.engine().endpoints().iter().map(|endpoint| endpoint.path().to_owned());
        let mut paths: BTreeSet<String> =
            served.map(|path| path.replace("/:token", "/{token}").replace("/:id", "/{id}")).collect();
        paths.extend(OF_THE_REFERENCE.map(str::to_owned));
        paths.extend(listed.keys().cloned());
        let mut reached = BTreeMap::<String, Vec<String>>::new();
        for path in &paths {
            for method in ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"] {
                if is_reached(&app, method, path).await {
                    reached.entry(path.clone()).or_default().push(method.to_owned());
                }
            }
        }
        assert_eq!(reached, listed);
    }
}

/// The engine's routes as `route:list` has them, without the base path: the methods of each path.
fn listed(app: &TestApp) -> BTreeMap<String, Vec<String>> {
    let mut listed = BTreeMap::<String, Vec<String>>::new();
    for route in app.application().routes().list() {
        let Some(path) = route.path.strip_prefix("/api/auth") else { continue };
        // The fallback is there to say 404.
        if path != "/{fallback}" {
            listed.entry(path.to_owned()).or_default().extend(route.methods);
        }
    }
    let order = ["GET", "HEAD", "POST"];
    for methods in listed.values_mut() {
        methods.sort_by_key(|method| order.iter().position(|known| known == method));
    }
    listed
}

/// Whether an endpoint answers, be it with a refusal: those carry a code, a path that leads nowhere has none.
async fn is_reached(app: &TestApp, method: &str, path: &str) -> bool {
    let origin = app.config().get::<AuthConfig>().engine.base_url.clone();
    let address = format!("/api/auth{}", path.replace("{token}", "x").replace("{id}", "github"));
    let visitor = app.visitor();
    // HEAD has no body to tell by, so that its GET decides and the status must be the same.
    let asked = if method == "HEAD" { "GET" } else { method };
    let ask = async |method: &str| {
        let request = visitor.request(method.parse().unwrap(), &address).header("origin", &origin);
        if matches!(method, "GET" | "HEAD") { request.await } else { request.json(&json!({})).await }
    };
    let answer = ask(asked).await;
    let has_code =
        || serde_json::from_str::<Value>(&answer.text()).is_ok_and(|body| body["code"].is_string());
    let leads_nowhere = matches!(answer.status().as_u16(), 404 | 405) && !has_code();
    if method == "HEAD" && !leads_nowhere {
        let head = ask("HEAD").await;
        assert_eq!(head.text(), "", "HEAD {path} has a body");
        return head.status() == answer.status();
    }
    !leads_nowhere
}

// spec: CLI-6
#[tokio::test]
async fn head_is_answered_with_the_headers_of_get_and_no_body() {
    let app = test_app(everything, routes).await;
    sign_up(&app, "ada@example.com").await;
    let gets: Vec<String> = listed(&app)
        .into_iter()
        .filter(|(_, methods)| methods.iter().any(|method| method == "HEAD"))
        .map(|(path, _)| {
            format!("/api/auth{}", path.replace("{token}", "x?callbackURL=/").replace("{id}", "github"))
        })
        .collect();
    assert!(gets.contains(&"/api/auth/get-session".to_owned()), "{gets:?}");
    for address in gets {
        let (get, head) = (app.get(&address).await, app.head(&address).await);
        assert_eq!(head.status(), get.status(), "{address}");
        assert_eq!(head.text(), "", "{address}");
        for name in ["content-type", "cache-control", "pragma", "location"] {
            assert_eq!(head.header(name), get.header(name), "{name} of {address}");
        }
        let length = head.header("content-length").map(str::to_owned);
        assert_eq!(length, Some(get.text().len().to_string()), "{address}");
    }
}

// spec: CFG-1
#[tokio::test]
async fn an_app_that_does_not_mount_serves_no_endpoint_and_keeps_its_guards() {
    let app = test_app(|auth| auth.mount = false, routes).await;
    sign_in(&app, "ada@example.com", PASSWORD).await.assert_not_found();
    app.get("/api/auth/get-session").await.assert_not_found();
    app.get("/members").await.assert_redirect("/sign-in");
}

// spec: CFG-6, ERR-1
#[tokio::test]
async fn sign_up_is_404_until_the_options_enable_it() {
    let app = test_app(|auth| auth.engine.email_and_password.enabled = false, routes).await;
    let body = json!({ "name": "Ada", "email": "ada@example.com", "password": PASSWORD });
    engine_post(&app, "sign-up/email", &body).await.assert_not_found();
}

// spec: ENG-1, ENG-2, ERR-1
#[tokio::test]
async fn the_engine_answers_through_the_pipeline_without_our_csrf_token() {
    let app = test_app(|_| (), routes).await;
    sign_up(&app, "ada@example.com").await;
    let visitor = app.visitor();
    sign_in(&visitor, "ada@example.com", "wrong password").await.assert_status(401);
    sign_in(&visitor, "ada@example.com", PASSWORD).await.assert_ok().assert_no_header("x-powered-by");
    let session = visitor.get("/api/auth/get-session").await;
    session.assert_json_path("user.email", "ada@example.com").assert_header("cache-control", "no-store");
    visitor.get("/me").await.assert_see("ada@example.com");
}

// spec: EPC-3
#[tokio::test]
async fn a_bearer_token_counts_on_the_apps_own_routes_too() {
    let app = test_app(|_| (), routes).await;
    let token = sign_up(&app, "ada@example.com").await.header("set-auth-token").unwrap().to_owned();
    let program = app.visitor();
    let bearer = format!("Bearer {token}");
    program.get("/me").header("authorization", &bearer).await.assert_see("ada@example.com");
    program.get("/members").header("authorization", &bearer).await.assert_ok();
    for bad in ["Bearer nonsense", "Bearer ", "Basic abc", "Bearer a.b"] {
        program.get("/me").header("authorization", bad).await.assert_see("nobody");
    }
}

#[tokio::test]
async fn where_identity_is_a_bearer_token_a_cookie_is_nobody() {
    let app = test_app(|auth| auth.identity = housekey_auth::Identity::Bearer, routes).await;
    let token = sign_up(&app, "ada@example.com").await.header("set-auth-token").unwrap().to_owned();
    assert!(app.cookie("better-auth.session_token").is_some());
    app.get("/me").await.assert_see("nobody");
    let bearer = format!("Bearer {token}");
    app.visitor().get("/me").header("authorization", &bearer).await.assert_see("ada@example.com");
}

fn with_api(route: &mut Routes) {
    routes(route);
    let me = async || user().map_or_else(|| "nobody".to_owned(), |user| user.email.clone());
    route.group().prefix("/api").without_csrf().routes(|route| {
        route.get("/me", me);
        route.group().middleware("auth").routes(|route| {
            route.get("/orders", me);
            route.post("/orders", me);
        });
    });
    route.post("/hooks/orders", me).middleware("auth").without_csrf();
    route.post("/hooks/sign-in", sign_in_by_hand).without_csrf();
}

async fn sign_in_by_hand() -> Result<&'static str> {
    let input =
        SignInEmail { email: "ada@example.com".into(), password: PASSWORD.into(), ..SignInEmail::default() };
    api()?.sign_in_email(input).await.or_http_error()?;
    Ok("signed in")
}

// spec: MID-8
#[tokio::test]
async fn in_a_group_without_csrf_a_cookie_is_nobody_and_a_bearer_token_is_somebody() {
    let app = test_app(|_| (), with_api).await;
    let token = sign_up(&app, "ada@example.com").await.header("set-auth-token").unwrap().to_owned();
    app.get("/me").await.assert_see("ada@example.com");

    let forged = |path: &str| {
        app.post(path).form(&[("title", "Dune")]).header("origin", "https://evil.example").without_csrf()
    };
    forged("/api/orders").await.assert_status(401);
    forged("/hooks/orders").await.assert_redirect("/sign-in");
    app.get("/api/orders").await.assert_status(401);
    app.get("/api/me").await.assert_see("nobody");
    app.get("/me").await.assert_see("ada@example.com");

    let bearer = format!("Bearer {token}");
    for visitor in [app.visitor(), app.clone()] {
        let program = visitor.with_header("authorization", &bearer);
        program.post("/api/orders").without_csrf().await.assert_ok().assert_see("ada@example.com");
        program.get("/api/orders").await.assert_ok().assert_see("ada@example.com");
    }
}

// spec: MID-8
#[tokio::test]
async fn a_form_of_another_site_signs_nobody_in_where_there_is_no_csrf_protection() {
    let app = test_app(|_| (), with_api).await;
    sign_up(&app, "ada@example.com").await;
    let visitor = app.visitor();
    let answer = visitor.post("/hooks/sign-in").without_csrf().await;
    answer.assert_ok().assert_no_header("set-cookie");
    visitor.get("/me").await.assert_see("nobody");
}

// spec: SEC-10
#[tokio::test]
async fn behind_https_the_session_is_in_a_cookie_of_this_host_alone() {
    let app = test_app(
        |auth| {
            auth.engine.base_url = "https://shop.example".into();
            auth.engine.advanced.use_host_cookies = true;
        },
        routes,
    )
    .await;
    let answer = sign_up(&app, "ada@example.com").await;
    let set = answer.headers().get_all("set-cookie").iter().map(|set| set.to_str().unwrap());
    let set: Vec<_> = set.filter(|set| set.contains("better-auth")).collect();
    assert!(set.iter().any(|set| set.starts_with("__Host-better-auth.session_token=")), "{set:?}");
    assert!(set.iter().all(|set| !set.contains("Domain=") && set.contains("; Secure")), "{set:?}");
    app.get("/api/auth/get-session").await.assert_json_path("user.email", "ada@example.com");
    engine_post(&app, "sign-out", &json!({})).await.assert_ok();
    assert_eq!(app.get("/api/auth/get-session").await.text(), "null");
}
