//! The client that speaks to real providers, with real sockets: where it does not go, and how long it listens.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use housekey_engine::http_client::TlsClient;
use housekey_engine::options::{EngineOptions, Shared};
use housekey_test_support::in_time;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};

use crate::social::imitation::parameter;
use crate::social::start;
use crate::support::TestEngine;

/// A server on this machine that counts who knocks and answers by path.
struct Server {
    port: u16,
    knocks: Arc<AtomicUsize>,
}

/// What it does when a path is asked for.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Mood {
    Hangs,
    /// Sends for ever.
    Streams,
    /// Says that it will send very much, and sends very little.
    Drips,
    Fails,
    Garbage,
    Redirects,
    Closes,
    /// Sends headers for ever.
    EndlessHead,
}

impl Server {
    async fn new(mood: Mood) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let knocks = Arc::new(AtomicUsize::new(0));
        let count = Arc::clone(&knocks);
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                count.fetch_add(1, Ordering::SeqCst);
                tokio::spawn(async move { drop(serve(stream, port, mood).await) });
            }
        });
        Self { port, knocks }
    }

    fn knocks(&self) -> usize {
        self.knocks.load(Ordering::SeqCst)
    }
}

async fn serve(mut stream: TcpStream, port: u16, mood: Mood) -> std::io::Result<()> {
    let mut head = vec![0; 16 * 1024];
    let read = stream.read(&mut head).await?;
    let head = String::from_utf8_lossy(&head[..read]).into_owned();
    let path = head.split(' ').nth(1).unwrap_or_default();
    let json = |document: Value| {
        let body = document.to_string();
        format!(
            "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
            body.len()
        )
    };
    if path.starts_with("/.well-known/openid-configuration") {
        let at = |path: &str| format!("http://127.0.0.1:{port}{path}");
        let document = json!({
            "issuer": at(""), "authorization_endpoint": at("/authorize"), "token_endpoint": at("/token"),
            "jwks_uri": at("/keys"), "userinfo_endpoint": at("/me"),
            "id_token_signing_alg_values_supported": ["ES256"],
        });
        stream.write_all(json(document).as_bytes()).await?;
        return Ok(());
    }
    match mood {
        Mood::Hangs => tokio::time::sleep(Duration::from_secs(600)).await,
        Mood::Streams => {
            stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n").await?;
            loop {
                stream.write_all(&[b'['; 16 * 1024]).await?;
            }
        }
        Mood::Drips => {
            stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n").await?;
            loop {
                stream.write_all(b" ").await?;
                tokio::time::sleep(Duration::from_millis(100)).await;
            }
        }
        Mood::Fails => stream.write_all(b"HTTP/1.1 500 Oops\r\ncontent-length: 0\r\n\r\n").await?,
        Mood::Garbage => stream.write_all(&[0xff; 400]).await?,
        Mood::Redirects => {
            let location = format!("http://127.0.0.1:{port}/elsewhere");
            let head = format!("HTTP/1.1 302 Found\r\nlocation: {location}\r\ncontent-length: 0\r\n\r\n");
            stream.write_all(head.as_bytes()).await?;
        }
        Mood::Closes => {}
        Mood::EndlessHead => {
            stream.write_all(b"HTTP/1.1 200 OK\r\n").await?;
            loop {
                stream.write_all(b"x-more: and more and more and more and more\r\n").await?;
            }
        }
    }
    Ok(())
}

fn engine(discovery: &str, change: impl FnOnce(&mut EngineOptions)) -> TestEngine {
    let mut options = crate::social::options();
    let acme = json!({ "clientId": "id", "clientSecret": "secret", "discoveryUrl": discovery });
    options.social_providers = serde_json::from_value(json!({ "acme": acme })).unwrap();
    change(&mut options);
    TestEngine::new(options)
}

