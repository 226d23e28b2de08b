use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use axum::body::{Body, Bytes};
use axum::response::Html;
use housekey_core::Scope;
use housekey_http::response::back;
use housekey_http::{RequestContext, Routes, client_ip, csp_nonce, request_id, wants_json};
use http::Method;

use crate::http::support::{Door, app, client};

const FORM: (&str, &str) = ("content-type", "application/x-www-form-urlencoded");

#[tokio::test]
async fn a_form_can_speak_put_patch_and_delete() {
    let client = client(app(|route: &mut Routes| {
        route.put("/r", async |body: Bytes| body).without_csrf();
        route.delete("/r", async || "deleted").without_csrf();
        route.post("/r", async |body: Bytes| body).without_csrf();
        route.get("/r", async || "got");
    }));
    let send = |method, header: (&'static str, &'static str), body: &'static str| {
        let client = client.clone();
        async move { client.send(method, "/r", &[header], body).await }
    };
    assert_eq!(send(Method::POST, FORM, "a=1&_method=PUT").await.text(), "a=1&_method=PUT");
    assert_eq!(send(Method::POST, FORM, "_method=delete").await.text(), "deleted");
    assert_eq!(send(Method::POST, ("x-http-method-override", "DELETE"), "").await.text(), "deleted");
    let upload = ("content-type", "multipart/form-data; boundary=b");
    let body = "--b\r\ncontent-disposition: form-data; name=\"_method\"\r\n\r\nPUT\r\n--b--\r\n";
    assert_eq!(send(Method::POST, upload, body).await.text(), body);
    let cut = "--b\r\ncontent-disposition: form-data; name=\"_method\"\r\n\r\nDELE";
    assert_eq!(send(Method::POST, upload, cut).await.text(), cut);
    // Never towards a method that would get around CSRF protection, never from another method than POST, never
    // from a body that is no form.
    assert_eq!(send(Method::POST, FORM, "_method=GET").await.text(), "_method=GET");
    assert_eq!(send(Method::POST, FORM, "_method=CONNECT").await.text(), "_method=CONNECT");
    assert_eq!(send(Method::GET, ("x-http-method-override", "DELETE"), "").await.text(), "got");
    assert_eq!(send(Method::POST, ("content-type", "text/plain"), "_method=PUT").await.text(), "_method=PUT");
}

const UPLOAD: (&str, &str) = ("content-type", "multipart/form-data; boundary=b");

// spec: SEC-7
#[tokio::test]
async fn text_inside_a_field_or_a_file_cannot_choose_the_method() {
    let client = client(app(|route: &mut Routes| {
        route.post("/r", async || "posted").without_csrf();
        route.delete("/r", async || "deleted").without_csrf();
    }));
    let text = "see name=\"_method\"\r\n\r\nDELETE\r\n--x";
    let encoded = "comment=%0D%0A%26_method%3DDELETE&other=a%3D1%26_method=DELETE";
    for (header, body) in [
        (UPLOAD, format!("--b\r\ncontent-disposition: form-data; name=\"comment\"\r\n\r\n{text}\r\n--b--\r\n")),
        (UPLOAD, format!("--b\r\ncontent-disposition: form-data; name=\"f\"; filename=\"a\"\r\n\r\n{text}\r\n--b--\r\n")),
        (UPLOAD, "--b\r\ncontent-disposition: form-data; name=\"_method\"; filename=\"DELETE\"\r\n\r\nDELETE\r\n--b--\r\n".into()),
        (FORM, encoded.to_owned()),
    ] {
        let answer = client.send(Method::POST, "/r", &[header], body.clone()).await;
        assert_eq!(answer.text(), "posted", "{body}");
    }
}

/// A body in pieces, and how many of them were read.
fn pieces(of: Vec<Bytes>) -> (Body, Arc<AtomicUsize>) {
    let read = Arc::new(AtomicUsize::new(0));
    let count = read.clone();
    let counted = of.into_iter().map(move |piece| {
        count.fetch_add(1, Ordering::SeqCst);
        Ok::<_, std::io::Error>(piece)
    });
    (Body::from_stream(futures_util::stream::iter(counted)), read)
}

#[tokio::test]
async fn a_form_that_arrives_byte_by_byte_is_read_as_any_other() {
    let client = client(app(|route: &mut Routes| {
        route.put("/r", async |body: Bytes| body).without_csrf();
    }));
    let text = "x".repeat(5000);
    let form = format!(
        "--b\r\ncontent-disposition: form-data; name=\"a\"\r\n\r\n{text}\r\n\
         --b\r\ncontent-disposition: form-data; name=\"_method\"\r\n\r\nput\r\n--b--\r\n"
    );
    let (body, _) = pieces(form.bytes().map(|byte| Bytes::from(vec![byte])).collect());
    assert_eq!(client.send(Method::POST, "/r", &[UPLOAD], body).await.text(), form);
}

// spec: SEC-7
#[tokio::test]
async fn an_address_that_nobody_knows_reads_no_body() {
    let client = client(app(|route: &mut Routes| {
        route.post("/upload", async |body: Bytes| body.len().to_string()).without_csrf().body_limit(1 << 30);
        route.get("/page", async || "page");
    }));
    for (path, status) in [("/nowhere", 404), ("/page", 405), ("/%ff", 400)] {
        for header in [FORM, UPLOAD] {
            let (body, read) = pieces(vec![Bytes::from_static(b"a=1"); 100]);
            let answer = client.send(Method::POST, path, &[header], body).await;
            assert_eq!((answer.status.as_u16(), read.load(Ordering::SeqCst)), (status, 0), "{path}");
        }
    }
}

