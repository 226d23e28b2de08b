use axum::body::{Body, Bytes};
use housekey_http::Routes;
use http::Method;

use crate::support::{app, client, with_http};

fn chunks(count: usize, size: usize) -> Body {
    let chunks = (0..count).map(move |_| Ok::<_, std::io::Error>(Bytes::from(vec![b'x'; size])));
    Body::from_stream(futures_util::stream::iter(chunks))
}

#[tokio::test]
async fn a_body_over_the_limit_is_413_whether_or_not_it_says_so() {
    let client = client(with_http(
        app(|route: &mut Routes| {
            route.post("/r", async |body: Bytes| body.len().to_string()).without_csrf();
            route
                .post("/large", async |body: Bytes| body.len().to_string())
                .without_csrf()
                .body_limit(5_000_000);
            route.post("/ignored", async || "not read").without_csrf();
        }),
        |http| http.body_limit = 1000,
    ));
    let post = |path, body: Body| client.send(Method::POST, path, &[], body);
    assert_eq!(post("/r", Body::from(vec![b'x'; 1000])).await.text(), "1000");
    assert_eq!(post("/r", Body::from(vec![b'x'; 1001])).await.status, 413);
    assert_eq!(post("/ignored", Body::from(vec![b'x'; 1001])).await.status, 413);
    assert_eq!(post("/r", chunks(10, 100)).await.text(), "1000");
    assert_eq!(post("/r", chunks(11, 100)).await.status, 413);
    // A route's own limit goes both past ours and past axum's default of 2 MB.
    assert_eq!(post("/large", chunks(4, 1_000_000)).await.text(), "4000000");
    assert_eq!(post("/large", chunks(6, 1_000_000)).await.status, 413);
    let form = [("content-type", "application/x-www-form-urlencoded")];
    let answer = client.send(Method::POST, "/r", &form, chunks(20, 100)).await;
    assert_eq!(answer.status, 413);
}

#[tokio::test(start_paused = true)]
async fn a_request_that_takes_too_long_is_given_up() {
    let client = client(with_http(
        app(|route: &mut Routes| {
            route.get("/slow", async || std::future::pending::<()>().await);
            route.post("/upload", async |body: Bytes| body.len().to_string()).without_csrf();
            route.put("/upload", async |body: Bytes| body.len().to_string()).without_csrf();
        }),
        |http| http.request_timeout = 5,
    ));
    let answer = client.get("/slow").await;
    assert_eq!((answer.status.as_u16(), answer.header("retry-after")), (503, "5"));
    let stalled = Body::from_stream(futures_util::stream::pending::<Result<Bytes, std::io::Error>>());
    assert_eq!(client.send(Method::POST, "/upload", &[], stalled).await.status, 408);
    // A form's body is read before its route is known, for it may name its method; it must not escape the clock.
    let stalled = Body::from_stream(futures_util::stream::pending::<Result<Bytes, std::io::Error>>());
    let form = [("content-type", "application/x-www-form-urlencoded")];
    assert_eq!(client.send(Method::POST, "/upload", &form, stalled).await.status, 408);
}
