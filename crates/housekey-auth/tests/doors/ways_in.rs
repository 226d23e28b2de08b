//! Every way to a session that is no address with a password. Whatever somebody shows: the second factor is asked for, guesses count by
//! account from wherever they come, and what happened is told. A new way in belongs here.

use housekey_auth::engine::plugins::two_factor::totp_code;
use housekey_auth::events::{EventFilter, Events, KeptEvent, find};
use housekey_auth::{Auth, AuthConfig};
use housekey_mail::{MailFake, Mailer};
use housekey_testing::{TestApp, TestResponse};
use serde_json::{Value, json};

use crate::doors::setup::{ADA, ask, confirm, everything, is_there, routes, somebody};
use crate::support::{PASSWORD, sign_in, test_app};

/// Ways on which somebody shows what only they can have.
#[derive(Clone, Copy, Debug)]
enum Way {
    MagicLink,
    EmailCode,
    Username,
}

impl Way {
    const ALL: [Self; 3] = [Self::MagicLink, Self::EmailCode, Self::Username];

    /// Signs ada in, as far as this way leads.
    async fn enter(self, visitor: &TestApp) -> TestResponse {
        match self {
            Self::MagicLink => open(visitor, &link(visitor).await).await,
            Self::EmailCode => enter_code(visitor, &code(visitor).await).await,
            Self::Username => by_name(visitor, PASSWORD).await,
        }
    }
}

/// Asks for a link and answers with its token.
async fn link(visitor: &TestApp) -> String {
    ask(visitor, "sign-in/magic-link", &json!({ "email": ADA })).await.assert_ok();
    let link = mails(visitor).link_to(ADA);
    let (_, rest) = link.split_once("token=").unwrap();
    rest.split('&').next().unwrap().to_owned()
}

async fn open(visitor: &TestApp, token: &str) -> TestResponse {
    ask(visitor, &format!("magic-link/verify?token={token}"), &Value::Null).await
}

/// Asks for a code and answers with it.
async fn code(visitor: &TestApp) -> String {
    let body = json!({ "email": ADA, "type": "sign-in" });
    ask(visitor, "email-otp/send-verification-otp", &body).await.assert_ok();
    let text = mails(visitor).last_to(ADA).text().to_owned();
    let is_code = |line: &&str| line.len() == 6 && line.bytes().all(|byte| byte.is_ascii_digit());
    text.lines().map(str::trim).find(is_code).unwrap().to_owned()
}

async fn enter_code(visitor: &TestApp, code: &str) -> TestResponse {
    ask(visitor, "sign-in/email-otp", &json!({ "email": ADA, "otp": code })).await
}

async fn by_name(visitor: &TestApp, password: &str) -> TestResponse {
    ask(visitor, "sign-in/username", &json!({ "username": "ada", "password": password })).await
}

/// The codes of a device that asks: its own, and the one that it shows.
async fn device_codes(device: &TestApp) -> (String, String) {
    let codes: Value = ask(device, "device/code", &json!({ "client_id": "tool" })).await.json();
    let text = |name: &str| codes[name].as_str().unwrap().to_owned();
    (text("device_code"), text("user_code"))
}

async fn look(visitor: &TestApp, user_code: &str) -> TestResponse {
    ask(visitor, &format!("device?user_code={user_code}"), &Value::Null).await
}

async fn approve(visitor: &TestApp, user_code: &str) -> TestResponse {
    ask(visitor, "device/approve", &json!({ "userCode": user_code })).await
}

async fn poll(device: &TestApp, device_code: &str) -> TestResponse {
    let grant = "urn:ietf:params:oauth:grant-type:device_code";
    let body = json!({ "grant_type": grant, "device_code": device_code, "client_id": "tool" });
    ask(device, "device/token", &body).await
}

async fn one_time_token(visitor: &TestApp) -> TestResponse {
    ask(visitor, "one-time-token/generate", &Value::Null).await
}

