//! Serves the auth engine for the conformance suite.
//!
//! `housekey-conformance-server <port>` reads a [`Setup`] as one line of JSON from its input, prints the address it
//! listens on, and serves until its input closes: whoever started it can die without leaving it behind.
//!
//! Besides the engine it has paths of its own: `GET /harness/mails` hands over the mails since the last time, `POST
//! /harness/clock?advance=<milliseconds>` moves the clock, `GET /harness/endpoints` lists what is served, `POST /harness/verify`
//! checks a token as another service would, and `POST /harness/api-keys/…` does what only server code can do with API keys.

mod api_key;
mod devices;
mod hooks;
mod jwt;
mod mail_sign_in;
mod names;
mod organization;
mod postbox;
mod rerouting;
mod setup;

use std::error::Error;
use std::io::{BufRead, Read, Write};
use std::time::Duration;

use axum::Json;
use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::{Query, Request, State};
use axum::response::Response;
use axum::routing::{get, post};
use housekey_engine::{Clock, Engine};
use http::StatusCode;
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::sync::oneshot;

use postbox::Postbox;
use setup::Setup;

/// Longer than what the engine refuses, so that it is the engine that refuses.
const LONGEST_BODY: usize = 4 * 1024 * 1024;

#[derive(Clone)]
struct Harness {
    engine: Engine,
    clock: Clock,
    postbox: Postbox,
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    // What the engine logs as an error is the reason of a 500; the suite's own output shows it.
    tracing_subscriber::fmt()
        .with_max_level(tracing_subscriber::filter::LevelFilter::ERROR)
        .with_writer(std::io::stderr)
        .init();
    let port: u16 = std::env::args().nth(1).ok_or("name a port; 0 takes a free one")?.parse()?;
    let mut line = String::new();
    std::io::stdin().lock().read_line(&mut line)?;
    let setup: Setup = serde_json::from_str(&line)?;

    let listener = TcpListener::bind(("127.0.0.1", port)).await?;
    let origin = setup.origin(listener.local_addr()?.port());
    let (clock, postbox) = (setup.clock()?, Postbox::default());
    let engine = setup.engine(&origin, &postbox, clock.clone()).await?;
    let app = Router::new()
        .route("/harness/mails", get(mails))
        .route("/harness/clock", post(advance))
        .route("/harness/endpoints", get(endpoints))
        .route("/harness/api-keys/create", post(api_key::create))
        .route("/harness/api-keys/verify", post(api_key::verify))
        .route("/harness/verify", post(jwt::verify))
        .fallback(answer)
        .with_state(Harness { engine, clock, postbox });

    writeln!(std::io::stdout().lock(), "{origin}")?;
    let end = end_of_input();
    tokio::select! {
        served = axum::serve(listener, app) => served?,
        _ = end => {}
    }
    Ok(())
}

/// Resolves when whoever started this process is gone or has closed its end.
fn end_of_input() -> oneshot::Receiver<()> {
    let (ended, end) = oneshot::channel();
    std::thread::spawn(move || {
        let _ = std::io::stdin().lock().read_to_end(&mut Vec::new());
        let _ = ended.send(());
    });
    end
}

/// Everything that is not ours is the engine's.
async fn answer(State(harness): State<Harness>, request: Request) -> Result<Response, StatusCode> {
    let (parts, body) = request.into_parts();
    let body = to_bytes(body, LONGEST_BODY).await.map_err(|_| StatusCode::PAYLOAD_TOO_LARGE)?;
    Ok(harness.engine.handle(Request::from_parts(parts, body)).await.map(Body::from))
}

async fn mails(State(harness): State<Harness>) -> Json<Vec<Value>> {
    Json(harness.postbox.empty())
}

#[derive(Deserialize)]
struct Advance {
    advance: u64,
}

async fn advance(State(harness): State<Harness>, Query(Advance { advance }): Query<Advance>) {
    harness.clock.advance(Duration::from_millis(advance));
}

async fn endpoints(State(harness): State<Harness>) -> Json<Vec<Value>> {
    let all = harness.engine.endpoints().iter();
    Json(
        all.map(|endpoint| json!({ "method": endpoint.method().as_str(), "path": endpoint.path() }))
            .collect(),
    )
}
