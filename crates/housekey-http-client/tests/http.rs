//! An app's client against real hosts on this machine, and against fakes.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::io::{self, Write};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use bytes::Bytes;
use futures_util::{StreamExt, TryStreamExt, stream};
use housekey_http_client::{FakeAnswer, Http, HttpClientConfig, HttpError, HttpResponse, Multipart};
use housekey_test_support::ClosedPort;
use http::{HeaderMap, HeaderValue, StatusCode};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// Ends a test that hangs, and decides nothing else.
const DEADLINE: Duration = Duration::from_secs(60);

fn http() -> Http {
    Http::new(&HttpClientConfig::default()).timeout(DEADLINE)
}

fn at_home() -> Http {
    http().allow_private_addresses()
}

/// A host that answers one after the other, the last one again and again, and keeps what it was asked.
struct Host {
    url: String,
    asked: Arc<Mutex<Vec<String>>>,
}

impl Host {
    async fn answering<A: Into<String>>(answers: impl IntoIterator<Item = A>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let asked = Arc::new(Mutex::new(Vec::new()));
        let answers: Vec<String> = answers.into_iter().map(Into::into).collect();
        let kept = asked.clone();
        tokio::spawn(async move {
            let mut turn = 0;
            while let Ok((mut stream, _)) = listener.accept().await {
                let Some(request) = read(&mut stream).await else { continue };
                kept.lock().unwrap().push(request);
                let _ = stream.write_all(answers[turn.min(answers.len() - 1)].as_bytes()).await;
                let _ = stream.shutdown().await;
                turn += 1;
            }
        });
        Self { url, asked }
    }

    fn asked(&self) -> Vec<String> {
        self.asked.lock().unwrap().clone()
    }
}

/// A request with its body, which has a length or comes in chunks.
async fn read(stream: &mut TcpStream) -> Option<String> {
    let (mut seen, mut piece) = (Vec::new(), [0; 4096]);
    loop {
        let count = stream.read(&mut piece).await.ok()?;
        seen.extend_from_slice(&piece[..count]);
        let text = String::from_utf8_lossy(&seen).into_owned();
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let head = head.to_lowercase();
            let length = head.lines().find_map(|line| line.strip_prefix("content-length: "));
            let is_whole = match length {
                Some(length) => body.len() >= length.parse().ok()?,
                None if head.contains("transfer-encoding: chunked") => body.ends_with("0\r\n\r\n"),
                None => true,
            };
            if is_whole {
                return Some(text);
            }
        }
        if count == 0 {
            return None;
        }
    }
}

fn answer(status: &str, headers: &str, body: &str) -> String {
    format!("HTTP/1.1 {status}\r\n{headers}content-length: {}\r\n\r\n{body}", body.len())
}

