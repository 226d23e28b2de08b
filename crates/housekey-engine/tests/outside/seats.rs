//! Several accounts in one browser, each in a signed cookie of its own.

use housekey_engine::testing::Browser;
use housekey_engine::{Api, Endpoint, ErrorCode, Plugin, Reply, Result, SecurityEventKind};
use serde_json::json;

use crate::outside::support::{ADA, engine};

const NO_SUCH_SEAT: ErrorCode = ErrorCode::new("NO_SUCH_SEAT", "There is no such seat");
const BOB: &str = "bob@example.com";
const WEEK: u32 = 604_800;

fn seats() -> Plugin {
    Plugin::new("seats")
        .endpoint(Endpoint::get("/seats", |api| Box::pin(list(api))))
        .endpoint(Endpoint::post("/seats/take", |api| Box::pin(take(api))))
        .endpoint(Endpoint::post("/seats/leave", |api| Box::pin(leave(api))))
        // The session that a sign-in began is kept beside the one that the browser shows.
        .after(|api, _| {
            Box::pin(async move {
                if let Some(new) = api.new_session() {
                    let (like, name) = (api.session_cookie(), seat(api, &new.session.user_id));
                    api.set_signed_cookie_as(&like, &name, &new.session.token, Some(WEEK));
                }
                Ok(())
            })
        })
        .keeps_session(|_, _| true)
}

fn prefix(api: &Api) -> String {
    format!("{}_seat-", api.session_cookie().name())
}

fn seat(api: &Api, user_id: &str) -> String {
    format!("{}{}", prefix(api), user_id.to_lowercase())
}

async fn list(api: &mut Api) -> Result<Reply> {
    let mut people = Vec::new();
    for (_, token) in api.signed_cookies(&prefix(api)) {
        if let Some(signed_in) = api.session_by_token(&token).await? {
            people.push(signed_in.user.email.clone());
        }
    }
    people.sort();
    Reply::json(&people)
}

/// The seat that the request names, if the browser proves to hold it.
async fn named(api: &Api) -> Result<(String, std::sync::Arc<housekey_engine::SignedIn>)> {
    let mut body = api.request().read_body();
    let email = body.text("email");
    body.finish()?;
    for (name, token) in api.signed_cookies(&prefix(api)) {
        if let Some(signed_in) = api.session_by_token(&token).await?
            && signed_in.user.email == email
        {
            return Ok((name, signed_in));
        }
    }
    Err(NO_SUCH_SEAT.unauthorized())
}

async fn take(api: &mut Api) -> Result<Reply> {
    let (_, signed_in) = named(api).await?;
    let forgotten = api.is_forgotten();
    api.hand_out(&signed_in, forgotten).await;
    Reply::json(&json!({ "email": signed_in.user.email }))
}

async fn leave(api: &mut Api) -> Result<Reply> {
    let (name, signed_in) = named(api).await?;
    let present = api.session().await?;
    api.end_session(&signed_in.session.token, Some(&signed_in.user.id)).await?;
    let like = api.session_cookie();
    api.clear_cookie_as(&like, &name);
    if present.is_some_and(|present| present.session.token == signed_in.session.token) {
        api.clear_session_cookies();
    }
    api.emit(api.event(SecurityEventKind::SignOut, Some(&signed_in.user.id))).await;
    Reply::json(&json!({ "status": true }))
}

async fn browser_of_two() -> Browser {
    let (engine, _) = engine(vec![seats()]);
    let mut browser = Browser::new(&engine);
    browser.sign_up(ADA).await;
    browser.sign_up(BOB).await;
    browser
}

#[tokio::test]
async fn two_accounts_share_a_browser_and_take_turns() {
    let mut browser = browser_of_two().await;
    assert_eq!(browser.get("/seats").await.json(), json!([ADA, BOB]));
    assert_eq!(browser.signed_in_as().await.as_deref(), Some(BOB));
    assert_eq!(browser.post("/seats/take", json!({ "email": ADA })).await.status(), 200);
    assert_eq!(browser.signed_in_as().await.as_deref(), Some(ADA));
}

#[tokio::test]
async fn leaving_ends_one_session_and_keeps_the_other() {
    let mut browser = browser_of_two().await;
    let before = browser.clone();
    assert_eq!(browser.post("/seats/leave", json!({ "email": BOB })).await.status(), 200);
    assert_eq!(browser.signed_in_as().await, None);
    assert_eq!(browser.get("/seats").await.json(), json!([ADA]));
    // The session is over, not only forgotten here.
    assert_eq!(before.clone().signed_in_as().await, None);
}

#[tokio::test]
async fn a_seat_that_somebody_made_up_is_nobody_s() {
    let mut browser = browser_of_two().await;
    let (engine, _) = engine(vec![seats()]);
    let mut forger = Browser::new(&engine);
    // One without our signature, and one with it whose session is not here.
    forger.set_cookie("better-auth.session_token_seat-x", "token.c2lnbmF0dXJl");
    let signed = browser.cookie("better-auth.session_token").unwrap().to_owned();
    forger.set_cookie("better-auth.session_token_seat-y", &signed);
    assert_eq!(forger.get("/seats").await.json(), json!([]));
    assert_eq!(forger.post("/seats/take", json!({ "email": ADA })).await.status(), 401);
    assert_eq!(browser.get("/seats").await.json(), json!([ADA, BOB]));
}
