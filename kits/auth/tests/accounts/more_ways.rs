//! Links and codes in mails, names, and several accounts in one browser. They are off as the app comes; one line of
//! `config/auth.rs` turns each on.

use housekey::auth::config::{Plugin, email_otp, magic_link, multi_session, secure, username};
use housekey::auth::schema::Plan;
use housekey::auth::{Auth, AuthConfig};
use housekey::serde_json::{Value, json};
use housekey::testing::{TestApp, TestResponse};

use crate::support::{
    PASSWORD, code_for, code_of, mails, sign_in, signed_in_as, somebody, somebody_careful,
    somebody_unverified, stored_with, token_for,
};

/// The app with one more plugin.
fn with(app: &TestApp, plugin: fn() -> Plugin) -> TestApp {
    app.with_config(move |config| config.update::<AuthConfig>(|auth| auth.plugins.push(plugin())))
}

async fn ask(visitor: &TestApp, path: &str, email: &str) {
    visitor.post(path).json(&json!({ "email": email })).await.assert_ok();
}

async fn open(visitor: &TestApp, token: &str) -> TestResponse {
    visitor.post("/magic-link").json(&json!({ "token": token })).await
}

async fn enter(visitor: &TestApp, code: &str) -> TestResponse {
    visitor.post("/sign-in/code/enter").json(&json!({ "code": code })).await
}

// spec: CFG-6
#[housekey::test]
async fn none_of_them_is_there_unless_it_is_turned_on(app: TestApp) {
    let ada = somebody(&app).await;
    for path in ["/sign-in/link", "/sign-in/code", "/sign-in/code/enter", "/magic-link"] {
        app.post(path).json(&json!({ "email": ada.email })).await.assert_not_found();
    }
    let visitor = app.signed_in(&ada).await;
    for path in ["/accounts/add", "/accounts/x/switch"] {
        visitor.post(path).json(&json!({})).await.assert_not_found();
    }
    mails(&app).assert_nothing_sent();
}

// spec: KEY-1, KEY-3
#[housekey::test]
async fn a_link_signs_in_once_and_goes_on_where_they_wanted_to(app: TestApp) {
    let app = with(&app, || magic_link(secure()));
    let ada = somebody(&app).await;
    app.get("/settings/sessions").await;
    ask(&app, "/sign-in/link", &ada.email).await;
    let token = token_for(&mails(&app), &ada.email);
    let opened = open(&app, &token).await;
    opened.assert_ok().assert_json_path("redirect", "/settings/sessions");
    assert_eq!(signed_in_as(&app).await, Some(ada.email));
    open(&app.visitor(), &token).await.assert_status(422);
}

// spec: KEY-2
#[housekey::test]
async fn the_second_factor_is_asked_for_all_the_same(app: TestApp) {
    let app = with(&with(&app, || magic_link(secure())), || email_otp(secure()));
    let (ada, _) = somebody_careful(&app).await;
    ask(&app, "/sign-in/link", &ada.email).await;
    let opened = open(&app, &token_for(&mails(&app), &ada.email)).await;
    assert!(opened.json::<Value>()["redirect"].as_str().unwrap().ends_with("/two-factor-challenge"));
    assert_eq!(signed_in_as(&app).await, None);
    app.advance(std::time::Duration::from_secs(30));
    let code = code_of(&app, &ada).await;
    app.post("/two-factor-challenge").json(&json!({ "code": code })).await.assert_ok();
    assert_eq!(signed_in_as(&app).await, Some(ada.email.clone()));

    let other = app.visitor();
    ask(&other, "/sign-in/code", &ada.email).await;
    let entered = enter(&other, &code_for(&mails(&app), &ada.email)).await;
    assert!(entered.json::<Value>()["redirect"].as_str().unwrap().ends_with("/two-factor-challenge"));
    assert_eq!(signed_in_as(&other).await, None);
}

// spec: KEY-2
#[housekey::test]
async fn a_link_to_an_address_that_was_never_confirmed_ends_what_its_first_owner_left(app: TestApp) {
    let app = with(&app, || magic_link(secure()));
    let ada = somebody_unverified(&app).await;
    let squatter = app.signed_in(&ada).await;
    ask(&app, "/sign-in/link", &ada.email).await;
    open(&app, &token_for(&mails(&app), &ada.email)).await.assert_ok();
    assert_eq!(signed_in_as(&app).await, Some(ada.email.clone()));
    assert_eq!(signed_in_as(&squatter).await, None);
    sign_in(&app.visitor(), &ada.email, PASSWORD).await.assert_status(422);
    assert!(stored_with(&app, &ada.email).await.unwrap().email_verified);
}

