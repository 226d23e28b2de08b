use std::time::Duration;

use housekey_auth::engine::SignUpEmail;
use housekey_auth::events::Events;
use housekey_auth::{Auth, OrHttpError, api, user};
use housekey_core::{Error, Result};
use housekey_database::db;
use housekey_http::Routes;
use housekey_testing::TestApp;
use tokio::sync::Notify;

use crate::support::{PASSWORD, sign_in, sign_up, test_app};

fn routes(route: &mut Routes) {
    route.get("/me", async || user().map_or_else(|| "nobody".to_owned(), |user| user.name.clone()));
    route.get("/open-a-shop", async || open_a_shop(false).await).name("open");
    route.get("/open-a-shop-and-fail", async || open_a_shop(true).await).name("open.fail");
    route.get("/twice", invite_twice).name("twice");
    route.get("/end-sessions", end_sessions).name("end");
}

fn owner() -> SignUpEmail {
    SignUpEmail {
        name: "Ada".into(),
        email: "ada@example.com".into(),
        password: PASSWORD.into(),
        ..Default::default()
    }
}

/// An account and something that belongs to it, or neither.
async fn open_a_shop(fails: bool) -> Result<&'static str> {
    db()?
        .transaction(async |_| {
            api()?.sign_up_email(owner()).await.or_http_error()?;
            if fails { Err(Error::internal("the shop could not be opened")) } else { Ok("open") }
        })
        .await
}

/// An address that is taken is an answer, and the transaction goes on.
async fn invite_twice() -> Result<String> {
    db()?
        .transaction(async |tx| {
            api()?.sign_up_email(owner()).await.or_http_error()?;
            let again = api()?.sign_up_email(owner()).await;
            Ok(format!("{} {}", again.is_err(), tx.table("user").count().await?))
        })
        .await
}

/// Told when sessions are ended and nothing is committed yet, and when the handler may go on.
static ENDED: Notify = Notify::const_new();
static GO_ON: Notify = Notify::const_new();

async fn end_sessions() -> Result<&'static str> {
    db()?
        .transaction(async |_| {
            let auth = Auth::current()?;
            let api = auth.engine().api();
            let ada = api.user_by_email("ada@example.com").await.or_http_error()?;
            let ada = ada.ok_or_else(|| Error::internal("she is there"))?;
            api.end_sessions_of(&ada.id, None).await.or_http_error()?;
            ENDED.notify_one();
            GO_ON.notified().await;
            Ok("ended")
        })
        .await
}

async fn people(app: &TestApp) -> u64 {
    let auth = app.services().require::<Auth>().unwrap();
    auth.database().unwrap().table("user").count().await.unwrap()
}

// spec: SEC-11
#[tokio::test]
async fn an_account_made_inside_a_transaction_is_there_when_the_transaction_is() {
    let app = test_app(|_| {}, routes).await;
    app.get("/open-a-shop-and-fail").await.assert_status(500);
    assert_eq!(people(&app).await, 0, "taken back with the rest");
    app.get("/open-a-shop").await.assert_ok();
    assert_eq!(people(&app).await, 1);
    app.get("/me").await.assert_see("Ada");
}

// spec: SEC-11, SEC-9
#[tokio::test]
async fn an_event_is_kept_when_the_transaction_it_happened_in_is() {
    let app = test_app(|auth| auth.events = Events::kept(90), routes).await;
    let kinds = async || {
        let auth = app.services().require::<Auth>().unwrap();
        auth.database().unwrap().table("securityEvent").pluck::<String>("kind").await.unwrap()
    };
    app.get("/open-a-shop-and-fail").await.assert_status(500);
    assert_eq!(kinds().await, Vec::<String>::new());
    app.get("/open-a-shop").await.assert_ok();
    assert_eq!(kinds().await, ["sign-up"]);
}

// spec: SEC-11
#[tokio::test]
async fn an_address_that_is_taken_does_not_end_the_transaction_it_was_tried_in() {
    let app = test_app(|_| {}, routes).await;
    app.get("/twice").await.assert_ok().assert_see("true 1");
}

// spec: SEC-11, EPC-1
#[tokio::test]
async fn a_copy_made_while_a_revocation_waits_for_its_commit_is_worthless_after_it() {
    let app = test_app(|auth| auth.engine.session.cookie_cache.enabled = true, routes).await;
    sign_up(&app, "ada@example.com").await;
    let other = app.visitor();
    sign_in(&other, "ada@example.com", PASSWORD).await.assert_ok();
    let stranger = app.visitor();
    let both = async {
        tokio::join!(stranger.get("/end-sessions"), async {
            ENDED.notified().await;
            let meanwhile = other.get("/me").await;
            GO_ON.notify_one();
            meanwhile
        })
    };
    let (ended, meanwhile) = tokio::time::timeout(Duration::from_secs(60), both).await.unwrap();
    ended.assert_ok();
    // Nothing was committed then.
    meanwhile.assert_see("ada");
    other.get("/me").await.assert_see("nobody");
}
