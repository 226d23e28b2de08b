//! axum as its own examples use it: what people would write without us.

use std::io;

use axum::Router;
use axum::http::header::CONTENT_TYPE;
use axum::routing::get;
use axum::serve::ListenerExt;
use tokio::net::TcpListener;

use crate::Bodies;

pub(crate) async fn serve(listener: TcpListener, bodies: Bodies) -> io::Result<()> {
    let Bodies { health, landing } = bodies;
    let router = Router::new()
        .route("/health", get(async move || ([(CONTENT_TYPE, "application/json")], health.clone())))
        .route("/", get(async move || ([(CONTENT_TYPE, "text/html; charset=utf-8")], landing.clone())));
    let listener = listener.tap_io(|stream| {
        // As the other contestants do.
        let _ = stream.set_nodelay(true);
    });
    axum::serve(listener, router).await
}
