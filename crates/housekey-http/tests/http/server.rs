use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use axum::body::{Body, Bytes};
use futures_util::{StreamExt, stream};
use housekey_http::{App, Routes};
use housekey_test_support::happens;

use crate::http::support::{Door, Running, app, with_http};

fn simple() -> App {
    app(|route: &mut Routes| {
        route.get("/", async || "hello");
        route.post("/echo", async |body: Bytes| body).without_csrf();
        route.get("/ip", async || housekey_http::client_ip().unwrap().to_string());
    })
}

fn statuses(text: &str) -> Vec<&str> {
    text.split("HTTP/1.1 ").skip(1).filter_map(|answer| answer.split(' ').next()).collect()
}

#[tokio::test]
async fn it_answers_over_a_socket_and_keeps_the_connection() {
    let server = Running::start(simple()).await;
    let mut wire = server.connect().await;
    for _ in 0..3 {
        wire.write(b"GET /ip HTTP/1.1\r\nhost: x\r\n\r\n").await;
        let answer = wire.answer().await;
        assert!(
            answer.starts_with("HTTP/1.1 200 OK\r\n") && answer.ends_with("\r\n\r\n127.0.0.1"),
            "{answer}"
        );
        assert!(answer.contains("\r\nx-request-id: "), "{answer}");
    }
    wire.write(b"POST /echo HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n")
        .await;
    assert!(wire.answer().await.ends_with("abc"));
    server.stop().await.unwrap();
}

/// Browsers read no answer before they have sent their form.
#[tokio::test]
async fn who_sends_everything_before_listening_still_hears_that_it_was_too_much() {
    let app = app(|route: &mut Routes| {
        route.post("/upload", async |body: Bytes| body.len().to_string()).without_csrf();
        route.post("/form", async |body: Bytes| body.len().to_string());
    });
    let server = Running::start(with_http(app, |http| http.body_limit = 1000)).await;
    let size = 20 * 1024 * 1024;
    // A form whose beginning is looked at for `_method`, and a visitor who has no session any more.
    for (path, status, size) in [("/upload", "413", size), ("/form", "413", size), ("/form", "419", 900)] {
        let mut wire = server.connect().await;
        let head = format!(
            "POST {path} HTTP/1.1\r\nhost: x\r\ncontent-type: multipart/form-data; boundary=X\r\ncontent-length: {size}\r\n\r\n"
        );
        wire.write(head.as_bytes()).await;
        wire.write(&vec![b'x'; size]).await;
        let answer = wire.answer().await;
        assert_eq!(statuses(&answer), [status], "{path}: {answer}");
    }
    server.stop().await.unwrap();
}

#[tokio::test]
async fn pipelined_requests_are_answered_in_order_and_garbage_behind_them_is_400() {
    let server = Running::start(simple()).await;
    let text = server
        .exchange(b"GET / HTTP/1.1\r\nhost: x\r\n\r\nGET /ip HTTP/1.1\r\nhost: x\r\n\r\n\x16\x03\x01\x02garbage\r\n\r\n")
        .await;
    assert_eq!(statuses(&text), ["200", "200", "400"], "{text}");
    assert!(text.find("hello").unwrap() < text.find("127.0.0.1").unwrap());
    server.stop().await.unwrap();
}

#[tokio::test]
async fn malformed_requests_are_refused_and_the_server_lives_on() {
    let server = Running::start(simple()).await;
    let long = format!("GET /{} HTTP/1.1\r\nhost: x\r\n\r\n", "a".repeat(200_000));
    let many = format!("GET / HTTP/1.1\r\nhost: x\r\n{}\r\n", "x-y: z\r\n".repeat(2000));
    let requests: [&[u8]; 9] = [
        b"\x00\x01\x02\x03\r\n\r\n",
        b"GET\r\n\r\n",
        b"GET / HTTP/9.9\r\n\r\n",
        b"GET / HTTP/1.1\r\nbad header\r\n\r\n",
        b"POST /echo HTTP/1.1\r\nhost: x\r\ncontent-length: -1\r\n\r\n",
        b"POST /echo HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab",
        b"POST /echo HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n",
        long.as_bytes(),
        many.as_bytes(),
    ];
    for request in requests {
        let text = server.exchange(request).await;
        let status: Vec<_> = statuses(&text);
        let shown = String::from_utf8_lossy(&request[..request.len().min(60)]);
        assert!(matches!(status.as_slice(), ["400" | "414" | "431"]), "{shown:?} was answered {text:?}");
        assert!(!text.contains("panicked"));
    }
    let raw = server.exchange(b"GET /caf\xc3\xa9 HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n").await;
    assert!(matches!(statuses(&raw).as_slice(), ["400" | "404"]), "{raw}");
    let raw = server.exchange(b"GET /\xff\xfe HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n").await;
    assert!(matches!(statuses(&raw).as_slice(), ["400" | "404"]), "{raw}");
    let fine = server.exchange(b"GET / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n").await;
    assert_eq!(statuses(&fine), ["200"]);
    server.stop().await.unwrap();
}

