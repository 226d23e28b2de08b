//! Who may hear is asked again.

use std::time::Duration;

use housekey_database::{db, record};
use housekey_live::AppLive;
use housekey_test_support::happens;
use housekey_testing::TestApp;
use serde_json::json;

use crate::clients::{Events, Socket};
use crate::door::Door;
use crate::shop::{PASSWORD, app, book_of, engine_post, live, somebody, test_app, test_app_of};

/// Long enough that no test waits for it: what ends a stream there is what was told.
fn told_alone(config: &mut housekey_live::LiveConfig) {
    config.recheck = 3_600;
}

/// An app with a door.
async fn app_with(door: &Door) -> TestApp {
    let door = door.clone();
    test_app_of(move || {
        let door = door.clone();
        app(told_alone).live(move |live| door.channels(live))
    })
    .await
}

async fn give_away(app: &TestApp, book: i64) {
    let given = record! { "owner_id" => "grace" };
    app.within(async { db().unwrap().table("books").where_eq("id", book).update(given).await.unwrap() })
        .await;
}

#[tokio::test]
async fn a_sign_out_ends_the_streams_of_that_session_at_once_and_nothing_is_heard_after_it() {
    let app = test_app(told_alone).await;
    let server = app.serve().await;
    let (ada, browser, cookie) = somebody(&app, "ada@example.com").await;
    let other = app.visitor();
    engine_post(&other, "sign-in/email", &json!({ "email": "ada@example.com", "password": PASSWORD })).await;
    let other_cookie =
        format!("better-auth.session_token={}", other.cookie("better-auth.session_token").unwrap());
    let channel = format!("people.{ada}");
    let mut events = Events::open(server.address(), &channel, &[&format!("cookie: {cookie}")]).await;
    let mut socket = Socket::open(server.address(), &cookie).await;
    let mut elsewhere = Socket::open(server.address(), &other_cookie).await;
    socket.subscribe(&[&channel]).await;
    elsewhere.subscribe(&[&channel]).await;

    engine_post(&browser, "sign-out", &json!({})).await.assert_ok();
    assert_eq!(events.end().await, json!({ "reason": "signed-out" }));
    assert_eq!(socket.next().await, json!({ "closed": 4401 }));
    live(&app).broadcast(&channel, "for who is still there").await.unwrap();
    assert_eq!(elsewhere.message().await, "for who is still there");
    assert_eq!(Events::ask(server.address(), &channel, &[&format!("cookie: {cookie}")]).await.status(), 403);

    // Ended from elsewhere, by the same person or by somebody else.
    engine_post(&other, "revoke-sessions", &json!({})).await.assert_ok();
    assert_eq!(elsewhere.next().await, json!({ "closed": 4401 }));
}

#[tokio::test]
async fn a_bearer_token_opens_a_stream_and_its_end_closes_it() {
    let app = test_app(told_alone).await;
    let server = app.serve().await;
    let (ada, browser, _) = somebody(&app, "ada@example.com").await;
    let signed_in =
        engine_post(&browser, "sign-in/email", &json!({ "email": "ada@example.com", "password": PASSWORD }))
            .await;
    let token = signed_in.header("set-auth-token").unwrap().to_owned();
    let header = format!("authorization: Bearer {token}");
    let mut events = Events::open(server.address(), &format!("people.{ada}"), &[&header]).await;
    live(&app).broadcast(&format!("people.{ada}"), "hello").await.unwrap();
    assert_eq!(events.message().await, "hello");
    engine_post(&browser, "revoke-sessions", &json!({})).await.assert_ok();
    assert_eq!(events.end().await, json!({ "reason": "signed-out" }));
}

