//! Forms with files from clients that mean no good: what they may cost, and what is let through.

use housekey_core::{AppKey, EncryptionConfig, Result};
use housekey_http::uploads::Upload;
use housekey_http::validation::{Valid, Validated};
use housekey_http::{Routes, csrf_token};
use http::Method;
use serde::Deserialize;

use crate::http::support::{Answer, Client, app, client, with_http};

const MB: usize = 1024 * 1024;

#[derive(Deserialize, Validated)]
#[validate(crate = "housekey_http::validation")]
struct Film {
    #[validate(required)]
    film: Upload,
}

#[derive(Deserialize, Validated)]
#[validate(crate = "housekey_http::validation")]
struct Note {
    #[validate(required)]
    text: String,
}

async fn length(Valid(note): Valid<Note>) -> String {
    note.text.len().to_string()
}

#[derive(Deserialize, Validated)]
#[validate(crate = "housekey_http::validation")]
struct Album {
    #[validate(image, max(3))]
    photos: Vec<Upload>,
    #[validate(image, max(3), each(max(200)))]
    small: Vec<Upload>,
}

/// How many bytes there are of each photo.
async fn show(Valid(album): Valid<Album>) -> Result<String> {
    let mut sizes = Vec::new();
    for photo in album.photos.iter().chain(&album.small) {
        sizes.push(photo.bytes().await?.len().to_string());
    }
    Ok(sizes.join(" "))
}

#[derive(Deserialize, Validated)]
#[validate(crate = "housekey_http::validation")]
struct Papers {
    #[validate(each(file))]
    papers: Vec<Upload>,
}

async fn count(Valid(form): Valid<Papers>) -> String {
    form.papers.len().to_string()
}

async fn keep(Valid(form): Valid<Film>) -> String {
    form.film.size().to_string()
}

fn routes(route: &mut Routes) {
    route.get("/token", async || csrf_token());
    route.post("/films", keep).body_limit(8 * MB);
    route.post("/hooks/films", keep).without_csrf().body_limit(8 * MB);
    route.post("/hooks/albums", show).without_csrf().body_limit(8 * MB);
    route.post("/papers", count).body_limit(8 * MB);
    route.post("/notes", length).body_limit(8 * MB);
    route.post("/hooks/notes", length).without_csrf().body_limit(8 * MB);
}

/// Somebody with a session, and so with a token.
struct Visitor {
    client: Client,
    cookie: String,
    token: String,
}

impl Visitor {
    async fn new() -> Self {
        Self::within(2 * MB).await
    }

    /// Of an app that takes bodies up to this size where a route says nothing.
    async fn within(body_limit: usize) -> Self {
        let app = app(routes).configure(|config| {
            config.update::<EncryptionConfig>(|encryption| encryption.key = AppKey::generate().to_text());
        });
        let client = client(with_http(app, move |http| http.body_limit = body_limit));
        let answer = client.get("/token").await;
        let cookie = answer.header("set-cookie").split(';').next().unwrap().to_owned();
        Self { cookie, token: answer.text().to_owned(), client }
    }

    fn token(&self) -> Vec<u8> {
        text("_token", &self.token)
    }

    async fn send(&self, path: &str, kind: &str, body: Vec<u8>) -> Answer {
        let headers =
            [("cookie", self.cookie.as_str()), ("content-type", kind), ("accept", "application/json")];
        self.client.send(Method::POST, path, &headers, body).await
    }

    /// Sends a multipart form of these parts, and says what became of it.
    async fn form(&self, path: &str, parts: &[Vec<u8>]) -> (u16, String) {
        let body = [parts.concat().as_slice(), b"--XX--\r\n"].concat();
        let answer = self.send(path, "multipart/form-data; boundary=XX", body).await;
        (answer.status.as_u16(), answer.text().to_owned())
    }
}

fn part(head: &str, content: &[u8]) -> Vec<u8> {
    [format!("--XX\r\ncontent-disposition: form-data{head}\r\n\r\n").as_bytes(), content, b"\r\n"].concat()
}

fn text(name: &str, text: &str) -> Vec<u8> {
    part(&format!("; name=\"{name}\""), text.as_bytes())
}

fn file(name: &str, content: &[u8]) -> Vec<u8> {
    part(&format!("; name=\"{name}\"; filename=\"a.bin\""), content)
}

