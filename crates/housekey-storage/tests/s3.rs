//! A folder and a bucket, asked in the same words. The bucket is on a real server.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod support;

use std::time::Duration;

use futures_util::stream;
use housekey_core::{ConfigFiles, Error, Result};
use housekey_http::axum::response::Html;
use housekey_http::{App, Response, Routes};
use housekey_storage::{Disk, Storage, StorageConfig, StorageProvider, storage};
use housekey_testing::TestApp;
use http_body_util::{BodyExt, Empty};
use hyper_util::rt::TokioIo;
use support::{bucket, serve_s3};

struct Place {
    app: TestApp,
    /// The server's folder.
    folder: tempfile::TempDir,
}

impl Place {
    async fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let address = serve_s3(folder.path()).await.to_string();
        let app = TestApp::new(|| App::new(ConfigFiles::new()).provider(StorageProvider).routes(routes));
        let app = app.with_config(move |config| {
            let disk = bucket(&address);
            config.update::<StorageConfig>(|storage| {
                storage.disks.insert("bucket".into(), disk.clone().with_root("app"));
                storage.disks.insert("served".into(), disk.clone().with_url("/files"));
                storage.disks.insert("cdn".into(), disk.with_url("https://cdn.example/shelf/"));
            });
        });
        Self { app, folder }
    }

    fn disk(&self, name: &str) -> Disk {
        self.app.services().require::<Storage>().unwrap().disk(name).unwrap()
    }

    fn both(&self) -> [Disk; 2] {
        [self.disk("local"), self.disk("bucket")]
    }
}

fn routes(route: &mut Routes) {
    for disk in ["local", "bucket"] {
        route.get(&format!("/download/{disk}"), async move || -> Result<Response> {
            storage()?.disk(disk)?.download("letters.txt", "Brief für Ada.txt").await
        });
        route.get(&format!("/shown/{disk}"), async move || -> Result<Html<String>> {
            storage()?.disk(disk)?.temporary_url("a.png", Duration::from_secs(60)).await.map(Html)
        });
    }
    route.get("/shown/cdn", async || -> Result<Html<String>> {
        storage()?.disk("cdn")?.url("a.png").map(Html)
    });
    route.get("/shown/served", async || -> Result<Html<String>> {
        storage()?.disk("served")?.url("a.png").map(Html)
    });
}

// spec: DAT-5
#[tokio::test]
async fn a_folder_and_a_bucket_have_the_same_words() {
    let place = Place::new().await;
    for disk in place.both() {
        let kind = disk.name();
        assert_eq!(disk.get("a/b.txt").await.unwrap(), None, "{kind}");
        assert_eq!(disk.size("a/b.txt").await.unwrap(), None, "{kind}");
        disk.put("a/b.txt", "one").await.unwrap();
        disk.put("a/b.txt", "two!").await.unwrap();
        disk.put("a/c/grüße #1 100%.txt", vec![0, 255, 7]).await.unwrap();
        disk.put("ab.txt", "x").await.unwrap();
        assert_eq!(disk.get("a/b.txt").await.unwrap().unwrap(), b"two!", "{kind}");
        assert_eq!(disk.get("a/c/grüße #1 100%.txt").await.unwrap().unwrap(), [0, 255, 7], "{kind}");
        assert_eq!(disk.size("a/b.txt").await.unwrap(), Some(4), "{kind}");
        assert!(disk.exists("ab.txt").await.unwrap() && !disk.exists("a/c.txt").await.unwrap(), "{kind}");

        let paths = |files: Vec<housekey_storage::FileInfo>| {
            files.into_iter().map(|file| file.path).collect::<Vec<_>>()
        };
        let below = paths(disk.list("a").await.unwrap().all().await.unwrap());
        assert_eq!(below, ["a/b.txt", "a/c/grüße #1 100%.txt"], "{kind}");
        assert_eq!(paths(disk.list("").await.unwrap().all().await.unwrap()).len(), 3, "{kind}");
        assert!(disk.list("nothing").await.unwrap().next_file().await.unwrap().is_none(), "{kind}");

        disk.copy("a/b.txt", "copies/b.txt").await.unwrap();
        disk.rename("a/b.txt", "moved/b.txt").await.unwrap();
        assert_eq!(disk.get("copies/b.txt").await.unwrap().unwrap(), b"two!", "{kind}");
        assert_eq!(disk.get("moved/b.txt").await.unwrap().unwrap(), b"two!", "{kind}");
        assert!(!disk.exists("a/b.txt").await.unwrap(), "{kind}");
        for missing in [disk.copy("a/b.txt", "x").await, disk.rename("a/b.txt", "x").await] {
            assert_eq!(missing.unwrap_err().status(), 404, "{kind}");
        }
        assert!(
            disk.delete("moved/b.txt").await.unwrap() && !disk.delete("moved/b.txt").await.unwrap(),
            "{kind}"
        );
        assert_eq!(disk.put("../out", "x").await.unwrap_err().status(), 400, "{kind}");
    }
    assert!(place.folder.path().join("shelf/app/copies/b.txt").exists(), "below the root of its disk");
    // A bucket has no folders. This server has, behind it, and cannot answer about one as if it were a file.
    assert!(!place.disk("local").exists("copies").await.unwrap(), "a folder is no file");
}