#[tokio::test]
async fn a_session_that_runs_out_ends_the_stream_and_an_open_stream_does_not_renew_it() {
    let app = test_app(|config| config.recheck = 1).await;
    let server = app.serve().await;
    let (ada, _, cookie) = somebody(&app, "ada@example.com").await;
    let channel = format!("people.{ada}");
    let mut socket = Socket::open(server.address(), &cookie).await;
    socket.subscribe(&[&channel]).await;
    // Past the day after which a request would renew it, again and again; it lives for a week.
    for _ in 0..6 {
        app.advance(Duration::from_secs(26 * 60 * 60));
        socket.subscribe(&[&channel]).await;
    }
    app.advance(Duration::from_secs(26 * 60 * 60));
    assert_eq!(socket.next().await, json!({ "closed": 4401 }));
}

#[tokio::test]
async fn a_right_that_is_gone_ends_its_channel_alone() {
    let app = test_app(told_alone).await;
    let server = app.serve().await;
    let (ada, _, cookie) = somebody(&app, "ada@example.com").await;
    let book = book_of(&app, &ada).await;
    let channel = format!("books.{book}");
    let mut socket = Socket::open(server.address(), &cookie).await;
    socket.subscribe(&["news", &channel]).await;
    let mut events = Events::open(server.address(), &channel, &[&format!("cookie: {cookie}")]).await;
    give_away(&app, book).await;
    let live = live(&app);
    live.recheck(&ada).await.unwrap();
    let refused = socket.next().await;
    assert_eq!(
        (&refused["type"], &refused["channel"], &refused["status"]),
        (&json!("refused"), &json!(channel), &json!(403))
    );
    assert_eq!(events.end().await, json!({ "reason": "refused", "channel": channel, "status": 403 }));
    live.broadcast(&channel, "between others").await.unwrap();
    live.broadcast("news", "for everybody").await.unwrap();
    assert_eq!(socket.message().await, "for everybody");
}

// spec: WRK-3
#[tokio::test]
async fn inside_a_transaction_nobody_looks_again_before_the_commit() {
    let door = Door::default();
    let app = app_with(&door).await;
    let server = app.serve().await;
    let (ada, _, cookie) = somebody(&app, "ada@example.com").await;
    let book = book_of(&app, &ada).await;
    let channel = format!("books.{book}");
    let mut socket = Socket::open(server.address(), &cookie).await;
    socket.subscribe(&["counted", &channel]).await;
    let given = app.within(async {
        db()?
            .transaction(async |tx| {
                live(&app).recheck(&ada).await?;
                // Long enough for a look that would see the book as hers.
                tokio::time::sleep(Duration::from_millis(500)).await;
                assert_eq!(door.looks(), 1);
                tx.table("books").where_eq("id", book).update(record! { "owner_id" => "grace" }).await
            })
            .await
    });
    assert_eq!(given.await.unwrap(), 1);
    let refused = socket.next().await;
    assert_eq!((&refused["type"], &refused["channel"]), (&json!("refused"), &json!(channel)), "{refused}");
}

// spec: WRK-3
#[tokio::test]
async fn a_right_that_goes_while_somebody_subscribes_is_gone() {
    let door = Door::default();
    let app = app_with(&door).await;
    let server = app.serve().await;
    let (ada, _, cookie) = somebody(&app, "ada@example.com").await;
    let book = book_of(&app, &ada).await;
    let channel = format!("books.{book}");
    let mut socket = Socket::open(server.address(), &cookie).await;
    socket.subscribe(&["counted"]).await;
    // Her book is looked at first: it is still hers while the other answer is waited for.
    socket.say(json!({ "subscribe": [channel, "slow"] })).await;
    door.is_asked().await;
    give_away(&app, book).await;
    let live = live(&app);
    live.recheck(&ada).await.unwrap();
    happens("the look that knows nothing of her book", || door.looks() == 2).await;
    door.open();
    let refused = socket.next().await;
    assert_eq!((&refused["type"], &refused["channel"]), (&json!("refused"), &json!(channel)), "{refused}");
    assert_eq!(socket.next().await["channels"], json!(["slow"]));
    live.broadcast(&channel, "between others").await.unwrap();
    live.broadcast("slow", "for everybody").await.unwrap();
    assert_eq!(socket.message().await, "for everybody");
}