// spec: SEC-5
#[housekey::test]
async fn a_known_and_an_unknown_address_get_the_same_answer(app: TestApp) {
    let app = with(&with(&app, || magic_link(secure())), || email_otp(secure()));
    let ada = somebody(&app).await;
    for path in ["/sign-in/link", "/sign-in/code"] {
        let mut answers = Vec::new();
        for email in [ada.email.as_str(), "nobody@example.com"] {
            let answer = app.visitor().post(path).json(&json!({ "email": email })).await;
            answers.push((answer.status(), answer.text()));
        }
        assert_eq!(answers[0], answers[1], "{path}");
    }
}

// spec: KEY-1
#[housekey::test]
async fn a_code_is_typed_where_it_was_asked_for_and_nowhere_else(app: TestApp) {
    let app = with(&app, || email_otp(secure()));
    let ada = somebody(&app).await;
    ask(&app, "/sign-in/code", &ada.email).await;
    let code = code_for(&mails(&app), &ada.email);
    // Somebody who saw the code, without the browser that asked for it.
    enter(&app.visitor(), &code).await.assert_status(401).assert_json_path("code", "EMAIL_CODE_EXPIRED");
    let spaced = format!("{} {}", &code[..3], &code[3..]);
    enter(&app, &spaced).await.assert_ok();
    assert_eq!(signed_in_as(&app).await, Some(ada.email));
}

// spec: KEY-1
#[housekey::test]
async fn after_too_many_wrong_codes_the_right_one_is_none(app: TestApp) {
    let app = with(&app, || email_otp(secure()));
    let ada = somebody(&app).await;
    ask(&app, "/sign-in/code", &ada.email).await;
    let code = code_for(&mails(&app), &ada.email);
    let wrong = format!("{:06}", (code.parse::<u32>().unwrap() + 1) % 1_000_000);
    for _ in 0..3 {
        enter(&app, &wrong).await.assert_status(422);
    }
    enter(&app, &code).await.assert_status(401).assert_json_path("code", "EMAIL_CODE_EXPIRED");
    assert_eq!(signed_in_as(&app).await, None);
}

/// Makes the columns that `config/auth.rs` asks for and the migrations do not have yet, as `auth:schema --diff` would.
async fn make_columns(app: &TestApp) {
    let auth = app.services().require::<Auth>().unwrap();
    app.within(async {
        let database = auth.database()?;
        let present = database.introspect().await?;
        let plan = Plan::missing(auth.engine().schema(), &present, database.driver()).unwrap();
        database.schema(|schema| plan.up(schema)).await
    })
    .await
    .unwrap();
}

// spec: KEY-1
#[housekey::test]
async fn a_name_is_taken_in_the_field_of_the_address(app: TestApp) {
    let app = with(&app, || username(secure()));
    app.get("/health").await.assert_ok();
    make_columns(&app).await;
    let new = json!({ "name": "Ada", "email": "ada@example.com", "username": "Ada.L", "password": PASSWORD });
    app.visitor().post("/sign-up").json(&new).await.assert_ok();
    let taken =
        json!({ "name": "Eve", "email": "eve@example.com", "username": "ada.l", "password": PASSWORD });
    let refused = app.visitor().post("/sign-up").json(&taken).await;
    refused.assert_status(422);
    assert!(refused.json::<Value>()["errors"]["username"].is_array(), "{}", refused.text());

    // The same words for a wrong password, a name that is nobody's, and one that nobody can have.
    let mut said = Vec::new();
    for (name, password) in [("ada.l", "not the password"), ("nobody", PASSWORD), ("no", PASSWORD)] {
        let refused = sign_in(&app.visitor(), name, password).await;
        said.push((refused.status(), refused.json::<Value>()["errors"]["email"].clone()));
    }
    assert!(said[0].0 == 422 && said[0] == said[1] && said[1] == said[2], "{said:?}");
    sign_in(&app, "ADA.L", PASSWORD).await.assert_ok();
    assert_eq!(signed_in_as(&app).await.as_deref(), Some("ada@example.com"));
}

