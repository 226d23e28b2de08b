//! The two documents of the app, and who gets them.

use housekey::database::Factory;
use housekey::serde_json::{Value, json};
use housekey::testing::{TestApp, TestResponse};

use {{crate}}::factories::UserFactory;
use {{crate}}::models::User;

const PUBLIC: &str = "public, max-age=0, must-revalidate";
const PRIVATE: &str = "private, max-age=0, must-revalidate";
const MAIL_LINKS: [&str; 3] = ["/auth/reset-password", "/auth/verify-email", "/auth/change-email"];

async fn somebody(app: &TestApp) -> User {
    app.within(UserFactory::create()).await.unwrap()
}

/// A guest whom the server knows again: with a session and a token.
async fn known_guest(app: &TestApp) -> TestApp {
    let guest = app.visitor();
    guest.get("/api/session").await.assert_ok();
    guest
}

/// A document, with nothing in it or around it that belongs to one visitor.
fn assert_impersonal(page: &TestResponse, cache: &str) {
    page.assert_status(200).assert_see("<div data-spa-root></div>").assert_header("cache-control", cache);
    page.assert_no_header("etag").assert_no_header("last-modified").assert_no_header("set-cookie");
    page.assert_dont_see("csrf")
        .assert_dont_see("_token")
        .assert_dont_see("nonce")
        .assert_dont_see("page-data");
}

// spec: SHL-1, SHL-2, SHL-4, SHL-5, SHL-7, SVC-6
#[housekey::test]
async fn guests_get_one_document_that_any_cache_may_keep(app: TestApp) {
    let first = app.get("/auth/sign-in").await;
    for path in ["/auth/sign-in", "/auth/sign-up", "/auth/two-factor-challenge", "/auth/no/such/page"] {
        for guest in [&app, &app.visitor(), &known_guest(&app).await] {
            let page = guest.get(path).await;
            assert_impersonal(&page, PUBLIC);
            assert_eq!(page.bytes(), first.bytes(), "{path} differs");
        }
    }
}

// spec: SHL-1, SHL-2, SHL-4, SHL-5, SHL-7, SVC-6
#[housekey::test]
async fn members_get_one_document_that_says_nothing_about_them(app: TestApp) {
    let ada = app.signed_in(&somebody(&app).await).await;
    let bob = app.signed_in(&somebody(&app).await).await;
    let first = ada.get("/dashboard").await;
    for path in ["/dashboard", "/settings/profile", "/settings/passkeys", "/any/thing", "/auths"] {
        for member in [&ada, &bob] {
            let page = member.get(path).await;
            assert_impersonal(&page, PRIVATE);
            assert_eq!(page.bytes(), first.bytes(), "{path} differs");
        }
    }
}

// spec: SHL-4, SHL-5, SHL-6
#[housekey::test]
async fn links_in_mails_open_the_same_document_for_everybody_and_tell_no_other_site(app: TestApp) {
    let ada = app.signed_in(&somebody(&app).await).await;
    let bob = app.signed_in(&somebody(&app).await).await;
    let guests = app.get("/auth/sign-in").await;
    for path in MAIL_LINKS {
        for visitor in [&app.visitor(), &known_guest(&app).await, &ada, &bob] {
            let page = visitor.get(&format!("{path}?token=abcdef")).await;
            assert_impersonal(&page, PUBLIC);
            page.assert_header("referrer-policy", "same-origin").assert_dont_see("abcdef");
            assert_eq!(page.bytes(), guests.bytes(), "{path} differs");
        }
    }
}

// spec: SHL-9, MID-1
#[housekey::test]
async fn whoever_is_not_signed_in_gets_no_byte_of_the_app(app: TestApp) {
    for path in [
        "/dashboard",
        "/settings/passkeys",
        "/any/thing",
        "/auths",
        "/AUTH/sign-in",
        "/auth%2Fsign-in",
        "//auth/sign-in",
        "/dashboard?next=/auth/sign-in",
        "/index.html",
    ] {
        let answer = app.visitor().get(path).await;
        answer.assert_status(302).assert_redirect("/auth/sign-in");
        answer.assert_dont_see("data-spa-root").assert_dont_see("<script").assert_dont_see("/build/");
        app.visitor().get(path).accept_json().await.assert_status(401).assert_dont_see("data-spa-root");
    }
    // Neither does a session that is over.
    let ada = app.signed_in(&somebody(&app).await).await;
    ada.get("/dashboard").await.assert_ok();
    ada.post("/sign-out").json(&json!({})).await.assert_ok();
    ada.get("/dashboard").await.assert_status(302).assert_dont_see("data-spa-root");
}

// spec: MID-2
#[housekey::test]
async fn members_are_not_asked_to_sign_in_again(app: TestApp) {
    let member = app.signed_in(&somebody(&app).await).await;
    for path in ["/auth/sign-in", "/auth/sign-up", "/auth/anything"] {
        member.get(path).await.assert_status(302).assert_redirect("/dashboard");
    }
}

// spec: SHL-3
#[housekey::test]
async fn an_exact_address_is_never_the_document(app: TestApp) {
    let member = app.signed_in(&somebody(&app).await).await;
    for visitor in [&app, &member] {
        for path in ["/", "/health", "/api/session", "/.well-known/passkey-endpoints", "/robots.txt"] {
            visitor.get(path).await.assert_ok().assert_dont_see("data-spa-root");
        }
    }
}

// spec: SHL-8, ERR-2
#[housekey::test]
async fn a_missing_script_is_not_found_and_never_the_document(app: TestApp) {
    let member = app.signed_in(&somebody(&app).await).await;
    for visitor in [&app, &member] {
        for path in ["/build/assets/gone.js", "/build/", "/build/assets/"] {
            visitor.get(path).await.assert_status(404).assert_dont_see("data-spa-root");
        }
    }
}

// spec: SHL-5, RTE-11, RTE-4, ERR-4
#[housekey::test]
async fn a_first_visit_fetches_its_token_before_it_writes(app: TestApp) {
    let ada = somebody(&app).await;
    let visitor = app.visitor();
    let credentials = json!({ "email": ada.email, "password": UserFactory::PASSWORD });
    let write = |token: Option<String>| {
        let request = visitor.post("/sign-in").without_csrf();
        token
            .into_iter()
            .fold(request, |request, token| request.header("x-csrf-token", &token))
            .json(&credentials)
    };

    visitor.get("/auth/sign-in").await.assert_no_header("set-cookie");
    write(None).await.assert_status(419).assert_json_path("code", "csrf_mismatch");
    write(Some("made-up".into())).await.assert_status(419);

    let token = token_of(&visitor).await;
    write(Some(token.clone())).await.assert_ok().assert_json_path("redirect", "/dashboard");

    // Whoever learnt the token of the guest has none of the member.
    let fresh = token_of(&visitor).await;
    assert_ne!(fresh, token);
    let sign_out =
        |token: &str| visitor.post("/sign-out").without_csrf().header("x-csrf-token", token).json(&json!({}));
    sign_out(&token).await.assert_status(419);
    sign_out(&fresh).await.assert_ok();
}

async fn token_of(visitor: &TestApp) -> String {
    let session: Value = visitor.get("/api/session").await.json();
    session["csrf"].as_str().unwrap().to_owned()
}
