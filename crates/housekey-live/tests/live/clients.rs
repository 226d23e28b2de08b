//! A browser that listens, both ways.

use std::net::SocketAddr;

use futures_util::{SinkExt, StreamExt};
use housekey_test_support::in_time;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::{WebSocketStream, client_async};

/// An open stream of events. HTTP/1.0, so that nothing stands between the lines but the events.
pub(crate) struct Events {
    pub(crate) head: String,
    lines: BufReader<TcpStream>,
}

#[derive(Debug, Default, PartialEq)]
pub(crate) struct Event {
    pub(crate) id: String,
    pub(crate) kind: String,
    pub(crate) data: String,
}

impl Event {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.data).unwrap()
    }
}

impl Events {
    /// Asks for channels with these headers, `name: value` each.
    pub(crate) async fn ask(server: SocketAddr, channels: &str, headers: &[&str]) -> Self {
        let headers: String = headers.iter().map(|header| format!("{header}\r\n")).collect();
        let request = format!(
            "GET /api/live?channels={channels} HTTP/1.0\r\nhost: {server}\r\naccept: text/event-stream\r\n{headers}\r\n"
        );
        Self::send(server, &request).await
    }

    pub(crate) async fn send(server: SocketAddr, request: &str) -> Self {
        let mut socket = TcpStream::connect(server).await.unwrap();
        socket.write_all(request.as_bytes()).await.unwrap();
        let mut lines = BufReader::new(socket);
        let mut head = String::new();
        while !head.ends_with("\r\n\r\n") {
            let read = in_time("the head of an answer", lines.read_line(&mut head)).await.unwrap();
            assert!(read > 0, "the connection was closed: {head}");
        }
        Self { head, lines }
    }

    /// The same, and it must be let in.
    pub(crate) async fn open(server: SocketAddr, channels: &str, headers: &[&str]) -> Self {
        let mut events = Self::ask(server, channels, headers).await;
        assert_eq!(events.status(), 200, "{}", events.head);
        assert!(events.head.contains("content-type: text/event-stream"), "{}", events.head);
        assert_eq!(events.next().await.unwrap().kind, "open");
        events
    }

    pub(crate) fn status(&self) -> u16 {
        self.head.split(' ').nth(1).unwrap().parse().unwrap()
    }

    /// The next event that is one; `None` when the stream is over.
    pub(crate) async fn next(&mut self) -> Option<Event> {
        in_time("an event", async {
            let (mut event, mut has_data) = (Event::default(), false);
            loop {
                let mut line = String::new();
                if self.lines.read_line(&mut line).await.unwrap() == 0 {
                    return None;
                }
                match line.trim_end_matches('\n').split_once(": ") {
                    Some(("id", id)) => event.id = id.to_owned(),
                    Some(("event", kind)) => event.kind = kind.to_owned(),
                    Some(("data", data)) => (event.data, has_data) = (data.to_owned(), true),
                    _ if line == "\n" && has_data => return Some(event),
                    _ if line == "\n" => event = Event::default(),
                    _ => {}
                }
            }
        })
        .await
    }

    /// What the next message says.
    pub(crate) async fn message(&mut self) -> Value {
        let event = self.next().await.expect("a message, not the end");
        assert_eq!(event.kind, "", "{event:?}");
        event.json()["data"].clone()
    }

    /// Why the stream ends, and that it does.
    pub(crate) async fn end(&mut self) -> Value {
        let event = self.next().await.expect("a reason before the end");
        assert_eq!(event.kind, "close", "{event:?}");
        assert_eq!(self.next().await, None);
        event.json()
    }

    /// Everything that is left, as it was sent.
    pub(crate) async fn rest(&mut self) -> String {
        let mut rest = String::new();
        in_time("the rest", self.lines.read_to_string(&mut rest)).await.unwrap();
        rest
    }
}

/// An open websocket.
pub(crate) struct Socket(WebSocketStream<TcpStream>);

impl Socket {
    /// Opens one, or gives the status of the refusal.
    pub(crate) async fn try_open(server: SocketAddr, headers: &[(&'static str, &str)]) -> Result<Self, u16> {
        let mut request = format!("ws://{server}/api/live").into_client_request().unwrap();
        for (name, value) in headers {
            request.headers_mut().insert(*name, value.parse().unwrap());
        }
        let stream = TcpStream::connect(server).await.unwrap();
        match in_time("a handshake", client_async(request, stream)).await {
            Ok((socket, _)) => Ok(Self(socket)),
            Err(tokio_tungstenite::tungstenite::Error::Http(answer)) => Err(answer.status().as_u16()),
            Err(other) => panic!("{other}"),
        }
    }

    pub(crate) async fn open(server: SocketAddr, cookie: &str) -> Self {
        let headers: &[_] = if cookie.is_empty() { &[] } else { &[("cookie", cookie)] };
        Self::try_open(server, headers).await.unwrap_or_else(|status| panic!("refused with {status}"))
    }

    pub(crate) async fn say(&mut self, frame: Value) {
        self.send(Message::text(frame.to_string())).await;
    }

    pub(crate) async fn send(&mut self, message: Message) {
        // A socket that is being closed is told so by what it reads.
        let _ = self.0.send(message).await;
    }

    /// The next frame; a close is `{"closed": code}`, an end without one `{"closed": null}`.
    pub(crate) async fn next(&mut self) -> Value {
        loop {
            match in_time("a frame", self.0.next()).await {
                Some(Ok(Message::Text(text))) => {
                    let frame: Value = serde_json::from_str(&text).unwrap();
                    if frame["type"] != "ping" {
                        return frame;
                    }
                }
                Some(Ok(Message::Close(frame))) => {
                    return json!({ "closed": frame.map(|frame| u16::from(frame.code)) });
                }
                Some(Ok(_)) => {}
                Some(Err(_)) | None => return json!({ "closed": null }),
            }
        }
    }

    /// Subscribes, and must be let in.
    pub(crate) async fn subscribe(&mut self, channels: &[&str]) -> Value {
        self.say(json!({ "subscribe": channels })).await;
        let frame = self.next().await;
        assert_eq!(frame["type"], "subscribed", "{frame}");
        assert_eq!(frame["channels"].as_array().unwrap().len(), channels.len(), "{frame}");
        frame
    }

    /// What the next message says.
    pub(crate) async fn message(&mut self) -> Value {
        let frame = self.next().await;
        assert_eq!(frame["type"], "message", "{frame}");
        frame["data"].clone()
    }
}