// spec: DAT-5
#[tokio::test]
async fn a_stream_is_kept_whole_or_not_at_all() {
    let place = Place::new().await;
    for disk in place.both() {
        let kind = disk.name();
        // More than two parts of a bucket.
        let piece = vec![b'x'; 1024 * 1024];
        let pieces = stream::iter((0..20).map(|_| Ok::<_, std::io::Error>(piece.clone())));
        assert_eq!(disk.put_stream("large", pieces).await.unwrap(), 20 * 1024 * 1024, "{kind}");
        assert_eq!(disk.size("large").await.unwrap(), Some(20 * 1024 * 1024), "{kind}");
        let small = stream::iter(["a", "b"].map(Ok::<_, std::io::Error>));
        assert_eq!(disk.put_stream("small", small).await.unwrap(), 2, "{kind}");
        assert_eq!(disk.get("small").await.unwrap().unwrap(), b"ab", "{kind}");

        for enough in [1, 20] {
            let pieces = (0..enough).map(|_| Ok(piece.clone())).chain([Err(Error::bad_request("broken"))]);
            let error = disk.put_stream("broken", stream::iter(pieces)).await.unwrap_err();
            assert_eq!(error.status(), 400, "{kind}: {error}");
            assert!(!disk.exists("broken").await.unwrap(), "{kind}");
        }
        let listed = disk.list("").await.unwrap().all().await.unwrap();
        assert_eq!(listed.len(), 2, "{kind}: {listed:?}");
    }
    let drafts = place.app.storage().join("app/private/.drafts");
    assert_eq!(std::fs::read_dir(drafts).unwrap().count(), 0, "no draft is left");
}

// spec: DAT-5
#[tokio::test]
async fn a_file_is_read_in_the_part_that_is_asked_for() {
    let place = Place::new().await;
    for disk in place.both() {
        let kind = disk.name();
        disk.put("letters.txt", "abcdefghij").await.unwrap();
        for (range, expected) in
            [(2..5, "cde"), (8..100, "ij"), (0..10, "abcdefghij"), (10..20, ""), (3..3, "")]
        {
            let file = disk.read_range("letters.txt", range.clone()).await.unwrap().unwrap();
            assert_eq!(file.info().size, 10, "{kind}");
            assert_eq!(file.bytes().await.unwrap(), expected.as_bytes(), "{kind} {range:?}");
        }
        assert!(disk.read_range("nothing", 0..1).await.unwrap().is_none(), "{kind}");

        let address = format!("/download/{kind}");
        let whole = place.app.get(&address).await;
        whole.assert_ok().assert_header("content-length", "10").assert_header("accept-ranges", "bytes");
        assert_eq!(whole.text(), "abcdefghij", "{kind}");
        assert_eq!(
            whole.header("content-disposition"),
            Some("attachment; filename=\"Brief f_r Ada.txt\"; filename*=UTF-8''Brief%20f%C3%BCr%20Ada.txt")
        );
        let part = place.app.get(&address).header("range", "bytes=2-4").await;
        part.assert_status(206).assert_header("content-range", "bytes 2-4/10");
        assert_eq!(part.text(), "cde", "{kind}");
        place.app.get(&address).header("range", "bytes=10-").await.assert_status(416);
        disk.delete("letters.txt").await.unwrap();
        place.app.get(&address).await.assert_not_found();
    }
}

// spec: DAT-5
#[tokio::test]
async fn a_signed_address_opens_a_private_folder_for_a_while() {
    let place = Place::new().await;
    let disk = place.disk("local");
    disk.put("invoices/grüße #7.txt", "10 Euro").await.unwrap();
    disk.put("invoices/8.html", "<script>").await.unwrap();
    let lend = async |path: &str| {
        let url = place.app.within(disk.temporary_url(path, Duration::from_secs(60))).await.unwrap();
        let path = url.find("/storage-signed/").unwrap();
        url[path..].to_owned()
    };
    let address = lend("invoices/grüße #7.txt").await;
    let answer = place.app.get(&address).await;
    assert_eq!(answer.assert_ok().text(), "10 Euro");
    assert_eq!(answer.header("cache-control"), Some("private, no-cache"));
    place.app.get(&address).header("range", "bytes=0-1").await.assert_status(206);
    let page = place.app.get(&lend("invoices/8.html").await).await;
    page.assert_ok().assert_header("content-disposition", "attachment");

    let bare = address.split('?').next().unwrap();
    place.app.get(bare).await.assert_forbidden();
    place.app.get(&address.replace("%237", "%238")).await.assert_forbidden();
    place.app.get(&address.replace("expires=", "expires=9")).await.assert_forbidden();
    place.app.advance(Duration::from_secs(61));
    place.app.get(&address).await.assert_status(410);
    assert!(disk.url("invoices/8.html").unwrap_err().to_string().contains("temporary_url"));
}