async fn bring(visitor: &TestApp, token: &str) -> TestResponse {
    ask(visitor, "one-time-token/verify", &json!({ "token": token })).await
}

async fn switch(visitor: &TestApp, session_token: &str) -> TestResponse {
    ask(visitor, "multi-session/set-active", &json!({ "sessionToken": session_token })).await
}

fn mails(app: &TestApp) -> MailFake {
    app.services().require::<Mailer>().unwrap().fake()
}

/// An app, and ada with a name and a proven address, who has just signed in.
async fn ada(change: fn(&mut AuthConfig)) -> TestApp {
    let change = move |auth: &mut AuthConfig| {
        everything(auth);
        change(auth);
    };
    let app = test_app(change, routes).await;
    somebody(&app, ADA, true).await;
    ask(&app, "update-user", &json!({ "username": "ada" })).await.assert_ok();
    app
}

async fn turn_on_second_factor(app: &TestApp) {
    ask(app, "two-factor/enable", &json!({ "password": PASSWORD })).await.assert_ok();
    let auth = app.services().require::<Auth>().unwrap();
    let api = auth.engine().api();
    let ada = api.user_by_email(ADA).await.unwrap().unwrap();
    let code = totp_code(&api, &ada).await.unwrap();
    ask(app, "two-factor/verify-totp", &json!({ "code": code })).await.assert_ok();
}

async fn session_token(app: &TestApp) -> String {
    let session: Value = app.get("/api/auth/get-session").await.json();
    session["session"]["token"].as_str().unwrap().to_owned()
}

// spec: KEY-2
#[tokio::test]
async fn whatever_somebody_shows_the_second_factor_is_asked_for() {
    let app = ada(|_| ()).await;
    for way in Way::ALL {
        let visitor = app.visitor();
        way.enter(&visitor).await.assert_ok();
        assert!(is_there(&visitor).await, "{way:?} leads in");
    }
    turn_on_second_factor(&app).await;
    for way in Way::ALL {
        let visitor = app.visitor();
        let answer = way.enter(&visitor).await;
        answer.assert_ok().assert_json_path("twoFactorRedirect", true);
        assert!(!is_there(&visitor).await, "{way:?} leads around the second factor");
    }
}

/// On these ways a session is handed on. Nobody has one to hand on who still owes the second factor.
// spec: KEY-2
#[tokio::test]
async fn who_owes_the_second_factor_hands_nothing_on() {
    let app = ada(|_| ()).await;
    turn_on_second_factor(&app).await;
    confirm(&app).await;
    let half = app.visitor();
    sign_in(&half, ADA, PASSWORD).await.assert_ok().assert_json_path("twoFactorRedirect", true);

    let device = app.visitor();
    let (device_code, user_code) = device_codes(&device).await;
    assert!(look(&half, &user_code).await.json::<Value>().get("client_id").is_none());
    approve(&half, &user_code).await.assert_status(401);
    one_time_token(&half).await.assert_status(401);
    switch(&half, &session_token(&app).await).await.assert_status(401);
    ask(&half, "token", &Value::Null).await.assert_status(401);
    assert!(!is_there(&half).await);

    // Whoever has passed it does.
    look(&app, &user_code).await.assert_ok().assert_json_path("client_id", "tool");
    approve(&app, &user_code).await.assert_ok();
    assert!(poll(&device, &device_code).await.assert_ok().json::<Value>()["access_token"].is_string());
    let token = one_time_token(&app).await.assert_ok().json::<Value>()["token"].as_str().unwrap().to_owned();
    let other = app.visitor();
    bring(&other, &token).await.assert_ok();
    assert!(is_there(&other).await);
    switch(&app, &session_token(&app).await).await.assert_ok();
}