fn nameless(content: &[u8]) -> Vec<u8> {
    part("", content)
}

/// More than is read into memory at once.
fn film() -> Vec<u8> {
    file("film", &vec![b'x'; MB])
}

fn kept() -> (u16, String) {
    (200, MB.to_string())
}

// spec: DAT-4
#[tokio::test]
async fn what_stands_in_front_of_the_first_file_is_not_gathered_in_memory() {
    let visitor = Visitor::new().await;
    let many_texts: Vec<u8> = (0..900).flat_map(|number| text(&format!("line-{number}"), "words")).collect();
    let usual = [visitor.token(), many_texts, film()];
    assert_eq!(visitor.form("/films", &usual).await, kept());
    let long_names: Vec<u8> = (0..10).flat_map(|_| text(&"n".repeat(200 * 1024), "")).collect();
    // Behind so many names, nobody looks for a token.
    for (front, refusal) in [(nameless(&vec![b'x'; 2 * MB]), 413), (long_names, 419)] {
        let (status, told) = visitor.form("/films", &[front, visitor.token(), film()]).await;
        assert_eq!(status, refusal, "{told}");
    }
}

// spec: DAT-4
#[tokio::test]
async fn what_stands_between_the_fields_of_a_form_has_to_end() {
    let visitor = Visitor::new().await;
    let preamble = vec![b'x'; MB];
    let headers = part(&format!("; name=\"a\"\r\nx-long: {}", "x".repeat(MB)), b"");
    for (path, parts) in [
        ("/films", [preamble.clone(), visitor.token(), film()]),
        ("/films", [visitor.token(), headers.clone(), film()]),
        // Where the token is looked for behind the file.
        ("/films", [film(), headers.clone(), visitor.token()]),
        ("/hooks/films", [preamble, Vec::new(), film()]),
        ("/hooks/films", [film(), headers, Vec::new()]),
    ] {
        let (status, told) = visitor.form(path, &parts).await;
        assert_eq!(status, 413, "{told}");
    }
}

// spec: DAT-4
#[tokio::test]
async fn a_form_of_more_parts_than_any_has_is_refused_whether_or_not_they_have_names() {
    let visitor = Visitor::new().await;
    let many = || (0..1001).flat_map(|_| nameless(b"")).collect::<Vec<u8>>();
    for (path, parts) in [
        ("/films", [many(), visitor.token(), film()]),
        ("/films", [film(), many(), visitor.token()]),
        ("/hooks/films", [many(), Vec::new(), film()]),
    ] {
        let (status, told) = visitor.form(path, &parts).await;
        assert_eq!(status, 400, "{told}");
        assert!(told.contains("more fields than we accept"), "{told}");
    }
}

// spec: DAT-4
#[tokio::test]
async fn the_names_of_fields_and_files_count_as_text() {
    let visitor = Visitor::new().await;
    let long = "n".repeat(10_000);
    let named: Vec<u8> = (0..300).flat_map(|_| text(&long, "")).collect();
    let called: Vec<u8> =
        (0..300).flat_map(|_| part(&format!("; name=\"a\"; filename=\"{long}\""), b"")).collect();
    for names in [named, called] {
        assert_eq!(visitor.form("/hooks/films", &[names, film()]).await.0, 413);
    }
    // What nobody keeps may be as long as the route says.
    let unasked = [nameless(&vec![b'x'; 2 * MB]), file("other", &vec![b'x'; 2 * MB]), film()];
    assert_eq!(visitor.form("/hooks/films", &unasked).await, kept());
    let behind = [film(), nameless(&vec![b'x'; 2 * MB]), visitor.token()];
    assert_eq!(visitor.form("/films", &behind).await, kept());
}

const PLAIN: &str = "application/x-www-form-urlencoded";

