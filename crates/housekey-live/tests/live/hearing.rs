//! Who listens hears.

use futures_util::future::join_all;
use housekey_test_support::in_time;
use serde_json::{Value, json};

use crate::clients::{Events, Socket};
use crate::shop::{book_of, live, somebody, test_app};

#[tokio::test]
async fn a_stream_of_events_hears_what_is_said_in_its_channels_and_nothing_else() {
    let app = test_app(|_| ()).await;
    let server = app.serve().await;
    let (ada, _, cookie) = somebody(&app, "ada@example.com").await;
    let (hers, other) = (book_of(&app, &ada).await, book_of(&app, "somebody else").await);
    let channels = format!("news,books.{hers}");
    let mut events = Events::open(server.address(), &channels, &[&format!("cookie: {cookie}")]).await;
    assert!(events.head.contains("cache-control: no-store"), "{}", events.head);
    let live = live(&app);
    live.broadcast(&format!("books.{other}"), "not for her").await.unwrap();
    live.broadcast("rooms.1", "nor this").await.unwrap();
    live.broadcast(&format!("books.{hers}"), &json!({ "lent": "to\nGrace" })).await.unwrap();
    live.broadcast("news", "extra").await.unwrap();
    let event = events.next().await.unwrap();
    assert_eq!(event.json(), json!({ "channel": format!("books.{hers}"), "data": { "lent": "to\nGrace" } }));
    assert!(!event.id.is_empty());
    assert_eq!(events.message().await, "extra");
}

#[tokio::test]
async fn a_websocket_hears_what_it_subscribes_to_until_it_does_not() {
    let app = test_app(|_| ()).await;
    let server = app.serve().await;
    let (ada, _, cookie) = somebody(&app, "ada@example.com").await;
    let book = format!("books.{}", book_of(&app, &ada).await);
    let mut socket = Socket::open(server.address(), &cookie).await;
    let live = live(&app);
    socket.subscribe(&["news", &book, &format!("people.{ada}")]).await;
    live.broadcast("rooms.1", "not subscribed").await.unwrap();
    live.broadcast(&book, &json!({ "lent": true })).await.unwrap();
    let frame = socket.next().await;
    let id = frame["id"].clone();
    assert_eq!(frame, json!({ "type": "message", "id": id, "channel": book, "data": { "lent": true } }));
    socket.say(json!({ "unsubscribe": [book] })).await;
    // What is asked for later is answered later: by then it has left.
    socket.subscribe(&["rooms.2"]).await;
    live.broadcast(&book, "unheard").await.unwrap();
    live.broadcast("news", "heard").await.unwrap();
    assert_eq!(socket.message().await, "heard");
}

#[tokio::test]
async fn who_was_away_for_a_moment_gets_what_was_said_or_hears_that_it_is_not_known() {
    let app = test_app(|_| ()).await;
    let server = app.serve().await;
    let live = live(&app);
    let mut events = Events::open(server.address(), "news,rooms.1", &[]).await;
    live.broadcast("news", "one").await.unwrap();
    let last = events.next().await.unwrap().id;
    drop(events);
    live.broadcast("rooms.1", "two").await.unwrap();
    live.broadcast("rooms.2", "of another channel").await.unwrap();
    live.broadcast("news", "three").await.unwrap();
    let header = format!("last-event-id: {last}");
    let mut events = Events::open(server.address(), "news,rooms.1", &[&header]).await;
    assert_eq!([events.message().await, events.message().await], ["two", "three"]);
    let mut lost = Events::open(server.address(), "news", &["last-event-id: of another life"]).await;
    assert_eq!(lost.next().await.unwrap().kind, "missed");

    let mut socket = Socket::open(server.address(), "").await;
    socket.say(json!({ "subscribe": ["news"], "after": last })).await;
    let subscribed = socket.next().await;
    assert_eq!(subscribed["id"], Value::Null, "there is something on its way: {subscribed}");
    assert_eq!(socket.message().await, "three");
    let mut socket = Socket::open(server.address(), "").await;
    socket.say(json!({ "subscribe": ["news"], "after": "of another life" })).await;
    socket.next().await;
    assert_eq!(socket.next().await, json!({ "type": "missed" }));
}

/// A position is given before anything was said: who leaves then and comes back has missed nothing unknown.
#[tokio::test]
async fn a_quiet_stream_knows_where_it_was() {
    let app = test_app(|config| config.heartbeat = 1).await;
    let server = app.serve().await;
    let live = live(&app);
    let mut socket = Socket::open(server.address(), "").await;
    let position = socket.subscribe(&["news"]).await["id"].as_str().unwrap().to_owned();
    drop(socket);
    live.broadcast("news", "meanwhile").await.unwrap();
    let header = format!("last-event-id: {position}");
    let mut events = Events::open(server.address(), "news", &[&header]).await;
    assert_eq!(events.message().await, "meanwhile");
}

#[tokio::test]
async fn a_server_that_stops_tells_everybody_and_waits_for_nobody() {
    let app = test_app(|_| ()).await;
    let server = app.serve().await;
    let mut events = Events::open(server.address(), "news", &[]).await;
    let mut socket = Socket::open(server.address(), "").await;
    socket.subscribe(&["news"]).await;
    let listening = async {
        assert_eq!(events.end().await, json!({ "reason": "stopping" }));
        assert_eq!(socket.next().await, json!({ "closed": 1001 }));
        // The answer to a close frame goes out with the next look.
        socket.next().await;
    };
    // Long before its grace ends.
    in_time("the stop", async { tokio::join!(listening, server.stop()) }).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn fifty_streams_hear_two_hundred_messages_each_in_order() {
    let app = test_app(|config| (config.max_streams, config.queue) = (100, 500)).await;
    let server = app.serve().await;
    let sockets = join_all((0..50).map(|_| async {
        let mut socket = Socket::open(server.address(), "").await;
        socket.subscribe(&["news"]).await;
        socket
    }));
    let mut sockets = sockets.await;
    let live = live(&app);
    for number in 0..200 {
        live.broadcast("news", &number).await.unwrap();
    }
    for socket in &mut sockets {
        for number in 0..200 {
            assert_eq!(socket.message().await, number);
        }
    }
}