#[tokio::test]
// spec: SOC-8
async fn a_discovery_address_inside_our_own_network_is_not_asked() {
    let server = Server::new(Mood::Fails).await;
    let port = server.port;
    for host in [
        "http://127.0.0.1",
        "https://127.0.0.1",
        "http://localhost",
        "https://localhost",
        "http://[::1]",
        "http://0.0.0.0",
        "http://[::ffff:127.0.0.1]",
        "http://2130706433",
        "http://0x7f.1",
        "http://127.1",
        "http://user@127.0.0.1",
        "https://[::]",
    ] {
        let test = engine(&format!("{host}:{port}/.well-known/openid-configuration"), |_| {});
        let answer = test.browser().post("/sign-in/social", json!({ "provider": "acme" })).await;
        answer.refused(404, "PROVIDER_NOT_FOUND");
        assert_eq!(server.knocks(), 0, "{host} was asked");
    }
    for address in [
        "http://169.254.169.254/latest/meta-data/",
        "file:///etc/passwd",
        "gopher://127.0.0.1:70/",
        "ftp://x/",
    ] {
        let test = engine(address, |_| {});
        // From here on time passes as soon as everybody waits: for an address that is tried, until the client gives up.
        tokio::time::pause();
        let began = tokio::time::Instant::now();
        let answer = test.browser().post("/sign-in/social", json!({ "provider": "acme" })).await;
        answer.refused(404, "PROVIDER_NOT_FOUND");
        assert!(began.elapsed() < Duration::from_secs(2), "{address} was not even tried");
        tokio::time::resume();
    }
}

#[tokio::test]
// spec: SOC-8
async fn token_and_profile_addresses_inside_our_own_network_are_not_asked_either() {
    let server = Server::new(Mood::Fails).await;
    let at = |path: &str| format!("http://127.0.0.1:{}{path}", server.port);
    let mut options = crate::social::options();
    let plain = json!({
        "clientId": "id", "clientSecret": "secret", "authorizationUrl": "https://plain.test/authorize",
        "tokenUrl": at("/token"), "userInfoUrl": at("/me"),
    });
    options.social_providers = serde_json::from_value(json!({ "plain": plain })).unwrap();
    let test = TestEngine::new(options);
    let mut browser = test.browser();
    let page = start(&mut browser, "plain").await;
    let state = parameter(&page, "state").unwrap();
    browser.get(&format!("/callback/plain?code=c&state={state}")).await.assert_failed("invalid_code");
    assert_eq!(server.knocks(), 0);
}

#[tokio::test]
// spec: SOC-8
async fn where_private_addresses_are_allowed_they_are_asked() {
    let server = Server::new(Mood::Fails).await;
    let discovery = format!("http://127.0.0.1:{}/.well-known/openid-configuration", server.port);
    let test = engine(&discovery, |options| options.social.allow_private_addresses = true);
    start(&mut test.browser(), "acme").await;
    assert_eq!(server.knocks(), 1);
}

#[tokio::test]
// spec: SOC-8
async fn a_provider_that_hangs_streams_or_talks_nonsense_costs_a_page_and_a_moment() {
    for mood in [
        Mood::Hangs,
        Mood::Streams,
        Mood::Drips,
        Mood::Fails,
        Mood::Garbage,
        Mood::Redirects,
        Mood::Closes,
        Mood::EndlessHead,
    ] {
        let server = Server::new(mood).await;
        let discovery = format!("http://127.0.0.1:{}/.well-known/openid-configuration", server.port);
        let test = engine(&discovery, |options| {
            let client = TlsClient::new(true).with_timeout(Duration::from_secs(1));
            options.social.http_client = Shared::new(Arc::new(client));
        });
        let mut browser = test.browser();
        let page = start(&mut browser, "acme").await;
        let state = parameter(&page, "state").unwrap();
        let knocks = server.knocks();
        let back = format!("/callback/acme?code=c&state={state}");
        let answer = in_time("the end of the client's second", browser.get(&back)).await;
        assert_eq!(answer.error().1.as_deref(), Some("invalid_code"), "{mood:?}: {answer:?}");
        answer.assert_failed("invalid_code");
        assert_eq!(server.knocks(), knocks + 1, "{mood:?}: asked once, and nowhere else");
        for table in ["user", "account", "session", "verification"] {
            assert!(test.rows(table).await.is_empty(), "{mood:?} {table}");
        }
    }
}

#[tokio::test]
// spec: SOC-8
async fn nobody_is_waited_for_longer_than_ten_seconds() {
    let server = Server::new(Mood::Hangs).await;
    let discovery = format!("http://127.0.0.1:{}/.well-known/openid-configuration", server.port);
    let test = engine(&discovery, |options| options.social.allow_private_addresses = true);
    let mut browser = test.browser();
    let page = start(&mut browser, "acme").await;
    let state = parameter(&page, "state").unwrap();
    // From here on time passes as soon as everybody waits.
    tokio::time::pause();
    let began = tokio::time::Instant::now();
    browser.get(&format!("/callback/acme?code=c&state={state}")).await.assert_failed("invalid_code");
    assert!(began.elapsed() <= Duration::from_secs(11), "{:?}", began.elapsed());
}