// spec: SEC-7
#[tokio::test]
async fn a_form_is_read_as_far_as_the_routes_of_its_address_allow() {
    let client = client(app(|route: &mut Routes| {
        route.post("/upload", async |body: Bytes| body.len().to_string()).without_csrf().body_limit(1 << 30);
        route.post("/r", async |body: Bytes| body.len().to_string()).without_csrf().body_limit(10);
        route.put("/r", async |body: Bytes| body.len().to_string()).without_csrf().body_limit(1000);
    }));
    let (body, read) = pieces(vec![Bytes::from(vec![b'x'; 100]); 1000]);
    assert_eq!(client.send(Method::POST, "/r", &[FORM], body).await.status, 413);
    assert!(read.load(Ordering::SeqCst) <= 11, "the largest of the two, and the piece that was too much");
    let form = format!("_method=PUT&a={}", "x".repeat(500));
    assert_eq!(client.send(Method::POST, "/r", &[FORM], form.clone()).await.text(), form.len().to_string());
    assert_eq!(client.send(Method::POST, "/r", &[FORM], form.replace("PUT", "POST")).await.status, 413);
    assert_eq!(client.send(Method::POST, "/r", &[FORM], "a=1").await.text(), "3");
}

// spec: MID-8
#[tokio::test]
async fn a_write_without_a_token_is_419_however_its_method_was_chosen() {
    let client = client(app(|route: &mut Routes| {
        route.post("/r", async || "posted");
        route.put("/r", async || "put");
        route.delete("/r", async || "deleted");
        route.get("/r", async || "got");
        route.post("/hook", async || "posted").without_csrf();
    }));
    assert_eq!(client.send(Method::POST, "/r", &[], "").await.status.as_u16(), 419);
    assert_eq!(client.send(Method::POST, "/r", &[FORM], "_method=PUT").await.status.as_u16(), 419);
    assert_eq!(client.send(Method::DELETE, "/r", &[("x-csrf-token", "x")], "").await.status.as_u16(), 419);
    assert_eq!(client.get("/r").await.text(), "got");
    assert_eq!(client.send(Method::POST, "/hook", &[], "").await.text(), "posted");
}

#[tokio::test]
async fn ambient_helpers_belong_to_their_request_and_are_empty_elsewhere() {
    let door = Door::default();
    let inside = door.clone();
    let client = client(app(move |route: &mut Routes| {
        route.get("/wait", async move || {
            let before = request_id();
            inside.pass().await;
            let spawned =
                tokio::spawn(async { (request_id(), client_ip(), csp_nonce(), wants_json()) }).await.unwrap();
            assert_eq!(spawned, (None, None, None, false), "a plainly spawned task sees nothing");
            let carried = housekey_core::spawn(async { request_id() }).await.unwrap();
            assert_eq!((&before, &carried), (&request_id(), &request_id()));
            before.unwrap()
        });
        route.get("/quick", async || request_id().unwrap());
    }));
    let waiting = tokio::spawn({
        let client = client.clone();
        async move { client.get("/wait").await }
    });
    door.someone_waits().await;
    let quick = client.get("/quick").await;
    assert_eq!(quick.text(), quick.header("x-request-id"));
    door.open();
    let waited = waiting.await.unwrap();
    assert_eq!(waited.text(), waited.header("x-request-id"));
    assert_ne!(waited.text(), quick.text());
    assert!(Scope::current().is_none() && RequestContext::current().is_none());
}

#[tokio::test]
async fn one_nonce_per_request_and_it_is_the_one_in_the_policy() {
    let client = client(app(|route: &mut Routes| {
        route.get("/", async || Html(format!("{} {}", csp_nonce().unwrap(), csp_nonce().unwrap())));
    }));
    let answer = client.get("/").await;
    let (first, second) = answer.text().split_once(' ').unwrap();
    assert_eq!(first, second);
    assert!(answer.header("content-security-policy").contains(&format!("'nonce-{first}'")));
    assert_ne!(client.get("/").await.text(), answer.text());
}

#[tokio::test]
async fn a_route_that_asks_for_no_session_gets_no_cookie() {
    let client = client(app(|route: &mut Routes| {
        route.get("/", async || "plain");
        route.get("/remember", async || housekey_http::session::session().put("a", 1));
    }));
    assert!(!client.get("/").await.headers.contains_key("set-cookie"));
    assert!(client.get("/remember").await.headers.contains_key("set-cookie"));
}

#[tokio::test]
async fn values_left_in_the_scope_end_with_the_request() {
    struct Kept(#[expect(dead_code, reason = "only its life matters")] &'static str);
    let weak = Arc::new(std::sync::Mutex::new(std::sync::Weak::<Kept>::new()));
    let seen = weak.clone();
    let client = client(app(move |route: &mut Routes| {
        route.get("/", async move || {
            let kept = Arc::new(Kept("x"));
            *seen.lock().unwrap() = Arc::downgrade(&kept);
            Scope::current().unwrap().set(kept);
        });
    }));
    client.get("/").await;
    assert!(weak.lock().unwrap().upgrade().is_none());
}

#[tokio::test]
async fn back_leads_to_the_page_before_and_never_to_another_site() {
    let client = client(app(|route: &mut Routes| {
        route.get("/back", async || back());
    }));
    for (referer, target) in [
        ("http://shop.test/cart?page=2", "/cart?page=2"),
        ("https://evil.test/cart", "/"),
        ("http://shop.test//evil.test", "/"),
        ("nonsense", "/"),
    ] {
        let answer = client.get_with("/back", &[("referer", referer)]).await;
        assert_eq!((answer.status.as_u16(), answer.header("location")), (303, target), "{referer}");
    }
}
