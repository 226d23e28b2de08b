//! What somebody could try.

use serde_json::json;
use tokio_tungstenite::tungstenite::Message;

use crate::clients::{Events, Socket};
use crate::shop::{book_of, live, somebody, test_app};

/// Names that are not the name of a channel, though they look like one to somebody.
const TRICKS: [&str; 14] = [
    "",
    ".",
    "*",
    "books.*",
    "books.{book}",
    "books..1",
    "books.1.",
    "BOOKS.1",
    "books.1 ",
    "books.1\u{0}",
    "bооks.1",
    "books.1\nevent: close",
    "people.%2e",
    "news.1",
];

#[tokio::test]
async fn nobody_hears_what_the_gate_does_not_let_them_hear() {
    let app = test_app(|_| ()).await;
    let server = app.serve().await;
    let (ada, _, _) = somebody(&app, "ada@example.com").await;
    let (_, _, eve) = somebody(&app, "eve@example.com").await;
    let book = book_of(&app, &ada).await;
    let header = format!("cookie: {eve}");
    for (channels, guest, stranger) in [
        (format!("books.{book}"), 401, 403),
        (format!("news,books.{book}"), 401, 403),
        (format!("people.{ada}"), 403, 403),
        ("books.4711".to_owned(), 404, 404),
        ("books.first".to_owned(), 404, 404),
        ("weather".to_owned(), 404, 404),
    ] {
        assert_eq!(Events::ask(server.address(), &channels, &[]).await.status(), guest, "{channels}");
        assert_eq!(
            Events::ask(server.address(), &channels, &[&header]).await.status(),
            stranger,
            "{channels}"
        );
    }
    let mut socket = Socket::open(server.address(), &eve).await;
    let (wanted, hers) = (format!("books.{book}"), format!("people.{ada}"));
    socket.say(json!({ "subscribe": [wanted, "news", hers] })).await;
    for _ in 0..2 {
        let frame = socket.next().await;
        assert_eq!((&frame["type"], &frame["status"]), (&json!("refused"), &json!(403)), "{frame}");
    }
    assert_eq!(socket.next().await["channels"], json!(["news"]));
    let live = live(&app);
    live.broadcast(&wanted, "secret").await.unwrap();
    live.broadcast("news", "for all").await.unwrap();
    assert_eq!(socket.message().await, "for all");
    // A forged cookie is nobody's.
    let (name, value) = eve.split_once('=').unwrap();
    let forged = format!("cookie: {name}={}", value.replace('.', ".A"));
    assert_eq!(Events::ask(server.address(), &wanted, &[&forged]).await.status(), 401);
}

#[tokio::test]
async fn a_name_that_is_none_opens_nothing() {
    let app = test_app(|_| ()).await;
    let server = app.serve().await;
    let (ada, _, cookie) = somebody(&app, "ada@example.com").await;
    assert_eq!(book_of(&app, &ada).await, 1);
    let mut socket = Socket::open(server.address(), &cookie).await;
    for trick in TRICKS {
        let encoded: String = trick.bytes().map(|byte| format!("%{byte:02x}")).collect();
        let events = Events::ask(server.address(), &encoded, &[&format!("cookie: {cookie}")]).await;
        assert_eq!(events.status(), 404, "{trick:?}");
        socket.say(json!({ "subscribe": [trick] })).await;
        let refused = socket.next().await;
        assert_eq!((&refused["type"], &refused["status"]), (&json!("refused"), &json!(404)), "{trick:?}");
        assert_eq!(socket.next().await["channels"], json!([]), "{trick:?}");
        assert!(live(&app).broadcast(trick, "x").await.is_err(), "{trick:?}");
    }
    // Another spelling of the same key is another channel: nothing of the first is said there.
    socket.subscribe(&["books.01"]).await;
    live(&app).broadcast("books.1", "to the first").await.unwrap();
    live(&app).broadcast("news", "to all").await.unwrap();
    socket.subscribe(&["books.1"]).await;
    live(&app).broadcast("books.1", "to the first").await.unwrap();
    assert_eq!(socket.next().await["channel"], "books.1");
}

#[tokio::test]
async fn a_page_of_another_site_gets_no_stream() {
    let app = test_app(|config| config.allowed_origins = vec!["https://friend.test".into()]).await;
    let server = app.serve().await;
    let (_, _, cookie) = somebody(&app, "ada@example.com").await;
    let same = format!("http://{}", server.address());
    for (origin, is_let_in) in [
        (same.as_str(), true),
        ("https://friend.test", true),
        ("https://evil.test", false),
        ("null", false),
        ("https://friend.test.evil.test", false),
    ] {
        let socket =
            Socket::try_open(server.address(), &[("origin", origin), ("cookie", cookie.as_str())]).await;
        assert_eq!(socket.err(), (!is_let_in).then_some(403), "{origin}");
        let headers = [format!("origin: {origin}"), format!("cookie: {cookie}")];
        let events = Events::ask(server.address(), "news", &headers.each_ref().map(String::as_str)).await;
        assert_eq!(events.status(), if is_let_in { 200 } else { 403 }, "{origin}");
    }
}