/// A visitor without a name is nobody's account: to become somebody they pass what everybody passes.
// spec: KEY-2
#[tokio::test]
async fn an_anonymous_visitor_becomes_somebody_only_with_the_second_factor() {
    let app = ada(|_| ()).await;
    turn_on_second_factor(&app).await;
    for way in Way::ALL {
        let visitor = app.visitor();
        ask(&visitor, "sign-in/anonymous", &json!({})).await.assert_ok();
        way.enter(&visitor).await.assert_ok().assert_json_path("twoFactorRedirect", true);
        let session: Value = visitor.get("/api/auth/get-session").await.json();
        assert_ne!(session["user"]["email"], ADA, "{way:?}");
    }
}

fn limited(auth: &mut AuthConfig) {
    auth.engine.rate_limit.enabled = Some(true);
}

/// A visitor at an address of their own.
fn from(app: &TestApp, number: u8) -> TestApp {
    app.visitor().from(&format!("203.0.113.{number}"))
}

// spec: KEY-2, SEC-4
#[tokio::test]
async fn guesses_count_by_account_from_wherever_they_come() {
    let app = ada(limited).await;
    let right = code(&from(&app, 200)).await;
    let mut judged = 0;
    for number in 0..15 {
        let answer = enter_code(&from(&app, number), "no code").await;
        judged += usize::from(answer.status() == 400 || answer.status() == 403);
    }
    assert_eq!(judged, 10, "wrong codes");
    enter_code(&from(&app, 201), &right).await.assert_status(429);

    judged = 0;
    for number in 0..15 {
        judged += usize::from(by_name(&from(&app, number), "not the password").await.status() == 401);
    }
    assert_eq!(judged, 10, "wrong passwords");
    by_name(&from(&app, 202), PASSWORD).await.assert_status(429);
    sign_in(&from(&app, 203), ADA, PASSWORD).await.assert_status(429);

    // A link cannot be guessed; what it costs an account is mail.
    let before = mails(&app).sent_to(ADA).len();
    for number in 100..112 {
        ask(&from(&app, number), "sign-in/magic-link", &json!({ "email": ADA })).await.assert_ok();
    }
    let links = mails(&app).sent_to(ADA).len() - before;
    assert_eq!(links, 5, "links");

    // The code that a device shows is guessed by somebody who is signed in.
    judged = 0;
    for number in 0..30 {
        let guess = look(&app.from(&format!("198.51.100.{number}")), "AAAAAAAA").await;
        judged += usize::from(guess.status() == 400);
    }
    assert_eq!(judged, 20, "wrong codes of devices");
}

/// Where nobody's account is named, an address has a limit.
// spec: KEY-2, SEC-4
#[tokio::test]
async fn what_names_no_account_is_limited_by_address() {
    let app = ada(limited).await;
    let eve = || from(&app, 9);
    let mut made = 0;
    for _ in 0..10 {
        made += usize::from(ask(&eve(), "sign-in/anonymous", &json!({})).await.status() == 200);
    }
    assert_eq!(made, 3, "anonymous accounts in ten seconds");
    let mut judged = 0;
    for _ in 0..150 {
        judged += usize::from(bring(&eve(), "made up").await.status() == 400);
    }
    assert!(judged <= 100, "{judged} one-time tokens in ten seconds");
    bring(&from(&app, 10), "made up").await.assert_status(400);
}

/// What was told until now: what happened, how and why.
#[derive(Default)]
struct Told(Vec<String>);

impl Told {
    /// What came since it was last asked, sorted: what happens in one moment has no order.
    async fn since(&mut self, app: &TestApp) -> Vec<String> {
        let auth = app.services().require::<Auth>().unwrap();
        let all = find(&auth, &EventFilter::default(), 1000).await.unwrap();
        let line = |event: &KeptEvent| {
            let detail = event.detail.clone().unwrap_or_default();
            let words = [Some(event.kind.as_str()), detail["method"].as_str(), detail["reason"].as_str()];
            words.into_iter().flatten().collect::<Vec<_>>().join(" ")
        };
        let all: Vec<String> = all.iter().map(line).collect();
        let mut new = all.clone();
        for old in std::mem::replace(&mut self.0, all) {
            let at = new.iter().position(|line| *line == old).unwrap();
            new.swap_remove(at);
        }
        new.sort_unstable();
        new
    }
}