#[tokio::test]
async fn an_answer_is_read_as_what_it_should_be() {
    let host = Host::answering([answer("200 OK", "", r#"{"eur":1.1}"#), answer("200 OK", "", "hello")]).await;
    let http = at_home().base_url(&host.url).bearer("s3cret").header("x-app", "shelf");
    let rates: Value = http.get("/rates").query(&[("of", "us dollar")]).json().await.unwrap();
    assert_eq!(rates["eur"], 1.1);
    assert_eq!(http.get("hello").text().await.unwrap(), "hello");
    let asked = host.asked();
    assert!(asked[0].starts_with("GET /rates?of=us+dollar HTTP/1.1\r\n"), "{}", asked[0]);
    for header in
        ["authorization: Bearer s3cret", "x-app: shelf", "accept: application/json", "user-agent: housekey"]
    {
        assert!(asked[0].contains(header), "{header}: {}", asked[0]);
    }
}

#[tokio::test]
async fn bodies_are_sent_in_every_form() {
    let host = Host::answering([answer("201 Created", "", "")]).await;
    let http = at_home().base_url(&host.url).basic("ada", "p:w");
    let pieces = stream::iter(["one", "two"].map(|piece| io::Result::Ok(Bytes::from(piece))));
    http.post("/").with_json(&json!({ "a": 1 })).send().await.unwrap();
    http.put("/").with_form(&[("a b", "c&d")]).send().await.unwrap();
    http.patch("/").with_stream("text/plain", pieces).send().await.unwrap();
    let file = Multipart::new().text("title", "Dune").file("cover", "a\"\r\nx: y.png", "image/png", "png");
    http.post("/").with_multipart(file).send().await.unwrap();
    let pieces = stream::iter([io::Result::Ok(Bytes::from("streamed"))]);
    let file = Multipart::new().file_stream("cover", "b.png", "image/png", pieces).text("last", "one");
    http.post("/").with_multipart(file).send().await.unwrap();

    let asked = host.asked();
    assert!(
        asked[0].ends_with(r#"{"a":1}"#) && asked[0].contains("content-type: application/json"),
        "{}",
        asked[0]
    );
    assert!(asked[0].contains("authorization: Basic YWRhOnA6dw=="), "{}", asked[0]);
    assert!(asked[1].starts_with("PUT / ") && asked[1].ends_with("a+b=c%26d"), "{}", asked[1]);
    assert!(asked[2].contains("one") && asked[2].contains("two"), "{}", asked[2]);
    assert!(asked[3].contains("name=\"title\"\r\n\r\nDune\r\n"), "{}", asked[3]);
    // A name cannot bring a header of its own.
    assert!(
        asked[3].contains("filename=\"a%22%0D%0Ax: y.png\"") && !asked[3].contains("\nx: y"),
        "{}",
        asked[3]
    );
    assert!(asked[4].contains("streamed") && asked[4].contains("name=\"last\"\r\n\r\none"), "{}", asked[4]);
}

#[tokio::test]
async fn a_status_that_is_no_success_is_an_error_that_knows_it() {
    let host = Host::answering([answer("404 Not Found", "", "secret words")]).await;
    let http = at_home().base_url(&host.url);
    let error = http.get("/tokens/hunter2").json::<Value>().await.unwrap_err();
    assert_eq!(error.status(), Some(StatusCode::NOT_FOUND));
    assert!(!error.to_string().contains("hunter2") && !error.to_string().contains("secret"), "{error}");
    assert_eq!(http.get("/").send().await.unwrap().status, 404);
    let error =
        at_home().get(&Host::answering([answer("200 OK", "", "secret")]).await.url).json::<Value>().await;
    assert!(!error.unwrap_err().to_string().contains("secret"));
}

#[tokio::test]
async fn a_host_of_our_own_network_is_not_asked_unless_that_is_allowed() {
    let host = Host::answering([answer("200 OK", "", "inside")]).await;
    let port = host.url.rsplit(':').next().unwrap();
    for place in [
        "http://127.0.0.1",
        "https://127.0.0.1",
        "https://localhost",
        "https://[::1]",
        "https://[::ffff:127.0.0.1]",
        "https://2130706433",
        "https://0x7f.1",
        "https://169.254.169.254",
        "https://10.0.0.1",
    ] {
        let error = http().get(&format!("{place}:{port}/")).text().await.unwrap_err();
        assert!(error.is_refused(), "{place}: {error}");
        // A test with a fake sees the same.
        let faked = http();
        faked.fake([("*", "inside")]);
        assert!(faked.get(&format!("{place}:{port}/")).text().await.unwrap_err().is_refused(), "{place}");
    }
    assert_eq!(host.asked(), [""; 0]);
    assert_eq!(at_home().get(&host.url).text().await.unwrap(), "inside");
}

#[tokio::test]
async fn a_redirect_is_followed_and_a_token_stays_where_it_was_meant_for() {
    let here =
        Host::answering([answer("302 Found", "location: /b?c=d\r\n", ""), answer("200 OK", "", "b")]).await;
    let http = at_home().base_url(&here.url).bearer("s3cret");
    assert_eq!(http.post("/a").with_form(&[("x", "y")]).text().await.unwrap(), "b");
    let asked = here.asked();
    assert!(asked[1].starts_with("GET /b?c=d ") && asked[1].contains("Bearer s3cret"), "{}", asked[1]);
    assert!(!asked[1].contains("x=y") && !asked[1].contains("content-type"), "{}", asked[1]);

    // Another origin, among fakes, where it can be one on the internet.
    let http = self::http().base_url("https://a.example").bearer("s3cret").header("x-api-key", "s3cret");
    let fake = http.fake([("https://b.example/", "elsewhere")]);
    fake.answer("https://a.example/", redirect(302, "https://b.example/"));
    assert_eq!(http.get("/").text().await.unwrap(), "elsewhere");
    let requests = fake.requests();
    assert!(requests[0].has_header("authorization", "Bearer s3cret"));
    let told: Vec<&str> = requests[1].headers.keys().map(http::HeaderName::as_str).collect();
    assert_eq!(told, ["user-agent"]);
}

#[tokio::test]
async fn a_redirect_leads_neither_into_our_network_nor_out_of_tls_nor_round_in_circles() {
    let inside = Host::answering([answer("200 OK", "", "inside")]).await;
    let port = inside.url.rsplit(':').next().unwrap().to_owned();
    let other = inside.url.replace("127.0.0.1", "localhost");
    let hop = Host::answering([answer("302 Found", &format!("location: {other}/\r\n"), "")]).await;
    // Whom we allowed to be private may not send us to others who are.
    assert!(at_home().get(&hop.url).text().await.unwrap_err().is_refused());
    assert_eq!(inside.asked(), [""; 0]);

    let http = http();
    let fake = http.fake([("https://a.example/away", redirect(307, "https://b.example/"))]);
    for place in
        [format!("https://127.0.0.1:{port}/"), "http://b.example/".into(), "file:///etc/passwd".into()]
    {
        fake.answer("https://a.example/", redirect(302, &place));
        assert!(http.get("https://a.example/").text().await.unwrap_err().is_refused(), "{place}");
    }
    // What was sent to one host is not handed to another.
    let error =
        http.post("https://a.example/away").with_json(&json!({ "card": 4111 })).send().await.unwrap_err();
    assert!(error.is_refused(), "{error}");
    fake.assert_not_sent("https://b.example/*");

    fake.answer("https://a.example/round", redirect(302, "/round"));
    let before = fake.requests().len();
    let error = http.clone().redirects(3).get("https://a.example/round").send().await.unwrap_err();
    assert!(error.to_string().contains("more than 3 redirects"), "{error}");
    assert_eq!(fake.requests().len() - before, 4);
    assert_eq!(http.redirects(0).get("https://a.example/round").send().await.unwrap().status, 302);
}

#[tokio::test]
async fn what_may_happen_twice_is_tried_again_and_nothing_else() {
    let shaky = || [answer("503 Busy", "retry-after: 0\r\n", ""), answer("200 OK", "", "there")];
    let host = Host::answering(shaky()).await;
    assert_eq!(at_home().retry(2).get(&host.url).text().await.unwrap(), "there");
    assert_eq!(host.asked().len(), 2);

    let host = Host::answering(shaky()).await;
    assert_eq!(at_home().retry(2).post(&host.url).with_body("a/b", "c").send().await.unwrap().status, 503);
    assert_eq!(host.asked().len(), 1, "a POST could pay twice");

    let host = Host::answering(shaky()).await;
    let http = at_home().retry(2);
    let paid = http.post(&host.url).header("idempotency-key", "7").with_body("a/b", "c").text();
    assert_eq!(paid.await.unwrap(), "there");
    assert_eq!(host.asked().len(), 2);

    let host = Host::answering(shaky()).await;
    let once = stream::iter([io::Result::Ok(Bytes::from("once"))]);
    assert_eq!(http.put(&host.url).with_stream("a/b", once).send().await.unwrap().status, 503);
    assert_eq!(host.asked().len(), 1, "a stream is gone when it was sent");

    // Nobody is there, each time.
    let gone = ClosedPort::take().unwrap();
    let url = format!("http://{}/", gone.address());
    assert!(at_home().retry(1).get(&url).send().await.unwrap_err().is_unreachable());
}

#[tokio::test]
async fn a_host_that_hangs_or_never_stops_is_left() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/hunter2", listener.local_addr().unwrap());
    let quick = at_home().timeout(Duration::from_millis(200));
    let error = quick.get(&url).text().await.unwrap_err();
    assert!(error.is_timeout() && !error.to_string().contains("hunter2"), "{error}");

    let large = Host::answering([answer("200 OK", "", &"x".repeat(100_000))]).await;
    let error = at_home().max_response_size(50_000).get(&large.url).bytes().await.unwrap_err();
    assert!(error.to_string().contains("longer than 50000 bytes"), "{error}");
    assert_eq!(at_home().get(&large.url).bytes().await.unwrap().len(), 100_000);
    // A stream has no limit, and an end before the end is an error.
    let small = at_home().max_response_size(10);
    let whole = small.get(&large.url).stream().await.unwrap();
    let pieces: Vec<Bytes> = whole.try_collect().await.unwrap();
    assert_eq!(pieces.iter().map(Bytes::len).sum::<usize>(), 100_000);
    let cut = Host::answering(["HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhalf"]).await;
    let pieces: Vec<_> = at_home().get(&cut.url).stream().await.unwrap().collect().await;
    assert!(pieces.last().unwrap().is_err());
}

#[tokio::test]
async fn a_header_with_a_line_of_its_own_is_not_sent() {
    let fake = http();
    fake.fake([("*", 200)]);
    for bad in [
        fake.clone().bearer("a\r\nx-admin: yes").get("https://a.example/"),
        fake.get("https://a.example/").header("x-name", "a\nb"),
        fake.get("https://a.example/").header("x name", "a"),
    ] {
        let error = bad.send().await.unwrap_err();
        assert!(error.is_refused() && !error.to_string().contains("x-admin"), "{error}");
    }
}

#[tokio::test]
async fn a_request_that_no_fake_answers_fails_and_is_remembered() {
    let http = http();
    let fake = http.fake([("https://a.example/*", json!({ "a": 1 }))]);
    let error = http.get("https://b.example/hunter2?token=hunter2").send().await.unwrap_err();
    assert!(error.is_refused() && !error.to_string().contains("hunter2"), "{error}");
    assert_eq!(fake.take_unexpected(), ["GET https://b.example/hunter2"]);
    assert_eq!(fake.take_unexpected(), [""; 0]);
}

#[tokio::test]
async fn fakes_answer_by_pattern_in_turn_and_by_hand() {
    let http = http().retry(2);
    let fake = http.fake([("https://a.example/*", 404)]);
    fake.answer("https://a.example/books", json!([1, 2]))
        .answer(
            "POST https://a.example/books",
            FakeAnswer::with(|request| request.json::<Value>().unwrap().into()),
        )
        .answer("https://down.example/*", HttpError::unreachable("the cable is cut"))
        .answer("https://shaky.example/", FakeAnswer::in_turn([503, 429, 200]));
    assert_eq!(http.get("https://a.example/books?page=2").json::<Vec<u8>>().await.unwrap(), [1, 2]);
    let echo: Value =
        http.post("https://a.example/books").with_json(&json!({ "a": 1 })).json().await.unwrap();
    assert_eq!(echo["a"], 1);
    assert_eq!(http.get("https://a.example/cds").send().await.unwrap().status, 404);
    assert!(http.get("https://down.example/").send().await.unwrap_err().is_unreachable());
    assert!(http.get("https://shaky.example/").text().await.is_ok());
    fake.assert_sent("POST https://a.example/books", |request| {
        request.has_header("content-type", "application/json")
    })
    .assert_not_sent("DELETE *")
    .assert_sent_count(3 + 3 + 3);
    let failed = std::panic::catch_unwind(|| {
        fake.assert_sent("https://c.example/", |_| true);
    });
    let said = failed.unwrap_err().downcast::<String>().unwrap();
    assert!(said.contains("POST https://a.example/books"), "{said}");
}

/// A log that a test can read.
#[derive(Clone, Default)]
struct Lines(Arc<Mutex<Vec<u8>>>);

impl Write for Lines {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        Write::write(&mut *self.0.lock().unwrap(), bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[tokio::test(flavor = "current_thread")]
async fn the_log_has_no_secret_of_a_request() {
    let lines = Lines::default();
    let writer = lines.clone();
    let log = tracing_subscriber::fmt()
        .with_ansi(false)
        .with_max_level(tracing::Level::TRACE)
        .with_writer(move || writer.clone());
    let _log = tracing::subscriber::set_default(log.finish());
    let host = Host::answering([answer("200 OK", "set-cookie: hunter2\r\n", "hunter2")]).await;
    let http =
        at_home().base_url(&host.url).bearer("hunter2").basic("ada", "hunter2").header("x-key", "hunter2");
    let call =
        http.post("/hunter2").query(&[("token", "hunter2")]).with_json(&json!({ "password": "hunter2" }));
    assert!(!format!("{call:?} {http:?}").contains("hunter2"));
    call.send().await.unwrap();
    let gone = at_home().get("https://hunter2@a.invalid/hunter2?hunter2").send().await.unwrap_err();
    assert!(!gone.to_string().contains("hunter2"), "{gone}");
    let text = String::from_utf8(lines.0.lock().unwrap().clone()).unwrap();
    assert!(text.contains("asked another host") && text.contains("status=200"), "{text}");
    assert!(!text.contains("hunter2"), "{text}");
}

fn redirect(status: u16, to: &str) -> HttpResponse {
    let headers = HeaderMap::from_iter([(http::header::LOCATION, HeaderValue::from_str(to).unwrap())]);
    HttpResponse { status: StatusCode::from_u16(status).unwrap(), headers, body: Bytes::new() }
}