#[tokio::test]
async fn what_nobody_tells_is_noticed_by_looking() {
    let app = test_app(|config| config.recheck = 1).await;
    let server = app.serve().await;
    let (ada, _, cookie) = somebody(&app, "ada@example.com").await;
    let book = book_of(&app, &ada).await;
    let mut socket = Socket::open(server.address(), &cookie).await;
    socket.subscribe(&[&format!("books.{book}")]).await;
    app.within(async { db().unwrap().table("books").where_eq("id", book).delete().await.unwrap() }).await;
    let refused = socket.next().await;
    assert_eq!((&refused["type"], &refused["status"]), (&json!("refused"), &json!(404)));
}

#[tokio::test]
async fn whoever_cannot_be_asked_about_is_not_let_in() {
    let app = test_app(|_| ()).await;
    let server = app.serve().await;
    assert_eq!(Events::ask(server.address(), "broken", &[]).await.status(), 503);
    let mut socket = Socket::open(server.address(), "").await;
    socket.say(json!({ "subscribe": ["broken"] })).await;
    assert_eq!(socket.next().await, json!({ "closed": 1013 }));
}

/// A message of another organisation: rows and channels follow the one that somebody is in, also when they move on.
#[tokio::test]
async fn nobody_hears_another_organization() {
    let app = test_app(told_alone).await;
    let server = app.serve().await;
    let (_, ada, cookie) = somebody(&app, "ada@example.com").await;
    let (_, eve, evil_cookie) = somebody(&app, "eve@example.com").await;
    let mut organizations = Vec::new();
    for (browser, slug) in [(&ada, "acme"), (&eve, "evil"), (&ada, "second")] {
        let made = engine_post(browser, "organization/create", &json!({ "name": slug, "slug": slug })).await;
        made.assert_ok();
        organizations.push(made.json::<serde_json::Value>()["id"].as_str().unwrap().to_owned());
    }
    let [acme, evil, second] = &organizations[..] else { panic!("three were made") };
    app.within(async {
        for organization in [acme, evil, second] {
            let shelf = record! { "organization_id" => organization.as_str() };
            db().unwrap().table("shelves").insert(shelf).await.unwrap();
        }
    })
    .await;
    engine_post(&ada, "organization/set-active", &json!({ "organizationId": acme })).await.assert_ok();
    let (ours, of_second) = (format!("organizations.{acme}"), format!("organizations.{second}"));

    let mut stranger = Socket::open(server.address(), &evil_cookie).await;
    stranger.say(json!({ "subscribe": [ours, "shelves.1", "shelves.2"] })).await;
    let answers = [stranger.next().await, stranger.next().await];
    assert_eq!(answers.clone().map(|answer| answer["status"].clone()), [403, 404], "{answers:?}");
    assert_eq!(stranger.next().await["channels"], json!(["shelves.2"]));

    let mut member = Socket::open(server.address(), &cookie).await;
    member.subscribe(&[&ours, "shelves.1"]).await;
    let live = live(&app);
    live.broadcast(&ours, "for members").await.unwrap();
    assert_eq!(member.message().await, "for members");
    // She goes to another one: what she heard of the first is over, in the same moment.
    engine_post(&ada, "organization/set-active", &json!({ "organizationId": second })).await.assert_ok();
    let mut refused = [member.next().await, member.next().await].map(|frame| frame["channel"].clone());
    refused.sort_by_key(|channel| channel.to_string());
    assert_eq!(refused, [json!(ours), json!("shelves.1")]);
    member.subscribe(&[&of_second, "shelves.3"]).await;
    live.broadcast("shelves.2", "evil plans").await.unwrap();
    live.broadcast(&of_second, "welcome").await.unwrap();
    assert_eq!(member.message().await, "welcome");
    assert_eq!(stranger.message().await, "evil plans");
}
