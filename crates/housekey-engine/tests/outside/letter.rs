//! A link by mail.

use std::sync::Arc;

use housekey_engine::options::RateRule;
use housekey_engine::storage::Filter;
use housekey_engine::testing::{self, Browser};
use housekey_engine::{
    Api, Callback, Endpoint, Engine, ErrorCode, Plugin, Record, Reply, Result, SignIn, User, hash_token,
    random, with_minimum_duration, with_parameter,
};
use serde_json::json;

use crate::outside::support::{ADA, Kept, engine, kinds};

const INVALID_LETTER: ErrorCode = ErrorCode::new("INVALID_LETTER", "Invalid letter");
const LIFE: u32 = 300;

#[derive(Clone)]
struct Letter {
    to: String,
    token: String,
    url: String,
}

struct Options {
    send: Callback<Letter>,
}

fn letter(send: Callback<Letter>) -> Plugin {
    Plugin::new("letter")
        .state(Arc::new(Options { send }))
        .endpoint(Endpoint::post("/letter/ask", |api| Box::pin(ask(api))))
        .endpoint(Endpoint::get("/letter/open", |api| Box::pin(open(api))))
        .rate_rule("/letter/*", RateRule { window: 60, max: 5 })
}

fn row(token: &str) -> String {
    format!("letter:{}", hash_token(token))
}

async fn ask(api: &mut Api) -> Result<Reply> {
    let mut body = api.request().read_body();
    let (email, callback) = (body.email("email").to_lowercase(), body.optional_text("callbackURL"));
    body.finish()?;
    api.check_sign_in_origin().await?;
    let clock = api.clock().clone();
    with_minimum_duration(&clock, write(api, email, callback)).await?;
    Reply::json(&json!({ "status": true }))
}

/// Whether the address is known makes no difference: the letter is written before anybody looks.
async fn write(api: &Api, email: String, callback: Option<String>) -> Result<()> {
    if !api.may_mail("letter", &email, LIFE).await {
        return Ok(());
    }
    let token = random::alphanumeric(32);
    api.verifications().create(&row(&token), &json!({ "email": email }).to_string(), LIFE).await?;
    let url = api.link("/letter/open", Some(&token), callback.as_deref().unwrap_or("/"));
    if let Some(options) = api.plugin_state::<Options>() {
        api.send("letter", &options.send, Letter { to: email, token, url }).await;
    }
    Ok(())
}

async fn open(api: &mut Api) -> Result<Reply> {
    let mut query = api.request().read_query();
    let (token, callback) = (query.text("token"), query.optional_text("callbackURL"));
    query.finish()?;
    api.check_callback(callback.as_deref()).await?;
    let target = callback.unwrap_or_else(|| "/".into());
    match spend(api, &token).await {
        Ok(SignIn::Done(_)) => Reply::redirect(&target),
        Ok(SignIn::Challenged(_)) => Reply::redirect(&with_parameter(&target, &[("twoFactor", "true")])),
        Err(error) if error.is_internal() => Err(error),
        Err(error) => {
            Reply::redirect(&with_parameter(&target, &[("error", error.code().unwrap_or("UNKNOWN"))]))
        }
    }
}

async fn spend(api: &mut Api, token: &str) -> Result<SignIn> {
    let invalid = || INVALID_LETTER.bad_request();
    let found = api.verifications().find(&row(token)).await?.ok_or_else(invalid)?;
    let said: serde_json::Value = serde_json::from_str(&found.value).unwrap_or_default();
    let email = said["email"].as_str().ok_or_else(invalid)?.to_owned();
    // Spent together with the sign-in: of two who open it, one is in.
    let mut changes = api.changes();
    changes.delete_expecting("verification", Filter::by("id", &found.id)).await?;
    let (user, first_proof) = match api.user_by_email(&email).await? {
        Some(user) if user.email_verified => (user, false),
        Some(user) => (api.prove_email_in(&mut changes, &user).await?, true),
        None => {
            let new = Record::new().with("name", "").with("email", &email).with("emailVerified", true);
            (User::from_record(changes.create("user", new).await?)?, false)
        }
    };
    api.set_sign_in_method("letter");
    let signed_in = api.sign_in_user_with(changes, user.clone(), None).await?.ok_or_else(invalid)?;
    if first_proof {
        api.emit_first_proof(&user).await;
    }
    Ok(signed_in)
}