#[tokio::test]
async fn an_oversize_body_is_413_before_it_is_read() {
    let server = Running::start(with_http(simple(), |http| http.body_limit = 10)).await;
    let text = server
        .exchange(
            b"POST /echo HTTP/1.1\r\nhost: x\r\ncontent-length: 1000000000\r\nconnection: close\r\n\r\n",
        )
        .await;
    assert_eq!(statuses(&text), ["413"]);
    server.stop().await.unwrap();
}

#[tokio::test]
async fn a_client_that_dawdles_over_its_headers_is_let_go_and_blocks_nobody() {
    let server = Running::start(with_http(simple(), |http| http.header_timeout = 1)).await;
    let mut slow = server.connect().await;
    slow.write(b"GET / HTTP/1.1\r\nhost:").await;
    let quick = server.exchange(b"GET / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n").await;
    assert_eq!(statuses(&quick), ["200"]);
    // Closed without a word: an answer would only tell a dawdler that it pays to go on.
    assert_eq!(slow.rest().await, "");
    server.stop().await.unwrap();
}

#[tokio::test]
async fn an_idle_connection_is_let_go_and_a_stream_that_pauses_is_not() {
    let door = Door::default();
    let inside = door.clone();
    let app = app(move |route: &mut Routes| {
        route.get("/stream", async move || {
            let parts = stream::once(async { Bytes::from("first ") }).chain(stream::once(async move {
                inside.pass().await;
                Bytes::from("second")
            }));
            Body::from_stream(parts.map(Ok::<_, std::io::Error>))
        });
        route.get("/", async || "hello");
    });
    let server = Running::start(with_http(app, |http| http.header_timeout = 1)).await;
    let mut streaming = server.connect().await;
    streaming.write(b"GET /stream HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n").await;
    door.someone_waits().await;
    let mut idle = server.connect().await;
    idle.write(b"GET / HTTP/1.1\r\nhost: x\r\n\r\n").await;
    // Closed by the server; the paused stream has been waiting for longer by then.
    assert!(idle.rest().await.ends_with("hello"));
    door.open();
    let text = streaming.rest().await;
    assert!(text.contains("first ") && text.contains("second"), "{text}");
    server.stop().await.unwrap();
}

/// Tells when it is dropped.
struct Noticed(Arc<AtomicUsize>);

impl Drop for Noticed {
    fn drop(&mut self) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }
}

#[tokio::test]
async fn a_client_that_does_not_read_its_answer_is_let_go() {
    let dropped = Arc::new(AtomicUsize::new(0));
    let noticed = dropped.clone();
    let app = app(move |route: &mut Routes| {
        route.get("/endless", async move || {
            let held = Noticed(noticed.clone());
            let parts = stream::repeat(Bytes::from(vec![b'x'; 64 * 1024])).map(move |part| {
                let _ = &held;
                Ok::<_, std::io::Error>(part)
            });
            Body::from_stream(parts)
        });
    });
    let server = Running::start(with_http(app, |http| http.write_timeout = 1)).await;
    let mut never_reads = server.connect().await;
    never_reads.write(b"GET /endless HTTP/1.1\r\nhost: x\r\n\r\n").await;
    happens("the server to give up on its reader", || dropped.load(Ordering::SeqCst) == 1).await;
    server.stop().await.unwrap();
}