// spec: DAT-5
#[tokio::test]
async fn a_signed_address_of_a_bucket_is_checked_by_its_server() {
    let place = Place::new().await;
    let disk = place.disk("bucket");
    disk.put("invoices/7 a.txt", "10 Euro").await.unwrap();
    let url = disk.temporary_url("invoices/7 a.txt", Duration::from_secs(600)).await.unwrap();
    assert_eq!(fetch(&url).await, (200, b"10 Euro".to_vec()));
    let (status, _) = fetch(url.split('?').next().unwrap()).await;
    assert_eq!(status, 403);
    let (status, _) = fetch(&url.replace("X-Amz-Expires=600", "X-Amz-Expires=601")).await;
    assert_eq!(status, 403);
}

/// In a folder pictures are seen while developing; a policy that names nothing but the app would hide them in production.
// spec: DAT-5
#[tokio::test]
async fn a_page_may_show_what_it_has_an_address_of_and_nothing_else() {
    let place = Place::new().await;
    let policy = async |path: &str| {
        let answer = place.app.get(path).await;
        let address = answer.assert_ok().text();
        (address, answer.header("content-security-policy").unwrap().to_owned())
    };
    let (address, shown) = policy("/shown/bucket").await;
    let (base, _) = address.split_once("app/a.png").unwrap();
    assert!(base.starts_with("http://127.0.0.1:") && base.ends_with("/shelf/"), "{base}");
    assert!(shown.contains(&format!("img-src 'self' data: {base};")), "{shown}");
    assert!(shown.contains(&format!("media-src 'self' {base}")), "{shown}");
    assert_eq!(shown.matches(base).count(), 2, "{shown}");

    let (_, shown) = policy("/shown/cdn").await;
    assert!(shown.contains("img-src 'self' data: https://cdn.example/shelf/;"), "{shown}");
    // What the app itself serves needs nothing.
    for own in ["/shown/local", "/shown/served"] {
        let (_, shown) = policy(own).await;
        assert!(shown.contains("img-src 'self' data:;") && !shown.contains("media-src"), "{shown}");
    }
}

// spec: DAT-5
#[tokio::test]
async fn a_bucket_can_be_served_by_the_app() {
    let place = Place::new().await;
    let disk = place.disk("served");
    disk.put("a.png", "png").await.unwrap();
    disk.put("a.html", "<script>").await.unwrap();
    assert_eq!(disk.url("a.png").unwrap(), "/files/a.png");
    let picture = place.app.get("/files/a.png").await;
    assert_eq!(picture.assert_ok().header("content-type"), Some("image/png"));
    assert_eq!(picture.header("content-disposition"), None);
    let page = place.app.get("/files/a.html").await;
    page.assert_header("content-disposition", "attachment");
    assert!(page.header("content-security-policy").unwrap().contains("sandbox"));
    place.app.get("/files/nothing").await.assert_not_found();
    place.app.get("/files/../shelf/a.png").await.assert_not_found();
}

#[tokio::test]
async fn a_server_that_is_not_there_is_an_error_that_names_the_file_and_the_disk() {
    let config = StorageConfig::default().with("bucket", bucket("127.0.0.1:1"));
    let storage = Storage::new(&config, &housekey_core::Paths::new("/nowhere")).unwrap();
    let looking = storage.disk("bucket").unwrap();
    let error =
        tokio::time::timeout(Duration::from_secs(200), looking.get("a.txt")).await.unwrap().unwrap_err();
    let told = format!("{error:?}");
    assert!(told.contains("`a.txt`") && told.contains("`bucket`"), "{told}");
}

#[test]
fn a_bucket_without_a_name_keeps_the_app_from_booting() {
    let config =
        StorageConfig::default().with("bucket", housekey_storage::DiskConfig::s3(Default::default()));
    let error = Storage::new(&config, &housekey_core::Paths::new("/nowhere")).unwrap_err().to_string();
    assert!(error.contains("`bucket`") && error.contains("config/storage.rs"), "{error}");
}

async fn fetch(url: &str) -> (u16, Vec<u8>) {
    let url: http::Uri = url.parse().unwrap();
    let authority = url.authority().unwrap().to_string();
    let stream = tokio::net::TcpStream::connect(&authority).await.unwrap();
    let (mut sender, connection) = hyper::client::conn::http1::handshake(TokioIo::new(stream)).await.unwrap();
    tokio::spawn(connection);
    let request = http::Request::get(url.path_and_query().unwrap().as_str())
        .header("host", authority)
        .body(Empty::<bytes::Bytes>::new())
        .unwrap();
    let answer = sender.send_request(request).await.unwrap();
    let status = answer.status().as_u16();
    (status, answer.into_body().collect().await.unwrap().to_bytes().to_vec())
}