fn kept(auth: &mut AuthConfig) {
    auth.events = Events::kept(90);
}

// spec: KEY-2, SEC-9
#[tokio::test]
async fn whoever_gets_in_and_whoever_does_not_is_told() {
    let app = ada(kept).await;
    let mut told = Told::default();
    told.since(&app).await;

    let token = link(&app.visitor()).await;
    open(&app.visitor(), &token).await.assert_ok();
    assert_eq!(told.since(&app).await, ["sign-in magic-link"]);
    open(&app.visitor(), &token).await;
    assert_eq!(told.since(&app).await, ["sign-in-refused magic-link invalid-link"]);

    let right = code(&app.visitor()).await;
    enter_code(&app.visitor(), "no code").await.assert_status(400);
    assert_eq!(told.since(&app).await, ["sign-in-refused email-otp wrong-code"]);
    enter_code(&app.visitor(), &right).await.assert_ok();
    assert_eq!(told.since(&app).await, ["sign-in email-otp"]);

    by_name(&app.visitor(), "not the password").await.assert_status(401);
    assert_eq!(told.since(&app).await, ["sign-in-refused wrong-password"]);
    by_name(&app.visitor(), PASSWORD).await.assert_ok();
    assert_eq!(told.since(&app).await, ["sign-in password"]);

    ask(&app.visitor(), "sign-in/anonymous", &json!({})).await.assert_ok();
    assert_eq!(told.since(&app).await, ["sign-up anonymous"]);

    confirm(&app).await;
    let device = app.visitor();
    let (device_code, user_code) = device_codes(&device).await;
    look(&app, &user_code).await.assert_ok();
    approve(&app, &user_code).await.assert_ok();
    poll(&device, &device_code).await.assert_ok();
    assert_eq!(told.since(&app).await, ["device-approved", "sign-in device-authorization"]);

    let token = one_time_token(&app).await.json::<Value>()["token"].as_str().unwrap().to_owned();
    bring(&app.visitor(), &token).await.assert_ok();
    assert_eq!(told.since(&app).await, ["sign-in one-time-token"]);
    bring(&app.visitor(), &token).await.assert_status(400);
    assert_eq!(told.since(&app).await, ["sign-in-refused one-time-token invalid-token"]);

    turn_on_second_factor(&app).await;
    told.since(&app).await;
    for way in Way::ALL {
        way.enter(&app.visitor()).await.assert_ok();
        let said = told.since(&app).await;
        assert!(said.len() == 1 && said[0].starts_with("second-factor-asked"), "{way:?}: {said:?}");
    }
}

/// A switch begins no session: it leads to one whose sign-in was told, in the browser where that happened, and to no other.
// spec: KEY-2
#[tokio::test]
async fn a_switch_leads_to_nothing_but_a_sign_in_of_the_same_browser() {
    let app = ada(kept).await;
    let ada = session_token(&app).await;
    let mut told = Told::default();
    told.since(&app).await;
    somebody(&app, "bob@example.com", true).await;
    assert_eq!(told.since(&app).await, ["sign-in password"]);
    switch(&app, &ada).await.assert_ok().assert_json_path("user.email", ADA);
    assert!(told.since(&app).await.is_empty());

    let eve = app.visitor();
    somebody(&eve, "eve@example.com", true).await;
    switch(&eve, &ada).await.assert_status(401);
    for made_up in ["", "x", "made up"] {
        switch(&eve, made_up).await.assert_status(401);
    }
    let session: Value = eve.get("/api/auth/get-session").await.json();
    assert_eq!(session["user"]["email"], "eve@example.com");
}
