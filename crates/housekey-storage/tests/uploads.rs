//! Files that come with forms, through the front door.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::fs;

use housekey_core::{ConfigFiles, Error, Result};
use housekey_http::uploads::Upload;
use housekey_http::validation::{Valid, Validated, errors, old};
use housekey_http::{App, Routes};
use housekey_storage::{StorageProvider, storage};
use housekey_testing::{TestApp, TestResponse};
use serde::Deserialize;

#[derive(Debug, Deserialize, Validated)]
#[validate(crate = "housekey_http::validation")]
struct NewBook {
    #[validate(required, max(20))]
    title: String,
    #[validate(required, image, max(400_000), min_dimensions(2, 2), max_dimensions(100, 100))]
    cover: Upload,
    #[validate(max(2), each(mimes(["application/pdf", "text/csv"]), max(1000)))]
    papers: Vec<Upload>,
    sample: Option<Upload>,
}

async fn store(Valid(book): Valid<NewBook>) -> Result<String> {
    let disk = storage()?.disk("public")?;
    let (width, height) = book.cover.dimensions().unwrap();
    let about =
        format!("{} {width}x{height} {} {:?}", book.title, book.papers.len(), book.sample.map(|s| s.size()));
    let path = disk.store("covers", book.cover).await?;
    Ok(format!("{about} {path}"))
}

fn routes(route: &mut Routes) {
    route.post("/books", store).body_limit(3_000_000);
    route.get("/books/new", async || format!("{:?} / {}", errors().first("cover"), old("title")));
    route.post("/forgetful", async |Valid(book): Valid<NewBook>| -> Result<String> {
        drop(book);
        Err(Error::internal("the handler failed"))
    });
}

fn site() -> TestApp {
    TestApp::new(|| App::new(ConfigFiles::new()).provider(StorageProvider).routes(routes))
}

/// A picture of this size, whose rest is nonsense.
fn png(width: u32, height: u32) -> Vec<u8> {
    let mut png = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR".to_vec();
    png.extend(width.to_be_bytes());
    png.extend(height.to_be_bytes());
    png.extend([8, 6, 0, 0, 0]);
    png.resize(png.len() + 100, 7);
    png
}

enum Part<'a> {
    Text(&'a str, &'a str),
    File(&'a str, &'a str, Vec<u8>),
}
use Part::{File, Text};

