use std::net::SocketAddr;
use std::time::{Duration, Instant};

use housekey_core::{AppConfig, Environment};
use housekey_http::HttpConfig;
use housekey_mail::MailConfig;
use housekey_test_support::{ClosedPort, happens, in_time};
use housekey_testing::{TestApp, TestServer};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::log::Log;
use crate::mail::smtp_server::{SmtpServer, by_smtp};
use crate::mail::{ADA, NEW, app, make_verified};
use crate::support::{PASSWORD, make_tables};

const BOB: &str = "bob@example.com";
const NOBODY: &str = "nobody@example.com";

/// An app whose mail goes to the server on this port, on the machine's clock.
async fn test_app(port: u16, grace: u64) -> TestApp {
    let booted = TestApp::new(|| app(|_| ())).with_config(move |config| {
        config.update::<AppConfig>(|app| app.env = Environment::Development);
        config.update::<MailConfig>(|mail| by_smtp(mail, port));
        config.update::<HttpConfig>(|http| http.shutdown_grace = grace);
    });
    let booted = booted.with_running_clock();
    make_tables(&booted).await;
    booted
}

/// An answer over a socket: a visitor does not wait for what a [`TestApp`] waits for.
#[derive(Debug, PartialEq)]
struct Answer {
    status: String,
    /// Without those that are different for any two answers.
    headers: Vec<String>,
    body: String,
}

struct Visitor {
    server: SocketAddr,
    cookies: String,
}

impl Visitor {
    fn to(server: &TestServer) -> Self {
        Self { server: server.address(), cookies: String::new() }
    }

    async fn post(&self, path: &str, body: &Value) -> Answer {
        in_time(path, self.ask(path, &body.to_string())).await
    }

    async fn ask(&self, path: &str, body: &str) -> Answer {
        let mut socket = TcpStream::connect(self.server).await.unwrap();
        let head = format!(
            "POST /api/auth/{path} HTTP/1.1\r\nhost: localhost\r\norigin: http://localhost:3000\r\ncookie: {}\r\n\
             accept-language: de\r\nconnection: close\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n",
            self.cookies,
            body.len()
        );
        socket.write_all(head.as_bytes()).await.unwrap();
        socket.write_all(body.as_bytes()).await.unwrap();
        let mut text = String::new();
        socket.read_to_string(&mut text).await.unwrap();
        let (head, body) = text.split_once("\r\n\r\n").unwrap();
        let (status, headers) = head.split_once("\r\n").unwrap();
        let varies = |line: &&str| !line.starts_with("date:") && !line.starts_with("x-request-id:");
        let headers = headers.lines().filter(varies).map(str::to_owned).collect();
        Answer { status: status.to_owned(), headers, body: body.to_owned() }
    }

    async fn signed_up(server: &TestServer, email: &str) -> Self {
        let mut visitor = Self::to(server);
        let body = json!({ "name": "Ada", "email": email, "password": PASSWORD });
        let answer = visitor.post("sign-up/email", &body).await;
        assert_eq!(answer.status, "HTTP/1.1 200 OK", "{answer:?}");
        let cookies = answer.headers.iter().filter_map(|line| line.strip_prefix("set-cookie: "));
        let cookies: Vec<&str> = cookies.filter_map(|cookie| cookie.split(';').next()).collect();
        visitor.cookies = cookies.join("; ");
        visitor
    }
}

/// Asks for everything that mails somebody, once for an address that is known and once for one that is not. The answers
/// must be the same.
async fn ask_for_everything(app: &TestApp, server: &TestServer) {
    let ada = Visitor::signed_up(server, ADA).await;
    let _bob = Visitor::signed_up(server, BOB).await;
    let guest = Visitor::to(server);
    for path in ["send-verification-email", "request-password-reset"] {
        let known = guest.post(path, &json!({ "email": BOB })).await;
        let unknown = guest.post(path, &json!({ "email": NOBODY })).await;
        assert_eq!(known.status, "HTTP/1.1 200 OK", "{path}: {known:?}");
        assert_eq!(known, unknown, "{path}");
    }
    make_verified(app, ADA).await;
    let known = ada.post("change-email", &json!({ "newEmail": BOB })).await;
    let unknown = ada.post("change-email", &json!({ "newEmail": NEW })).await;
    assert_eq!(known.status, "HTTP/1.1 200 OK", "{known:?}");
    assert_eq!(known, unknown);
}

