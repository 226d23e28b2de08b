//! The auth engine behind a plain axum server: no framework, one page that knows who is there.

use std::error::Error;
use std::net::SocketAddr;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::{ConnectInfo, Request, State};
use axum::response::Response;
use axum::routing::{any, get};
use housekey_engine::options::{EmailAndPassword, EngineOptions};
use housekey_engine::{ClientAddress, Engine, MemoryStorage};
use http::{HeaderMap, StatusCode};

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:3000").await?;
    let options = EngineOptions {
        // Without a secret the engine makes one up, and a restart signs everyone out. `production: true` refuses that.
        secret: std::env::var("AUTH_SECRET").unwrap_or_default().into(),
        production: false,
        base_url: "http://localhost:3000".into(),
        email_and_password: EmailAndPassword { enabled: true, ..Default::default() },
        ..Default::default()
    };
    let app = Router::new()
        .route("/", get(hello))
        .route("/api/auth/{*path}", any(auth))
        .with_state(Engine::build(options, MemoryStorage::new())?)
        .into_make_service_with_connect_info::<SocketAddr>();
    Ok(axum::serve(listener, app).await?)
}

/// Hands a request to the engine and its answer back.
async fn auth(
    State(engine): State<Engine>,
    ConnectInfo(client): ConnectInfo<SocketAddr>,
    request: Request,
) -> Result<Response, StatusCode> {
    let (mut parts, body) = request.into_parts();
    let body = to_bytes(body, 64 * 1024).await.map_err(|_| StatusCode::PAYLOAD_TOO_LARGE)?;
    parts.extensions.insert(ClientAddress(client.ip()));
    Ok(engine.handle(Request::from_parts(parts, body)).await.map(Body::from))
}

async fn hello(State(engine): State<Engine>, headers: HeaderMap) -> Result<String, StatusCode> {
    let session = engine.session(&headers).await.map_err(|_| StatusCode::INTERNAL_SERVER_ERROR)?;
    Ok(session
        .map_or_else(|| "Hello, stranger\n".into(), |signed_in| format!("Hello, {}\n", signed_in.user.name)))
}