fn multipart(parts: &[Part<'_>]) -> Vec<u8> {
    let mut body = Vec::new();
    for part in parts {
        let (head, content) = match part {
            Text(name, text) => (format!("name=\"{name}\""), text.as_bytes()),
            File(name, file, content) => (
                format!("name=\"{name}\"; filename=\"{file}\"\r\nContent-Type: image/png"),
                content.as_slice(),
            ),
        };
        body.extend(format!("--XX\r\nContent-Disposition: form-data; {head}\r\n\r\n").into_bytes());
        body.extend(content);
        body.extend(b"\r\n");
    }
    body.extend(b"--XX--\r\n");
    body
}

async fn send(site: &TestApp, path: &str, parts: &[Part<'_>]) -> TestResponse {
    site.post(path).accept_json().body("multipart/form-data; boundary=XX", multipart(parts)).await
}

fn nothing_is_left(site: &TestApp) {
    let left = |folder| fs::read_dir(site.storage().join(folder)).map_or(0, Iterator::count);
    assert_eq!((left("framework/uploads"), left("app/public/covers")), (0, 0));
}

// spec: DAT-4
#[tokio::test]
async fn a_file_comes_beside_the_fields_of_its_form() {
    let site = site();
    let answer = send(
        &site,
        "/books",
        &[
            Text("title", " Emma "),
            File("cover", "C:\\pictures\\me.txt", png(30, 40)),
            File("papers", "a.csv", b"a,b\n1,2\n".to_vec()),
            File("papers", "b.bin", b"%PDF-1.7 and more".to_vec()),
            File("sample", "", Vec::new()),
            File("unasked", "large.bin", vec![0; 2_000_000]),
        ],
    )
    .await;
    let told = answer.assert_ok().text();
    let path = told.strip_prefix("Emma 30x40 2 None ").unwrap_or_else(|| panic!("{told}"));
    assert!(path.starts_with("covers/") && path.ends_with(".png"), "{path}");
    assert_eq!(fs::read(site.storage().join("app/public").join(path)).unwrap(), png(30, 40));
    assert_eq!(
        site.get(&format!("/storage/{path}")).await.assert_ok().header("content-type"),
        Some("image/png")
    );
    assert_eq!(fs::read_dir(site.storage().join("framework/uploads")).unwrap().count(), 0);
}

// spec: DAT-4
#[tokio::test]
async fn what_a_file_is_its_content_says_and_not_its_name() {
    let site = site();
    let page = b"<!DOCTYPE html><script>alert(1)</script>".to_vec();
    let svg = b"<svg xmlns=\"http://www.w3.org/2000/svg\"><script/></svg>".to_vec();
    let stub = b"\x89PNG\r\n\x1a\n".to_vec();
    for wrong in [page, svg, stub, b"MZ\x90\0".to_vec(), b"hello".to_vec(), vec![0; 300_000]] {
        let answer = send(&site, "/books", &[Text("title", "Emma"), File("cover", "me.png", wrong)]).await;
        answer.assert_status(422).assert_json_path("errors.cover.0", "The cover must be a picture.");
        nothing_is_left(&site);
    }
    let exe = File("papers", "report.pdf", b"MZ\x90\0\x03".to_vec());
    let answer = send(&site, "/books", &[Text("title", "E"), File("cover", "a", png(9, 9)), exe]).await;
    answer.assert_status(422);
    assert!(
        answer.text().contains("must be a file of the type: application/pdf, text/csv"),
        "{}",
        answer.text()
    );
    nothing_is_left(&site);
}

// spec: DAT-4
#[tokio::test]
async fn a_file_that_is_too_large_or_of_the_wrong_measure_is_refused_by_its_field() {
    let site = site();
    let mut large = png(30, 30);
    large.resize(2_500_000, 1);
    for (cover, told) in [
        (large, "The cover must have at most 390.6 kB."),
        (png(101, 50), "The cover must be at most 100 by 100 pixels."),
        (png(1, 50), "The cover must be at least 2 by 2 pixels."),
    ] {
        let answer = send(&site, "/books", &[Text("title", "Emma"), File("cover", "a.png", cover)]).await;
        answer.assert_status(422).assert_json_path("errors.cover.0", told);
        nothing_is_left(&site);
    }
    let three: Vec<_> = (0..3).map(|_| File("papers", "a.pdf", b"%PDF-1.7".to_vec())).collect();
    let mut parts = vec![Text("title", "Emma"), File("cover", "a.png", png(9, 9))];
    parts.extend(three);
    send(&site, "/books", &parts).await.assert_status(422);
    let mut huge = png(30, 30);
    huge.resize(3_100_000, 1);
    send(&site, "/books", &[File("cover", "a.png", huge)]).await.assert_status(413);
    nothing_is_left(&site);
}

// spec: DAT-4
#[tokio::test]
async fn a_text_is_never_taken_for_a_file_nor_a_file_for_a_text() {
    let site = site();
    let answer = send(&site, "/books", &[Text("title", "Emma"), Text("cover", "file:abc")]).await;
    answer.assert_status(422).assert_json_path("errors.cover.0", "The cover must be a file.");
    let answer =
        send(&site, "/books", &[File("title", "a.txt", b"x".to_vec()), File("cover", "c", png(9, 9))]).await;
    assert!(answer.assert_ok().text().starts_with("a.txt 9x9"), "its name stands for it");
    let json = site.post("/books").json(&serde_json::json!({ "title": "Emma", "cover": "a.png" })).await;
    json.assert_status(422);
    send(&site, "/books", &[Text("title", "Emma")]).await.assert_invalid("cover");
}

// spec: DAT-4
#[tokio::test]
async fn nothing_is_left_of_a_form_whose_handler_fails_or_whose_fields_are_wrong() {
    let site = site();
    let cover = || File("cover", "a.png", png(9, 9));
    send(&site, "/forgetful", &[Text("title", "Emma"), cover()]).await.assert_status(500);
    nothing_is_left(&site);
    let long = "a title that is much too long";
    send(&site, "/books", &[cover(), Text("title", long)]).await.assert_invalid("title");
    nothing_is_left(&site);
    // A form that ends in the middle of a file.
    let mut cut = multipart(&[Text("title", "Emma"), cover()]);
    cut.truncate(cut.len() - 60);
    let answer = site.post("/books").accept_json().body("multipart/form-data; boundary=XX", cut).await;
    answer.assert_status(400);
    nothing_is_left(&site);
}

// spec: DAT-4
#[tokio::test]
async fn a_browser_goes_back_to_its_form_with_what_was_typed() {
    let site = site();
    let body = multipart(&[Text("title", "Emma"), File("cover", "me.png", b"hello".to_vec())]);
    let request = site.post("/books").referer("/books/new").header("accept", "text/html");
    request.body("multipart/form-data; boundary=XX", body).await.assert_redirect("/books/new");
    let page = site.get("/books/new").await.text();
    assert_eq!(page, "Some(\"The cover must be a picture.\") / Emma");
}

// spec: DAT-4
#[tokio::test]
async fn the_token_of_a_large_form_counts_in_front_of_the_files_and_behind_them() {
    let site = site();
    let token = site.csrf_token().await;
    let large = || {
        let mut cover = png(30, 30);
        cover.resize(399_000, 1);
        File("cover", "a.png", cover)
    };
    let post = async |parts: &[Part<'_>]| {
        let request = site.post("/books").accept_json().without_csrf();
        request.body("multipart/form-data; boundary=XX", multipart(parts)).await
    };
    let title = || Text("title", "Emma");
    post(&[Text("_token", &token), title(), large()]).await.assert_ok();
    post(&[title(), large(), Text("_token", &token)]).await.assert_ok();
    post(&[Text("_token", "wrong"), title(), large()]).await.assert_status(419);
    post(&[title(), large()]).await.assert_status(419);
    assert_eq!(fs::read_dir(site.storage().join("framework/uploads")).map_or(0, Iterator::count), 0);
    assert_eq!(fs::read_dir(site.storage().join("app/public/covers")).unwrap().count(), 2);
}