// spec: SEC-5
#[tokio::test]
async fn no_answer_waits_for_a_mail_server_and_none_tells_whether_an_address_is_known() {
    let smtp = SmtpServer::closed().await;
    let app = test_app(smtp.port(), 20).await;
    let server = app.serve().await;
    // Every answer came while the mail server had not said a word.
    ask_for_everything(&app, &server).await;
    assert_eq!(smtp.taken(), [""; 0]);

    smtp.open();
    in_time("the mails", app.wait_for_background()).await;
    let taken = smtp.taken();
    let to = |address: &str| taken.iter().filter(|mail| mail.contains(&format!("To: {address}"))).count();
    // Two links at sign-up, one sent again, a reset, a change of address: nothing is lost, and nobody else is written to.
    assert_eq!((to(ADA), to(BOB), taken.len()), (2, 3, 5), "{taken:#?}");
}

// spec: SEC-5
#[tokio::test]
async fn a_mail_server_that_is_down_is_logged_and_changes_no_answer() {
    let log = Log::of_process();
    let down = ClosedPort::take().unwrap();
    let app = test_app(down.address().port(), 20).await;
    let server = app.serve().await;
    ask_for_everything(&app, &server).await;
    in_time("the mails", app.wait_for_background()).await;
    let said = log.text();
    for what in ["sendVerificationEmail", "sendResetPassword", "sendChangeEmailConfirmation"] {
        let line = said.lines().find(|line| line.contains(what) && line.contains("\"level\":\"ERROR\""));
        assert!(line.is_some_and(|line| !line.contains("token=")), "{what}: {line:?}");
    }
}

// spec: SEC-5
#[tokio::test]
async fn answers_about_addresses_come_no_sooner_than_their_floor() {
    let down = ClosedPort::take().unwrap();
    let app = test_app(down.address().port(), 20).await;
    let server = app.serve().await;
    let ada = Visitor::signed_up(&server, ADA).await;
    let _bob = Visitor::signed_up(&server, BOB).await;
    let guest = Visitor::to(&server);
    make_verified(&app, ADA).await;
    for (visitor, path, field) in [
        (&guest, "request-password-reset", "email"),
        (&guest, "send-verification-email", "email"),
        (&ada, "change-email", "newEmail"),
    ] {
        for address in [BOB, NOBODY] {
            let begun = Instant::now();
            visitor.post(path, &json!({ field: address })).await;
            assert!(begun.elapsed() >= Duration::from_millis(500), "{path} of {address}");
        }
    }
}

// spec: SEC-5, NTF-6
#[tokio::test]
async fn a_server_that_stops_hands_over_the_mail_that_is_on_its_way() {
    let smtp = SmtpServer::closed().await;
    let app = test_app(smtp.port(), 600).await;
    let server = app.serve().await;
    Visitor::signed_up(&server, ADA).await;

    let stopping = tokio::spawn(server.stop());
    tokio::task::yield_now().await;
    assert!(!stopping.is_finished(), "the mail is not sent yet");
    smtp.open();
    in_time("the end of the server", stopping).await.unwrap();
    assert_eq!(smtp.taken().len(), 1);
}

// spec: SEC-5
#[tokio::test]
async fn what_cannot_be_handed_over_in_time_is_named_in_the_log() {
    let log = Log::of_process();
    let smtp = SmtpServer::closed().await;
    let app = test_app(smtp.port(), 0).await;
    let server = app.serve().await;
    Visitor::signed_up(&server, ADA).await;
    in_time("the end of the server", server.stop()).await;
    happens("the line in the log", || {
        log.text().lines().any(|line| {
            line.contains("sendVerificationEmail") && line.contains("was not done before the process ended")
        })
    })
    .await;
    assert_eq!(app.application().background().under_way(), [""; 0]);
    assert_eq!(smtp.taken(), [""; 0]);
}