#[tokio::test]
async fn stopping_finishes_what_is_in_flight_and_takes_nothing_new() {
    let door = Door::default();
    let inside = door.clone();
    let server = Running::start(app(move |route: &mut Routes| {
        route.get("/slow", async move || {
            inside.pass().await;
            "finished"
        });
    }))
    .await;
    let address = server.address;
    let mut idle = server.connect().await;
    let mut busy = server.connect().await;
    busy.write(b"GET /slow HTTP/1.1\r\nhost: x\r\n\r\n").await;
    door.someone_waits().await;
    let stopped = server.stop();
    // The idle connection is closed at once, which also tells us that the stop has begun.
    assert_eq!(idle.rest().await, "");
    assert!(tokio::net::TcpStream::connect(address).await.is_err(), "the port is closed");
    assert!(!stopped.is_finished());
    door.open();
    let text = busy.rest().await;
    assert_eq!(statuses(&text), ["200"]);
    assert!(text.ends_with("finished"), "{text}");
    assert!(text.contains("connection: close"), "{text}");
    stopped.await.unwrap();
}

#[tokio::test]
async fn what_does_not_finish_within_the_grace_period_is_cut_off() {
    let door = Door::default();
    let inside = door.clone();
    let app = app(move |route: &mut Routes| {
        route.get("/never", async move || inside.pass().await);
    });
    let server = Running::start(with_http(app, |http| http.shutdown_grace = 1)).await;
    let mut busy = server.connect().await;
    busy.write(b"GET /never HTTP/1.1\r\nhost: x\r\n\r\n").await;
    door.someone_waits().await;
    server.stop().await.unwrap();
    assert_eq!(busy.rest().await, "");
}

#[tokio::test]
async fn connections_beyond_the_limit_wait_for_a_place() {
    const LIMIT: usize = 2;
    let door = Door::default();
    let inside = door.clone();
    // How many are being served, and how many were at most.
    let served = Arc::new((AtomicUsize::new(0), AtomicUsize::new(0)));
    let counts = served.clone();
    let app = app(move |route: &mut Routes| {
        let (slow, quick) = (counts.clone(), counts);
        route.get("/slow", async move || {
            serving(&slow, inside.pass()).await;
        });
        route.get("/", async move || {
            // Gives the others every chance to come in as well.
            let a_while = async {
                for _ in 0..500 {
                    tokio::task::yield_now().await;
                }
            };
            serving(&quick, a_while).await;
            "hello"
        });
    });
    let server = Running::start(with_http(app, |http| http.max_connections = LIMIT)).await;
    let mut first = server.connect().await;
    first.write(b"GET /slow HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n").await;
    door.someone_waits().await;
    let mut others = Vec::new();
    for _ in 0..8 {
        let mut other = server.connect().await;
        other.write(b"GET / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n").await;
        others.push(other);
    }
    for other in &mut others {
        assert!(other.rest().await.ends_with("hello"));
    }
    door.open();
    first.rest().await;
    assert_eq!(served.1.load(Ordering::SeqCst), LIMIT, "served at the same time");
    server.stop().await.unwrap();
}

async fn serving(served: &(AtomicUsize, AtomicUsize), work: impl Future<Output = ()>) {
    let now = served.0.fetch_add(1, Ordering::SeqCst) + 1;
    served.1.fetch_max(now, Ordering::SeqCst);
    work.await;
    served.0.fetch_sub(1, Ordering::SeqCst);
}

#[tokio::test]
async fn this_machine_may_have_any_number_of_connections() {
    let server = Running::start(with_http(simple(), |http| http.max_connections_per_address = 1)).await;
    let mut wires = Vec::new();
    for _ in 0..3 {
        let mut wire = server.connect().await;
        wire.write(b"GET / HTTP/1.1\r\nhost: x\r\n\r\n").await;
        assert!(wire.answer().await.ends_with("hello"));
        wires.push(wire);
    }
    drop(wires);
    server.stop().await.unwrap();
}

#[tokio::test]
async fn a_panic_in_a_handler_ends_one_answer_not_the_connection() {
    let server = Running::start(app(|route: &mut Routes| {
        route.get("/panic", async || -> &'static str { panic!("boom") });
        route.get("/", async || "hello");
    }))
    .await;
    let mut wire = server.connect().await;
    wire.write(b"GET /panic HTTP/1.1\r\nhost: x\r\n\r\n").await;
    assert!(wire.answer().await.starts_with("HTTP/1.1 500"));
    wire.write(b"GET / HTTP/1.1\r\nhost: x\r\n\r\n").await;
    assert!(wire.answer().await.ends_with("hello"));
    server.stop().await.unwrap();
}