fn post_office() -> (Engine, Kept<Letter>, Kept<housekey_engine::SecurityEvent>) {
    let letters = Kept::new();
    let two_factor = housekey_engine::plugins::two_factor(Default::default());
    let (engine, events) = engine(vec![letter(letters.callback()), two_factor]);
    (engine, letters, events)
}

async fn ask_for(engine: &Engine, letters: &Kept<Letter>, email: &str) -> Letter {
    let asked =
        Browser::new(engine).post("/letter/ask", json!({ "email": email, "callbackURL": "/in" })).await;
    assert_eq!(asked.status(), 200, "{asked:?}");
    letters.all().pop().unwrap()
}

fn path(letter: &Letter) -> String {
    letter.url.split_once("/api/auth").unwrap().1.to_owned()
}

#[tokio::test]
async fn a_letter_signs_in_once_and_makes_an_account_for_somebody_new() {
    let (engine, letters, events) = post_office();
    let letter = ask_for(&engine, &letters, "New@Example.com").await;
    assert_eq!(letter.to, "new@example.com");

    let mut browser = Browser::new(&engine);
    assert_eq!(browser.get(&path(&letter)).await.header("location"), Some("/in"));
    assert_eq!(browser.signed_in_as().await.as_deref(), Some("new@example.com"));
    assert!(kinds(&events).contains(&"sign-in"), "{:?}", kinds(&events));

    let mut second = Browser::new(&engine);
    assert_eq!(second.get(&path(&letter)).await.header("location"), Some("/in?error=INVALID_LETTER"));
    assert_eq!(second.signed_in_as().await, None);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn of_many_who_open_one_letter_at_once_one_is_in() {
    let (engine, letters, _) = post_office();
    let letter = ask_for(&engine, &letters, ADA).await;
    let opening = (0..8).map(|_| {
        let (engine, path) = (engine.clone(), path(&letter));
        tokio::spawn(async move {
            let mut browser = Browser::new(&engine);
            browser.get(&path).await;
            browser.signed_in_as().await
        })
    });
    let mut inside = 0;
    for opened in opening.collect::<Vec<_>>() {
        inside += usize::from(opened.await.unwrap().is_some());
    }
    assert_eq!(inside, 1);
}

#[tokio::test]
async fn a_letter_shuts_out_whoever_signed_up_with_an_address_that_is_not_theirs() {
    let (engine, letters, events) = post_office();
    let mut squatter = Browser::new(&engine);
    squatter.sign_up(ADA).await;
    let letter = ask_for(&engine, &letters, ADA).await;

    let mut owner = Browser::new(&engine);
    owner.get(&path(&letter)).await;
    assert_eq!(owner.signed_in_as().await.as_deref(), Some(ADA));
    assert_eq!(squatter.signed_in_as().await, None);
    assert_eq!(squatter.sign_in(ADA).await.status(), 401);
    assert!(kinds(&events).contains(&"email-verified"), "{:?}", kinds(&events));
}

#[tokio::test]
async fn a_letter_asks_for_the_second_factor_and_leads_nowhere_else() {
    let (engine, letters, _) = post_office();
    let mut ada = Browser::new(&engine);
    ada.sign_up(ADA).await;
    testing::prove_email(&engine, ADA).await.unwrap();
    ada.post("/two-factor/enable", json!({ "password": testing::PASSWORD })).await;
    let api = engine.api();
    let user = api.user_by_email(ADA).await.unwrap().unwrap();
    let code = housekey_engine::plugins::two_factor::totp_code(&api, &user).await.unwrap();
    assert_eq!(ada.post("/two-factor/verify-totp", json!({ "code": code })).await.status(), 200);

    let letter = ask_for(&engine, &letters, ADA).await;
    let mut elsewhere = Browser::new(&engine);
    assert_eq!(elsewhere.get(&path(&letter)).await.header("location"), Some("/in?twoFactor=true"));
    assert_eq!(elsewhere.signed_in_as().await, None);

    let token = ask_for(&engine, &letters, ADA).await.token;
    let evil = format!("/letter/open?token={token}&callbackURL=https%3A%2F%2Fevil.example");
    assert_eq!(elsewhere.get(&evil).await.status(), 403);
}
