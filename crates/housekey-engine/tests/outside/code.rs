//! A code by mail: six digits, three tries.

use std::sync::Arc;

use housekey_engine::options::RateRule;
use housekey_engine::storage::Filter;
use housekey_engine::testing::Browser;
use housekey_engine::{
    Api, Callback, Endpoint, Engine, ErrorCode, Plugin, Reply, Result, SecurityEventKind, SignIn,
    constant_time_eq, random, with_minimum_duration,
};
use serde_json::json;

use crate::outside::support::{ADA, Kept, engine, kinds};

const INVALID_CODE: ErrorCode = ErrorCode::new("INVALID_CODE", "Invalid code");
const LIFE: u32 = 300;
const TRIES: u32 = 3;
/// Over all the codes that one address is sent.
const PER_ADDRESS: [RateRule; 1] = [RateRule { window: 3600, max: 20 }];

struct Options {
    send: Callback<(String, String)>,
}

fn code(send: Callback<(String, String)>) -> Plugin {
    Plugin::new("code")
        .state(Arc::new(Options { send }))
        .endpoint(Endpoint::post("/code/ask", |api| Box::pin(ask(api))))
        .endpoint(Endpoint::post("/sign-in/code", |api| Box::pin(sign_in(api))))
}

fn row(email: &str) -> String {
    format!("code:{email}")
}

/// So short a secret is worth nothing without the engine's own: the database alone does not tell it.
fn stored(api: &Api, email: &str, code: &str) -> String {
    api.mac(&format!("code!{email}!{code}")).iter().map(|byte| format!("{byte:02x}")).collect()
}

async fn ask(api: &mut Api) -> Result<Reply> {
    let mut body = api.request().read_body();
    let email = body.email("email").to_lowercase();
    body.finish()?;
    let clock = api.clock().clone();
    let work = async {
        if api.may_mail("code", &email, LIFE).await {
            let code = random::digits(6);
            let value = format!("0:{}", stored(api, &email, &code));
            api.verifications().replace(&row(&email), &value, LIFE).await?;
            // Nobody is mailed at an address that has no account, and the answer does not tell.
            if let (Some(options), Some(user)) =
                (api.plugin_state::<Options>(), api.user_by_email(&email).await?)
            {
                api.send("code", &options.send, (user.email, code)).await;
            }
        }
        Reply::json(&json!({ "status": true }))
    };
    with_minimum_duration(&clock, work).await
}

async fn sign_in(api: &mut Api) -> Result<Reply> {
    let mut body = api.request().read_body();
    let (email, code) = (body.email("email").to_lowercase(), body.text("code"));
    body.finish()?;
    api.check_sign_in_origin().await?;
    api.throttle("code", &email, &PER_ADDRESS).await?;
    let Some((id, right)) = take_try(api, &email).await? else { return refuse(api, &email).await };
    if !constant_time_eq(stored(api, &email, &code).as_bytes(), right.as_bytes()) {
        return refuse(api, &email).await;
    }
    let Some(user) = api.user_by_email(&email).await? else { return refuse(api, &email).await };
    let mut changes = api.changes();
    changes.delete_expecting("verification", Filter::by("id", id)).await?;
    let first_proof = !user.email_verified;
    let user = if first_proof { api.prove_email_in(&mut changes, &user).await? } else { user };
    api.set_sign_in_method("code");
    let Some(signed_in) = api.sign_in_user_with(changes, user.clone(), None).await? else {
        return refuse(api, &email).await;
    };
    api.forget_throttle("code", &email, &PER_ADDRESS).await;
    if first_proof {
        api.emit_first_proof(&user).await;
    }
    match signed_in {
        SignIn::Challenged(challenge) => Reply::json(&challenge.body),
        SignIn::Done(signed_in) => Reply::json(&json!({ "user": api.user_view(&signed_in.user)? })),
    }
}

/// Takes one of the tries that a code has, before it is compared: the row's id and what it must be.
async fn take_try(api: &Api, email: &str) -> Result<Option<(String, String)>> {
    loop {
        let Some(found) = api.verifications().find(&row(email)).await? else { return Ok(None) };
        let Some((tries, right)) = found.value.split_once(':') else { return Ok(None) };
        let tries: u32 = tries.parse().unwrap_or(TRIES);
        if tries >= TRIES {
            return Ok(None);
        }
        // Whoever is slower reads again.
        if api.verifications().swap(&found, &format!("{}:{right}", tries + 1)).await? {
            return Ok(Some((found.id.clone(), right.to_owned())));
        }
    }
}

async fn refuse(api: &Api, email: &str) -> Result<Reply> {
    let refused = match api.user_by_email(email).await? {
        Some(user) => api.event(SecurityEventKind::SignInRefused, Some(&user.id)),
        None => api.unknown_user_event(SecurityEventKind::SignInRefused, email),
    };
    api.emit(refused.with("reason", "wrong-code")).await;
    Err(INVALID_CODE.unauthorized())
}

async fn sent(engine: &Engine, mails: &Kept<(String, String)>) -> String {
    Browser::new(engine).sign_up(ADA).await;
    let asked = Browser::new(engine).post("/code/ask", json!({ "email": ADA })).await;
    assert_eq!(asked.json(), json!({ "status": true }));
    mails.all().pop().unwrap().1
}

async fn try_code(engine: &Engine, code: &str) -> (Browser, u16) {
    let mut browser = Browser::new(engine);
    let status = browser.post("/sign-in/code", json!({ "email": ADA, "code": code })).await.status();
    (browser, status.as_u16())
}

#[tokio::test]
async fn a_code_signs_in_once() {
    let mails = Kept::new();
    let (engine, events) = engine(vec![code(mails.callback())]);
    let code = sent(&engine, &mails).await;
    let (mut browser, status) = try_code(&engine, &code).await;
    assert_eq!((status, browser.signed_in_as().await.as_deref()), (200, Some(ADA)));
    assert_eq!(try_code(&engine, &code).await.1, 401);
    assert!(kinds(&events).contains(&"sign-in-refused"), "{:?}", kinds(&events));
}

#[tokio::test]
async fn after_three_tries_the_right_code_is_worth_nothing() {
    let mails = Kept::new();
    let (engine, _) = engine(vec![code(mails.callback())]);
    let code = sent(&engine, &mails).await;
    for _ in 0..3 {
        assert_eq!(try_code(&engine, "wrong").await.1, 401);
    }
    assert_eq!(try_code(&engine, &code).await.1, 401);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn parallel_guesses_get_no_more_tries_than_others() {
    let mails = Kept::new();
    let (engine, _) = engine(vec![code(mails.callback())]);
    let code = sent(&engine, &mails).await;
    let wrong = (0..20).map(|number| {
        let engine = engine.clone();
        tokio::spawn(async move { try_code(&engine, &format!("no-{number}")).await.1 })
    });
    for guess in wrong.collect::<Vec<_>>() {
        assert_eq!(guess.await.unwrap(), 401);
    }
    assert_eq!(try_code(&engine, &code).await.1, 401, "twenty guesses left a try");
}

#[tokio::test]
async fn an_address_that_is_nobody_s_is_answered_alike_and_sent_nothing() {
    let mails = Kept::new();
    let (engine, _) = engine(vec![code(mails.callback())]);
    let asked = Browser::new(&engine).post("/code/ask", json!({ "email": "no@example.com" })).await;
    assert_eq!(asked.json(), json!({ "status": true }));
    assert!(mails.all().is_empty());
}