// spec: DAT-4
#[tokio::test]
async fn where_files_are_taken_a_body_without_any_is_held_to_the_limit_of_the_app() {
    let visitor = Visitor::new().await;
    let long = "x".repeat(3 * MB);
    let json = |name: &str| format!("{{\"{name}\":\"{long}\"}}").into_bytes();
    let plain = |name: &str| format!("{name}={long}").into_bytes();
    for (kind, body, small) in
        [("application/json", json("film"), &b"{\"film\":\"x\"}"[..]), (PLAIN, plain("film"), &b"film=x"[..])]
    {
        assert_eq!(visitor.send("/hooks/films", kind, body.clone()).await.status, 413, "{kind}");
        assert_eq!(visitor.send("/hooks/films", kind, small.into()).await.status, 422, "{kind}");
        let generous = Visitor::within(4 * MB).await;
        assert_eq!(generous.send("/hooks/films", kind, body).await.status, 422, "{kind}");
    }
    // A route without files has raised its limit for nothing else.
    for (kind, body) in [("application/json", json("text")), (PLAIN, plain("text"))] {
        assert_eq!(visitor.send("/hooks/notes", kind, body).await.text(), long.len().to_string());
    }
}

// spec: DAT-4
#[tokio::test]
async fn a_plain_form_is_looked_through_for_its_token_no_further_than_memory_allows() {
    let visitor = Visitor::new().await;
    let (long, token) = ("x".repeat(3 * MB), &visitor.token);
    let first = format!("_token={token}&text={long}").into_bytes();
    assert_eq!(visitor.send("/notes", PLAIN, first.clone()).await.text(), long.len().to_string());
    let wrong = format!("_token=wrong&text={long}").into_bytes();
    assert_eq!(visitor.send("/notes", PLAIN, wrong).await.status, 419);
    let last = format!("text={long}&_token={token}").into_bytes();
    assert_eq!(visitor.send("/notes", PLAIN, last).await.status, 413);
    assert_eq!(visitor.send("/films", PLAIN, first).await.status, 413);
}

/// A picture of so many bytes, whose rest is nonsense.
fn png(size: usize) -> Vec<u8> {
    let mut png = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x09\0\0\0\x09\x08\x06\0\0\0".to_vec();
    png.resize(size, 7);
    png
}

// spec: DAT-4
#[tokio::test]
async fn the_most_of_a_list_counts_its_files_and_not_their_bytes() {
    let visitor = Visitor::new().await;
    let photo = |size| file("photos", &png(size));
    let post = async |parts: &[Vec<u8>]| visitor.form("/hooks/albums", parts).await;
    assert_eq!(post(&[photo(129), photo(300_000)]).await, (200, "129 300000".into()));
    assert_eq!(post(&[photo(129), photo(129), photo(129), photo(129)]).await.0, 422);
    let (status, told) = post(&[photo(129), file("photos", b"<script>alert(1)</script>")]).await;
    assert_eq!(status, 422, "{told}");
    assert!(told.contains("must be a picture"), "{told}");
    assert_eq!(post(&[file("small", &png(200))]).await, (200, "200".into()));
    let (status, told) = post(&[file("small", &png(129)), file("small", &png(201))]).await;
    assert_eq!(status, 422, "{told}");
    assert!(told.contains("\"small.1\"") && told.contains("at most 200 bytes"), "{told}");
}

// spec: DAT-4
#[tokio::test]
async fn a_picture_is_looked_at_no_further_than_its_size_can_stand() {
    let visitor = Visitor::new().await;
    // Empty comments of four bytes each, then the size.
    let jpeg = |comments: usize| {
        let size = b"\xff\xc0\0\x11\x08\0\x09\0\x09\x03";
        let content = [b"\xff\xd8".as_slice(), &b"\xff\xfe\0\x02".repeat(comments), size].concat();
        file("photos", &content)
    };
    assert_eq!(visitor.form("/hooks/albums", &[jpeg(1000)]).await.0, 200);
    let (status, told) = visitor.form("/hooks/albums", &[jpeg(MB / 4)]).await;
    assert_eq!(status, 422, "{told}");
    assert!(told.contains("must be a picture"), "{told}");
}

// spec: DAT-4
#[tokio::test]
async fn a_small_form_brings_no_more_files_than_a_large_one() {
    let visitor = Visitor::new().await;
    let papers = |count| file("papers", b"x").repeat(count);
    // Small enough to be read at once, and not.
    for rest in [1, MB] {
        let form = |count| [visitor.token(), papers(count), text("about", &"x".repeat(rest))];
        assert_eq!(visitor.form("/papers", &form(100)).await, (200, "100".into()));
        let (status, told) = visitor.form("/papers", &form(101)).await;
        assert_eq!(status, 400, "{told}");
        assert!(told.contains("more files than we accept"), "{told}");
    }
}
