//! An app with accounts, as the tests of this crate use it.

use housekey_auth::engine::options::{ChangeEmail, EmailAndPassword, EngineOptions, UserOptions};
use housekey_auth::engine::plugins::bearer;
use housekey_auth::engine::{Callback, Plugins};
use housekey_auth::{Action, Auth, AuthConfig, AuthProvider, Demands};
use housekey_core::{Config, ConfigFiles};
use housekey_engine_sql::SqlStorage;
use housekey_http::{App, Routes};
use housekey_mail::MailProvider;
use housekey_notifications::NotificationsProvider;
use housekey_test_support::in_time;
use housekey_testing::{TestApp, TestResponse};
use serde_json::json;

pub(crate) const PASSWORD: &str = "correct horse battery";

/// What an app of the kits turns on.
pub(crate) fn options() -> EngineOptions {
    EngineOptions {
        secret: "a secret of the tests, with more than 32 characters".into(),
        email_and_password: EmailAndPassword { enabled: true, ..Default::default() },
        user: UserOptions {
            change_email: ChangeEmail {
                enabled: true,
                update_email_without_verification: true,
                send_change_email_confirmation: Callback::unset(),
                ..Default::default()
            },
            ..Default::default()
        },
        ..Default::default()
    }
}

/// The same as the app's configuration, with bearer tokens.
pub(crate) fn config() -> AuthConfig {
    AuthConfig {
        plugins: Plugins::from([bearer(Default::default())]),
        engine: options(),
        ..AuthConfig::default()
    }
}

/// For tests in which an endpoint is a means to an end. What actions ask for has tests of its own, in `doors`.
pub(crate) fn nothing_asked() -> Demands {
    Action::ALL.into_iter().fold(Demands::default(), |demands, action| demands.ask(action, []))
}

pub(crate) fn app_with(config: AuthConfig, routes: fn(&mut Routes)) -> App {
    App::new(ConfigFiles::new())
        .configure(move |all: &mut Config| all.update::<AuthConfig>(|auth| *auth = config))
        .provider(MailProvider::new())
        .provider(NotificationsProvider::new())
        .provider(AuthProvider)
        .routes(routes)
}

/// Boots an app with these settings and routes, and makes its tables.
pub(crate) async fn test_app(
    change: impl Fn(&mut AuthConfig) + Send + Sync + 'static,
    routes: fn(&mut Routes),
) -> TestApp {
    let app = TestApp::new(move || {
        let mut auth = AuthConfig { demands: nothing_asked(), ..config() };
        change(&mut auth);
        app_with(auth, routes)
    });
    make_tables(&app).await;
    app
}

pub(crate) async fn make_tables(app: &TestApp) {
    let auth = app.services().require::<Auth>().unwrap();
    SqlStorage::new(auth.database().unwrap()).create_tables(auth.engine().schema()).await.unwrap();
}

/// Signs somebody up through the engine's own endpoint; the visitor is signed in afterwards.
pub(crate) async fn sign_up(app: &TestApp, email: &str) -> TestResponse {
    let body = json!({ "name": email.split('@').next(), "email": email, "password": PASSWORD });
    let answer = engine_post(app, "sign-up/email", &body).await;
    answer.assert_ok();
    answer
}

pub(crate) async fn sign_in(app: &TestApp, email: &str, password: &str) -> TestResponse {
    engine_post(app, "sign-in/email", &json!({ "email": email, "password": password })).await
}

pub(crate) async fn engine_post(app: &TestApp, path: &str, body: &serde_json::Value) -> TestResponse {
    let origin = app.config().get::<AuthConfig>().engine.base_url.clone();
    app.post(&format!("/api/auth/{path}")).header("origin", &origin).json(body).await
}

/// Opens a websocket by hand and reads the first short text that comes.
pub(crate) async fn first_socket_message(address: std::net::SocketAddr, path: &str, cookies: &str) -> String {
    in_time("a message", socket_message(address, path, cookies)).await
}

async fn socket_message(address: std::net::SocketAddr, path: &str, cookies: &str) -> String {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    let mut socket = tokio::net::TcpStream::connect(address).await.unwrap();
    let request = format!(
        "GET {path} HTTP/1.1\r\nhost: {address}\r\ncookie: {cookies}\r\nconnection: upgrade\r\nupgrade: websocket\r\n\
         sec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    );
    socket.write_all(request.as_bytes()).await.unwrap();
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        head.push(socket.read_u8().await.unwrap());
    }
    assert!(head.starts_with(b"HTTP/1.1 101"), "{}", String::from_utf8_lossy(&head));
    // A text frame: one byte of kind, one of length (below 126), then the text.
    assert_eq!(socket.read_u8().await.unwrap(), 0x81);
    let length = socket.read_u8().await.unwrap();
    let mut text = vec![0; length.into()];
    socket.read_exact(&mut text).await.unwrap();
    String::from_utf8(text).unwrap()
}
