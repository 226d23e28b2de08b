use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll};

use axum::extract::{FromRef, State};
use axum::middleware::{from_fn as axum_from_fn, map_response};
use housekey_http::guard::from_fn;
use housekey_http::{Next, Request, Response, Routes, request_id};
use http::{HeaderValue, Method};
use tower::util::MapRequestLayer;
use tower::{Layer, Service};

use crate::http::support::{Client, app, client};

async fn stamped(mut response: Response) -> Response {
    response.headers_mut().insert("x-stamped", HeaderValue::from_static("yes"));
    response
}

/// A middleware as axum's own users write it.
async fn marked(mut request: Request, next: axum::middleware::Next) -> Response {
    let way = request.headers().get("x-way").map_or("", |way| way.to_str().unwrap()).to_owned();
    request.headers_mut().insert("x-way", format!("{way}axum ").parse().unwrap());
    next.run(request).await
}

async fn ours(mut request: Request, next: Next) -> housekey_core::Result<Response> {
    let way = request.headers().get("x-way").map_or("", |way| way.to_str().unwrap()).to_owned();
    request.headers_mut().insert("x-way", format!("{way}ours ").parse()?);
    Ok(next.run(request).await)
}

async fn way(request: Request) -> String {
    assert!(request_id().is_some(), "the handler is still inside the request");
    request.headers()["x-way"].to_str().unwrap().to_owned()
}

#[tokio::test]
async fn a_tower_layer_on_a_group_wraps_every_route_in_it() {
    let client = client(app(|route: &mut Routes| {
        route.group().prefix("/in").layer(map_response(stamped)).routes(|route| {
            route.get("/a", async || "a");
            route.post("/b", async |body: String| body).without_csrf();
        });
        route.get("/out", async || "out");
    }));
    assert_eq!(client.get("/in/a").await.header("x-stamped"), "yes");
    let posted = client.send(Method::POST, "/in/b", &[], axum::body::Body::from("body")).await;
    assert_eq!((posted.header("x-stamped"), posted.text()), ("yes", "body"));
    assert!(!client.get("/out").await.headers.contains_key("x-stamped"));
}

#[tokio::test]
async fn layers_and_guards_run_in_the_order_they_are_written() {
    let application = app(|route: &mut Routes| {
        route.group().layer(axum_from_fn(marked)).middleware(from_fn("ours", ours)).routes(|route| {
            route.get("/w/{id}", way).layer(axum_from_fn(marked)).middleware(from_fn("ours", ours));
        });
    })
    .boot()
    .unwrap();
    let client = Client::new(&application);
    assert_eq!(client.get("/w/1").await.text(), "axum ours axum ours ");
    let shown: Vec<String> = application
        .routes()
        .iter()
        .filter(|route| route.path() == "/w/{id}")
        .flat_map(|route| route.guard_labels().map(str::to_owned))
        .collect();
    assert_eq!(shown, ["FromFnLayer", "ours", "FromFnLayer", "ours"]);
}

/// Counts how often it is put together, and over all requests what passes.
#[derive(Clone, Default)]
struct Counting(Arc<AtomicUsize>);

#[derive(Clone)]
struct Counted<S> {
    inner: S,
    passed: Arc<AtomicUsize>,
}

impl<S> Layer<S> for Counting {
    type Service = Counted<S>;

    fn layer(&self, inner: S) -> Counted<S> {
        self.0.fetch_add(1, Ordering::Relaxed);
        Counted { inner, passed: Arc::default() }
    }
}

impl<S: Service<Request, Response = Response>> Service<Request> for Counted<S> {
    type Response = S::Response;
    type Error = S::Error;
    type Future = S::Future;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.inner.poll_ready(context)
    }

    fn call(&mut self, mut request: Request) -> S::Future {
        let passed = self.passed.fetch_add(1, Ordering::Relaxed) + 1;
        request.headers_mut().insert("x-way", passed.into());
        self.inner.call(request)
    }
}

#[tokio::test]
async fn a_layer_is_put_together_once_and_shared_by_all_requests() {
    let counting = Counting::default();
    let layer = counting.clone();
    let client = client(app(move |route: &mut Routes| {
        route.group().layer(layer).routes(|route| {
            route.get("/a", way);
            route.get("/b", way);
        });
    }));
    let mut passed = Vec::new();
    for path in ["/a", "/b", "/a"] {
        passed.push(client.get(path).await.text().to_owned());
    }
    assert_eq!(passed, ["1", "2", "3"]);
    assert_eq!(counting.0.load(Ordering::Relaxed), 1);
}

/// Fails, as a timeout or a full queue would.
#[derive(Clone)]
struct Failing;

impl<S> Layer<S> for Failing {
    type Service = Self;

    fn layer(&self, _: S) -> Self {
        Self
    }
}

impl Service<Request> for Failing {
    type Response = Response;
    type Error = io::Error;
    type Future = std::future::Ready<io::Result<Response>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, _: Request) -> Self::Future {
        std::future::ready(Err(io::Error::other("the queue is full")))
    }
}

#[tokio::test]
async fn a_layer_that_fails_or_loses_the_request_is_an_error_of_ours() {
    let client = client(app(|route: &mut Routes| {
        route.get("/fails", async || "never").layer(Failing);
        route.get("/loses", async || "never").layer(MapRequestLayer::new(|_: Request| Request::default()));
    }));
    for path in ["/fails", "/loses"] {
        let answer = client.get(path).await;
        assert_eq!(answer.status, 500, "{path}");
        assert!(!answer.text().contains("queue"), "{path}");
    }
}

#[derive(Clone)]
struct Shop(&'static str);

impl FromRef<()> for Shop {
    fn from_ref((): &()) -> Self {
        Self("keys")
    }
}

#[tokio::test]
async fn a_handler_takes_state_of_a_type_that_says_where_it_comes_from() {
    let client = client(app(|route: &mut Routes| {
        route.get("/shop", async |State(shop): State<Shop>| shop.0);
    }));
    assert_eq!(client.get("/shop").await.text(), "keys");
}
