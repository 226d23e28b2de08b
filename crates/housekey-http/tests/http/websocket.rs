use housekey_http::session::session;
use housekey_http::websocket::{Message, SocketContext, WebSocket, WebSocketUpgrade};
use housekey_http::{App, Response, Routes, request_id};
use tokio::io::AsyncReadExt;

use crate::support::{Running, Wire, app};

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
    let mut head = [0; 2];
    wire.0.read_exact(&mut head).await.unwrap();
    let mut text = vec![0; usize::from(head[1])];
    wire.0.read_exact(&mut text).await.unwrap();
    String::from_utf8(text).unwrap()
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

#[tokio::test]
async fn a_plain_request_to_a_socket_is_refused() {
    let server = Running::start(talking()).await;
    let text = server.exchange(b"GET /talk HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n").await;
    assert!(text.starts_with("HTTP/1.1 400 "), "{text}");
    assert!(text.ends_with("Connection header did not include 'upgrade'"), "{text}");
    server.stop().await.unwrap();
}
