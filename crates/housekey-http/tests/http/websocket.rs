use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use housekey_http::session::session;
use housekey_http::websocket::{Message, SocketContext, WebSocket, WebSocketUpgrade};
use housekey_http::{App, Response, Routes, request_id};
use housekey_test_support::in_time;
use tokio::io::AsyncReadExt;

use crate::http::support::{Running, Wire, app, with_http};

/// Answers each message with what the socket knows.
async fn talk(upgrade: WebSocketUpgrade) -> Response {
    session().put("name", "Ada").unwrap();
    upgrade.context().set(42_u32);
    upgrade.allow_origins(["https://friend.test"]).on_upgrade(
        async |mut socket: WebSocket, context: SocketContext| {
            while let Some(Ok(Message::Text(question))) = socket.recv().await {
                let answer = match question.as_str() {
                    "ambient" => format!("{:?}", request_id()),
                    "entered" => {
                        context
                            .enter(async {
                                (request_id().as_deref() == Some(context.request_id())).to_string()
                            })
                            .await
                    }
                    "ip" => context.client_ip().unwrap().to_string(),
                    "name" => context.session().get::<String>("name").await.unwrap().unwrap_or_default(),
                    "slot" => context.get::<u32>().unwrap().to_string(),
                    other => other.to_uppercase(),
                };
                if socket.send(Message::Text(answer.into())).await.is_err() {
                    break;
                }
            }
        },
    )
}

fn talking() -> App {
    app(|route: &mut Routes| {
        route.get("/talk", talk);
    })
}

async fn open(server: &Running, origin: &str) -> (Wire, String) {
    let mut wire = server.connect().await;
    let origin = if origin.is_empty() { String::new() } else { format!("origin: {origin}\r\n") };
    wire.write(
        format!(
            "GET /talk HTTP/1.1\r\nhost: shop.test\r\nconnection: upgrade\r\nupgrade: websocket\r\n{origin}\
             sec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
        )
        .as_bytes(),
    )
    .await;
    let answer = wire.answer().await;
    (wire, answer)
}

/// One short text message there and back.
async fn ask(wire: &mut Wire, question: &str) -> String {
    let mut frame = vec![0x81, 0x80 | u8::try_from(question.len()).unwrap(), 1, 2, 3, 4];
    frame.extend(question.bytes().enumerate().map(|(at, byte)| byte ^ [1, 2, 3, 4][at % 4]));
    wire.write(&frame).await;
    String::from_utf8(frame_of(wire, 0x81).await).unwrap()
}

/// What the next frame carries, which must be of this kind.
async fn frame_of(wire: &mut Wire, kind: u8) -> Vec<u8> {
    let mut head = [0; 2];
    in_time("a frame", wire.0.read_exact(&mut head)).await.unwrap();
    assert_eq!(head[0], kind);
    let mut content = vec![0; usize::from(head[1])];
    in_time("the rest of a frame", wire.0.read_exact(&mut content)).await.unwrap();
    content
}

#[tokio::test]
async fn a_socket_knows_its_request_but_nothing_is_ambient_in_it() {
    let server = Running::start(talking()).await;
    let (mut wire, answer) = open(&server, "http://shop.test").await;
    assert!(answer.starts_with("HTTP/1.1 101"), "{answer}");
    assert!(answer.contains("set-cookie: "), "the handshake saves the session: {answer}");
    assert_eq!(ask(&mut wire, "hello").await, "HELLO");
    assert_eq!(ask(&mut wire, "ambient").await, "None");
    assert_eq!(ask(&mut wire, "entered").await, "true");
    assert_eq!(ask(&mut wire, "ip").await, "127.0.0.1");
    assert_eq!(ask(&mut wire, "name").await, "Ada");
    assert_eq!(ask(&mut wire, "slot").await, "42");
    drop(wire);
    server.stop().await.unwrap();
}

#[tokio::test]
async fn another_site_cannot_open_a_socket_unless_it_is_allowed() {
    let server = Running::start(talking()).await;
    for stranger in ["https://evil.test", "null", "http://shop.test.evil.test"] {
        let (_, answer) = open(&server, stranger).await;
        assert!(answer.starts_with("HTTP/1.1 403"), "{stranger}: {answer}");
    }
    for friend in ["", "https://friend.test", "http://SHOP.test"] {
        let (_, answer) = open(&server, friend).await;
        assert!(answer.starts_with("HTTP/1.1 101"), "{friend}: {answer}");
    }
    server.stop().await.unwrap();
}

/// A close frame, and 1001 for "going away".
const CLOSE: u8 = 0x88;
const GOING_AWAY: [u8; 2] = 1001_u16.to_be_bytes();

#[tokio::test]
async fn a_server_that_stops_tells_its_sockets_and_waits_until_they_are_closed() {
    let server = Running::start(talking()).await;
    let (mut wire, _) = open(&server, "").await;
    assert_eq!(ask(&mut wire, "hello").await, "HELLO");
    let stopped = server.stop();
    assert_eq!(frame_of(&mut wire, CLOSE).await[..2], GOING_AWAY);
    assert!(!stopped.is_finished(), "the client has not closed yet");
    wire.write(&[CLOSE, 0x82, 0, 0, 0, 0, GOING_AWAY[0], GOING_AWAY[1]]).await;
    in_time("the server to stop", stopped).await.unwrap();
    assert_eq!(wire.rest().await, "");
}

#[tokio::test]
async fn a_socket_that_does_not_close_is_cut_off_after_the_grace_period() {
    let server = Running::start(with_http(talking(), |http| http.shutdown_grace = 1)).await;
    let (mut wire, _) = open(&server, "").await;
    assert_eq!(ask(&mut wire, "hello").await, "HELLO");
    let stopped = server.stop();
    assert_eq!(frame_of(&mut wire, CLOSE).await[..2], GOING_AWAY);
    in_time("the server to stop", stopped).await.unwrap();
    assert_eq!(wire.rest().await, "");
}

#[tokio::test]
async fn an_open_socket_counts_as_a_connection() {
    let served = Arc::new(AtomicUsize::new(0));
    let count = served.clone();
    let app = app(move |route: &mut Routes| {
        route.get("/talk", talk);
        route.get("/", async move || {
            count.fetch_add(1, Ordering::SeqCst);
            "hello"
        });
    });
    let server = Running::start(with_http(app, |http| http.max_connections = 1)).await;
    let (mut socket, _) = open(&server, "").await;
    let mut other = server.connect().await;
    other.write(b"GET / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n").await;
    for _ in 0..20 {
        assert_eq!(ask(&mut socket, "hello").await, "HELLO");
    }
    assert_eq!(served.load(Ordering::SeqCst), 0, "the only place is the socket's");
    drop(socket);
    assert!(other.rest().await.ends_with("hello"));
    server.stop().await.unwrap();
}

#[tokio::test]
async fn a_plain_request_to_a_socket_is_refused() {
    let server = Running::start(talking()).await;
    let text = server.exchange(b"GET /talk HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n").await;
    assert!(text.starts_with("HTTP/1.1 400 "), "{text}");
    assert!(text.ends_with("Connection header did not include 'upgrade'"), "{text}");
    server.stop().await.unwrap();
}
