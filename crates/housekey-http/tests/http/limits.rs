use std::pin::pin;
use std::time::Duration;

use axum::body::{Body, Bytes};
use futures_util::TryStreamExt;
use housekey_core::Result;
use housekey_http::Routes;
use housekey_http::uploads::Upload;
use housekey_http::validation::{Valid, Validated};
use http::Method;
use serde::Deserialize;

use crate::http::support::{app, client, with_http};

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

#[derive(Deserialize, Validated)]
#[validate(crate = "housekey_http::validation")]
struct Film {
    #[validate(required)]
    film: Upload,
}

/// Reads a film on to somewhere, with a pause behind each piece of it.
async fn keep(film: &Upload, pause: Duration) -> Result<String> {
    let mut pieces = pin!(film.stream().await?);
    let mut size = 0;
    while let Some(piece) = pieces.try_next().await? {
        size += piece.len();
        tokio::time::sleep(pause).await;
    }
    Ok(size.to_string())
}

// spec: DAT-4
#[tokio::test(start_paused = true)]
async fn a_large_file_may_take_longer_to_be_kept_than_a_request_may_as_long_as_it_gets_on() {
    let client = client(with_http(
        app(|route: &mut Routes| {
            let keep_for = |pause| {
                async move |Valid(form): Valid<Film>| keep(&form.film, Duration::from_secs(pause)).await
            };
            route.post("/slowly", keep_for(1)).without_csrf();
            route.post("/never", keep_for(100)).without_csrf();
        }),
        |http| http.request_timeout = 5,
    ));
    let mut form =
        b"--XX\r\ncontent-disposition: form-data; name=\"film\"; filename=\"a.mp4\"\r\n\r\n".to_vec();
    form.resize(form.len() + 1_500_000, b'x');
    form.extend(b"\r\n--XX--\r\n");
    let multipart = [("content-type", "multipart/form-data; boundary=XX")];
    let begun = tokio::time::Instant::now();
    let answer = client.send(Method::POST, "/slowly", &multipart, form.clone()).await;
    assert_eq!(answer.text(), "1500000");
    assert!(begun.elapsed() > Duration::from_secs(20), "it took {:?}", begun.elapsed());
    assert_eq!(client.send(Method::POST, "/never", &multipart, form).await.status, 503);
}