// spec: KEY-1
#[housekey::test]
async fn a_name_is_changed_in_the_settings_and_signs_in_from_then_on(app: TestApp) {
    let ada = somebody(&app).await;
    let name = |name: &str| json!({ "username": name });
    let visitor = app.signed_in(&ada).await;
    visitor.post("/settings/profile/username").json(&name("ada.l")).await.assert_not_found();

    let app = with(&app, || username(secure()));
    app.get("/health").await.assert_ok();
    make_columns(&app).await;
    let (ada, eve) = (somebody(&app).await, somebody(&app).await);
    let visitor = app.signed_in(&ada).await;
    let change = async |who: &TestApp, to: &str| who.post("/settings/profile/username").json(&name(to)).await;
    for wrong in ["", "x", "no", "ada lovelace", "аdа", "admin"] {
        change(&visitor, wrong).await.assert_status(422).assert_invalid("username");
    }
    change(&visitor, "Ada.L").await.assert_status(429);
    app.advance(std::time::Duration::from_mins(1));
    change(&visitor, "Ada.L").await.assert_ok();
    change(&app.signed_in(&eve).await, "ada.l").await.assert_status(422).assert_invalid("username");
    change(&visitor, "countess").await.assert_ok();
    sign_in(&app.visitor(), "ada.l", PASSWORD).await.assert_status(422);
    let other = app.visitor();
    sign_in(&other, "Countess", PASSWORD).await.assert_ok();
    assert_eq!(signed_in_as(&other).await, Some(ada.email));
}

async fn accounts(visitor: &TestApp) -> Vec<Value> {
    visitor.get("/api/auth/multi-session/list-device-sessions").await.json()
}

fn id_of(accounts: &[Value], email: &str) -> String {
    let account = accounts.iter().find(|account| account["user"]["email"] == email);
    account.unwrap_or_else(|| panic!("{email}: {accounts:?}"))["session"]["id"].as_str().unwrap().to_owned()
}

// spec: KEY-1
#[housekey::test]
async fn somebody_adds_an_account_switches_and_signs_out_of_one_and_of_all(app: TestApp) {
    let app = with(&app, || multi_session(secure()));
    let (ada, bob) = (somebody(&app).await, somebody(&app).await);
    sign_in(&app, &ada.email, PASSWORD).await.assert_ok();
    // Whoever is signed in cannot sign in, unless they add an account.
    sign_in(&app, &bob.email, PASSWORD).await;
    assert_eq!(signed_in_as(&app).await, Some(ada.email.clone()));
    app.post("/accounts/add").json(&json!({})).await.assert_ok();
    sign_in(&app, &bob.email, PASSWORD).await.assert_ok();
    assert_eq!(signed_in_as(&app).await, Some(bob.email.clone()));

    let id = id_of(&accounts(&app).await, &ada.email);
    app.post(&format!("/accounts/{id}/switch")).json(&json!({})).await.assert_ok();
    assert_eq!(signed_in_as(&app).await, Some(ada.email.clone()));
    // Of the present one: the other one is next.
    app.delete(&format!("/accounts/{id}")).json(&json!({})).await.assert_ok();
    assert_eq!(signed_in_as(&app).await, Some(bob.email.clone()));

    app.post("/accounts/add").json(&json!({})).await.assert_ok();
    sign_in(&app, &ada.email, PASSWORD).await.assert_ok();
    app.post("/sign-out").json(&json!({})).await.assert_ok();
    assert_eq!(signed_in_as(&app).await, None);
    assert!(accounts(&app).await.is_empty());
}

// spec: KEY-1
#[housekey::test]
async fn nobody_switches_to_an_account_of_another_browser(app: TestApp) {
    let app = with(&app, || multi_session(secure()));
    let (ada, eve) = (somebody(&app).await, app.visitor());
    sign_in(&app, &ada.email, PASSWORD).await.assert_ok();
    let id = id_of(&accounts(&app).await, &ada.email);
    sign_in(&eve, &somebody(&app).await.email, PASSWORD).await.assert_ok();
    eve.post(&format!("/accounts/{id}/switch")).json(&json!({})).await.assert_not_found();
    eve.delete(&format!("/accounts/{id}")).json(&json!({})).await.assert_not_found();
    assert_eq!(signed_in_as(&app).await, Some(ada.email));
}
