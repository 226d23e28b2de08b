//! The engine behind plain axum, without any framework: `cargo run -p housekey-engine --example axum`.

use std::net::{Ipv4Addr, SocketAddr};

use axum::Router;
use axum::body::{Body, Bytes, to_bytes};
use axum::extract::{ConnectInfo, Request, State};
use axum::response::Response;
use housekey_engine::options::{EmailAndPassword, EngineOptions, LinkMail};
use housekey_engine::plugins::{bearer, two_factor};
use housekey_engine::{BoxError, Callback, ClientAddress, Engine, MemoryStorage};

#[tokio::main]
async fn main() -> Result<(), BoxError> {
    let port: u16 = std::env::var("PORT").ok().and_then(|port| port.parse().ok()).unwrap_or(3000);
    let mut options = EngineOptions {
        secret: std::env::var("AUTH_SECRET").unwrap_or_default().into(),
        base_url: format!("http://localhost:{port}"),
        production: false,
        email_and_password: EmailAndPassword {
            enabled: true,
            send_reset_password: Callback::new(print_link),
            ..EmailAndPassword::default()
        },
        ..EngineOptions::default()
    };
    options.email_verification.send_verification_email = Callback::new(print_link);
    options.user.change_email.enabled = true;
    options.user.delete_user.enabled = true;
    let plugins = [two_factor(Default::default()), bearer(Default::default())];
    let engine = Engine::builder(options).plugins(plugins).build(MemoryStorage::new())?;

    let app = Router::new().fallback(serve).with_state(engine);
    let listener = tokio::net::TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await?;
    axum::serve(listener, app.into_make_service_with_connect_info::<SocketAddr>()).await?;
    Ok(())
}

async fn serve(
    State(engine): State<Engine>,
    ConnectInfo(client): ConnectInfo<SocketAddr>,
    request: Request,
) -> Response {
    let (mut parts, body) = request.into_parts();
    parts.extensions.insert(ClientAddress(client.ip()));
    let body = to_bytes(body, 1024 * 1024).await.unwrap_or_else(|_| Bytes::new());
    engine.handle(Request::from_parts(parts, body)).await.map(Body::from)
}

async fn print_link(mail: LinkMail) -> Result<(), BoxError> {
    use std::io::Write as _;
    writeln!(std::io::stderr(), "mail to {}: {}", mail.user.email, mail.url)?;
    Ok(())
}