#[tokio::test]
async fn nobody_opens_more_streams_than_allowed() {
    let app = test_app(|config| config.max_streams = 2).await;
    let server = app.serve().await;
    let (_, _, cookie) = somebody(&app, "ada@example.com").await;
    let header = format!("cookie: {cookie}");
    let one = Events::open(server.address(), "news", &[&header]).await;
    let _two = Socket::open(server.address(), &cookie).await;
    let three = Events::ask(server.address(), "news", &[&header]).await;
    assert_eq!(three.status(), 429, "{}", three.head);
    assert!(three.head.contains("retry-after: "), "{}", three.head);
    assert_eq!(Socket::try_open(server.address(), &[("cookie", cookie.as_str())]).await.err(), Some(429));
    // Nobody else is kept out by it, and who closes one may open one.
    Events::open(server.address(), "news", &[]).await;
    drop(one);
    housekey_test_support::until_async("a free place", async || {
        tokio::time::sleep(std::time::Duration::from_millis(300)).await;
        Events::ask(server.address(), "news", &[&header]).await.status() == 200
    })
    .await;
}

#[tokio::test]
async fn who_asks_too_much_or_nonsense_is_sent_away_and_told() {
    let app = test_app(|config| config.max_channels = 3).await;
    let server = app.serve().await;
    let many: Vec<String> = (0..4).map(|number| format!("rooms.{number}")).collect();
    assert_eq!(Events::ask(server.address(), &many.join(","), &[]).await.status(), 400);
    assert_eq!(Events::ask(server.address(), "", &[]).await.status(), 404);

    let mut socket = Socket::open(server.address(), "").await;
    socket.subscribe(&["rooms.0", "rooms.1"]).await;
    socket.say(json!({ "subscribe": ["rooms.1", "rooms.2"] })).await;
    assert_eq!(socket.next().await["type"], "subscribed");
    socket.say(json!({ "subscribe": ["rooms.3"] })).await;
    assert_eq!(socket.next().await, json!({ "closed": 4429 }));

    let mut socket = Socket::open(server.address(), "").await;
    for _ in 0..200 {
        socket.say(json!({ "unsubscribe": ["news"] })).await;
    }
    assert_eq!(socket.next().await, json!({ "closed": 4429 }));

    for nonsense in ["", "[]", "{}", "null", r#"{"subscribe":"news"}"#, r#"{"subscribe":[],"broadcast":1}"#] {
        let mut socket = Socket::open(server.address(), "").await;
        socket.send(Message::text(nonsense)).await;
        assert_eq!(socket.next().await, json!({ "closed": 4400 }), "{nonsense}");
    }
    // A frame that is too long is not read to its end.
    let mut socket = Socket::open(server.address(), "").await;
    socket.send(Message::text("x".repeat(20_000))).await;
    let closed = socket.next().await;
    assert!(closed.get("closed").is_some(), "{closed}");
}

// spec: WRK-3
#[tokio::test]
async fn many_channels_in_few_frames_are_too_much_as_well() {
    const FRAMES: usize = 40;
    let app = test_app(|_| ()).await;
    let server = app.serve().await;
    let mut socket = Socket::open(server.address(), "").await;
    let rooms: Vec<String> = (0..50).map(|number| format!("rooms.{number}")).collect();
    for _ in 0..FRAMES {
        socket.say(json!({ "subscribe": rooms })).await;
    }
    let mut answers = 0;
    let closed = loop {
        let frame = socket.next().await;
        if frame["type"] != "subscribed" {
            break frame;
        }
        answers += 1;
        assert!(answers < FRAMES, "every frame was answered");
    };
    assert_eq!(closed, json!({ "closed": 4429 }));
    assert!(answers >= 10, "500 names are not too many: {answers} frames were answered");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_does_not_read_is_dropped_and_told_while_others_hear_on() {
    let app = test_app(|config| config.queue = 8).await;
    let server = app.serve().await;
    let mut slow = Events::open(server.address(), "news", &[]).await;
    let mut quick = Socket::open(server.address(), "").await;
    quick.subscribe(&["news"]).await;
    let (live, long) = (live(&app), "x".repeat(60_000));
    // More than all buffers on the way hold.
    for _ in 0..400 {
        live.broadcast("news", &long).await.unwrap();
        assert_eq!(quick.message().await.as_str().map(str::len), Some(60_000));
    }
    let rest = slow.rest().await;
    assert!(rest.trim_end().ends_with(r#"data: {"reason":"slow"}"#), "{}", &rest[rest.len() - 100..]);
    assert!(rest.len() < 400 * 60_000);
}

#[tokio::test]
async fn what_is_no_stream_is_not_answered_as_one() {
    let app = test_app(|_| ()).await;
    let server = app.serve().await;
    let address = server.address();
    let ask = async |headers: &str| {
        let request = format!("GET /api/live?channels=news HTTP/1.0\r\nhost: x\r\n{headers}\r\n");
        Events::send(address, &request).await.status()
    };
    assert_eq!(ask("").await, 406);
    assert_eq!(ask("accept: */*\r\n").await, 406);
    app.post("/api/live").await.assert_status(405);
}
