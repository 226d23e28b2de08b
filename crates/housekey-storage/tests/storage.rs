//! Disks inside an application, through the front door.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::fs;

use housekey_core::{AppConfig, ConfigFiles, Env, Environment, Error, Result};
use housekey_http::axum::extract::{Multipart, Path};
use housekey_http::{App, Routes};
use housekey_storage::{DiskConfig, Storage, StorageConfig, StorageProvider, storage};
use housekey_testing::TestApp;

fn routes(route: &mut Routes) {
    route.post("/files/{name}", async |Path(name): Path<String>, body: String| -> Result<String> {
        let disk = storage()?.disk("public")?;
        disk.put(&name, body).await?;
        disk.url(&name)
    });
    route.post("/pictures", upload).body_limit(10_000);
}

/// What an app does with a form that brings a file.
async fn upload(mut form: Multipart) -> Result<String> {
    let Some(file) = form.next_field().await? else { return Err(Error::bad_request("no file")) };
    let name = file.file_name().unwrap_or_default().to_owned();
    let bytes = file.bytes().await?;
    let disk = storage()?.disk("public")?;
    disk.put(&name, bytes).await?;
    disk.url(&name)
}

fn app() -> App {
    App::new(ConfigFiles::new()).provider(StorageProvider).routes(routes)
}

fn disks(app: &TestApp) -> std::sync::Arc<Storage> {
    app.services().require::<Storage>().unwrap()
}

#[tokio::test]
async fn a_file_is_kept_found_replaced_and_removed() {
    let app = TestApp::new(app);
    let storage = disks(&app);
    assert_eq!(storage.get("a/b/c.txt").await.unwrap(), None);
    storage.put("a/b/c.txt", "one").await.unwrap();
    storage.put("a/b/c.txt", vec![0, 255, 7]).await.unwrap();
    assert_eq!(storage.get("a/b/c.txt").await.unwrap().unwrap(), [0, 255, 7]);
    assert!(storage.exists("a/b/c.txt").await.unwrap());
    assert!(!storage.exists("a/b").await.unwrap(), "a folder is no file");
    assert_eq!(storage.get("a/b").await.unwrap(), None);
    assert_eq!(storage.get("a/b/c.txt/d").await.unwrap(), None, "below a file there is nothing");
    let folder = app.storage().join("app/private/a/b");
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 1, "nothing is left of the drafts");

    assert!(storage.delete("a/b/c.txt").await.unwrap());
    assert!(!storage.delete("a/b/c.txt").await.unwrap());
    assert!(!storage.exists("a/b/c.txt").await.unwrap());
}

#[tokio::test]
async fn no_path_leads_out_of_a_disk() {
    let app = TestApp::new(app);
    let storage = disks(&app);
    fs::write(app.storage().join("secret"), "s3cr3t").unwrap();
    for path in [
        "",
        "/",
        "..",
        "../secret",
        "../../secret",
        "a/../../../secret",
        "/etc/passwd",
        "a//b",
        "a/",
        "./a",
        ".env",
        "a/.hidden",
        "..\\secret",
        "c:\\x",
        "a\0b",
        "a\nb",
    ] {
        for error in [
            storage.put(path, "x").await.unwrap_err(),
            storage.get(path).await.map(drop).unwrap_err(),
            storage.exists(path).await.map(drop).unwrap_err(),
            storage.delete(path).await.map(drop).unwrap_err(),
        ] {
            assert_eq!(error.status().as_u16(), 400, "{path:?}: {error}");
        }
    }
    assert_eq!(fs::read_to_string(app.storage().join("secret")).unwrap(), "s3cr3t");
}

#[cfg(unix)]
#[tokio::test]
async fn a_link_does_not_lead_out_of_a_disk_either() {
    let app = TestApp::new(app);
    let storage = disks(&app).disk("public").unwrap();
    storage.put("a.txt", "inside").await.unwrap();
    let outside = tempfile::tempdir().unwrap();
    fs::write(outside.path().join("secret.txt"), "s3cr3t").unwrap();
    std::os::unix::fs::symlink(outside.path(), storage.root().unwrap().join("out")).unwrap();
    std::os::unix::fs::symlink(outside.path().join("new.txt"), storage.root().unwrap().join("dangling.txt"))
        .unwrap();

    assert!(storage.get("out/secret.txt").await.is_err());
    assert!(storage.put("out/new.txt", "x").await.is_err());
    assert!(storage.put("out/deep/new.txt", "x").await.is_err());
    assert!(storage.put("dangling.txt", "x").await.is_err());
    assert!(storage.delete("out/secret.txt").await.is_err());
    assert_eq!(fs::read_dir(outside.path()).unwrap().count(), 1, "nothing was written there");
    app.get("/storage/out/secret.txt").await.assert_not_found();
}

#[tokio::test]
async fn the_public_disk_is_served_and_the_private_one_is_not() {
    let app = TestApp::new(app);
    disks(&app).put("private.txt", "s3cr3t").await.unwrap();
    let url = app.post("/files/gr%C3%BC%C3%9Fe%20%231.txt").json("hello").await.assert_ok().text();
    assert_eq!(url, "/storage/gr%C3%BC%C3%9Fe%20%231.txt");
    let served = app.get(&url).await;
    served.assert_ok().assert_see("hello");
    assert_eq!(served.header("content-type"), Some("text/plain; charset=utf-8"));
    assert_eq!(served.header("x-content-type-options"), Some("nosniff"));
    assert_eq!(served.header("content-disposition"), None);

    for path in [
        "/storage/private.txt",
        "/storage/../private/private.txt",
        "/storage/..%2fprivate%2fprivate.txt",
        "/storage/%2e%2e/private/private.txt",
        "/storage/",
        "/storage/missing.txt",
        "/storage/.env",
    ] {
        let answer = app.get(path).await;
        assert_eq!(answer.status().as_u16(), 404, "{path}");
        assert!(!answer.text().contains("s3cr3t"));
    }
    let error = disks(&app).url("private.txt").unwrap_err().to_string();
    assert!(error.contains("private") && error.contains("config/storage.rs"), "{error}");
}

/// A form with one file.
fn form_with(name: &str, file: &[u8]) -> Vec<u8> {
    let head = format!("--b\r\ncontent-disposition: form-data; name=\"file\"; filename=\"{name}\"\r\n\r\n");
    [head.as_bytes(), file, b"\r\n--b--\r\n"].concat()
}

#[tokio::test]
async fn a_file_that_was_uploaded_is_served_as_it_came() {
    let app = TestApp::new(app);
    let send = async |name: &str, file: &[u8]| {
        let form = form_with(name, file);
        app.post("/pictures").body("multipart/form-data; boundary=b", form).accept_json().await
    };
    // Every byte there is, and what looks like the end of another form.
    let file: Vec<u8> = (0..=255).chain(*b"\r\n--c--\r\n--").collect();
    let url = send("ada.png", &file).await.assert_ok().text();
    let served = app.get(&url).await;
    assert_eq!((&served.bytes()[..], served.header("content-type")), (&file[..], Some("image/png")));

    send("../../escaped.png", &file).await.assert_status(400);
    send("large.png", &[b'x'; 10_001]).await.assert_status(413);
    let in_folder = |folder: &str| -> Vec<_> {
        let files = fs::read_dir(app.storage().join("app/public").join(folder)).unwrap();
        files.map(|file| file.unwrap().file_name()).filter(|name| name != ".drafts").collect()
    };
    assert_eq!(in_folder(""), ["ada.png"]);
    assert!(in_folder(".drafts").is_empty());
    assert!(!app.storage().join("escaped.png").exists());
}

#[tokio::test]
async fn what_somebody_uploaded_cannot_act_as_a_page_of_ours() {
    let app = TestApp::new(app);
    let disk = disks(&app).disk("public").unwrap();
    for name in [
        "page.html",
        "picture.svg",
        "script.js",
        "style.css",
        "feed.xml",
        "doc.xhtml",
        "unknown.xyz",
        "no_extension",
    ] {
        disk.put(name, "<script>alert(1)</script>").await.unwrap();
        let served = app.get(&format!("/storage/{name}")).await;
        served.assert_ok();
        assert_eq!(served.header("content-disposition"), Some("attachment"), "{name}");
        assert!(served.header("content-security-policy").unwrap().contains("sandbox"), "{name}");
        // With these two no page of ours can load it as a script or a style.
        assert_eq!(served.header("content-type"), Some("application/octet-stream"), "{name}");
        assert_eq!(served.header("x-content-type-options"), Some("nosniff"), "{name}");
    }
    disk.put("picture.png", "png").await.unwrap();
    let picture = app.get("/storage/picture.png").await;
    assert_eq!(picture.header("content-disposition"), None);
    let etag = picture.header("etag").unwrap().to_owned();
    let known = app.with_header("if-none-match", &etag).get("/storage/picture.png").await;
    assert_eq!((known.status().as_u16(), known.header("content-disposition")), (304, None));
}

// spec: DAT-5
#[tokio::test]
async fn a_file_with_a_compressed_one_beside_it_is_still_the_file_itself() {
    let app = TestApp::new(app);
    for disk in ["public", "local"] {
        let disk = disks(&app).disk(disk).unwrap();
        disk.put("a.csv", "its own").await.unwrap();
        disk.put("a.csv.gz", "another file").await.unwrap();
        disk.put("a.csv.br", "another file").await.unwrap();
    }
    let disk = disks(&app).disk("local").unwrap();
    let signed = app.within(disk.temporary_url("a.csv", std::time::Duration::from_secs(60))).await.unwrap();
    let signed = &signed[signed.find("/storage-signed").unwrap()..];
    let browser = app.with_header("accept-encoding", "gzip, br");
    for path in ["/storage/a.csv", signed] {
        let answer = browser.get(path).await;
        assert_eq!((answer.text().as_str(), answer.header("content-encoding")), ("its own", None), "{path}");
    }
}

#[tokio::test]
async fn disks_have_addresses_and_names_of_their_own() {
    let app = TestApp::new(app).with_config(|config| {
        config.update::<StorageConfig>(|storage| {
            let cdn = DiskConfig::public("storage/app/cdn", "https://cdn.example/files/");
            storage.disks.insert("cdn".into(), cdn);
        });
    });
    let cdn = disks(&app).disk("cdn").unwrap();
    assert_eq!(cdn.url("a b/c.png").unwrap(), "https://cdn.example/files/a%20b/c.png");
    let error = disks(&app).disk("tape").unwrap_err().to_string();
    assert!(error.contains("`tape`") && error.contains("cdn, local, public"), "{error}");
    assert!(storage().unwrap_err().to_string().contains("`storage` feature"));
}

#[test]
fn a_default_that_is_no_disk_keeps_the_app_from_booting() {
    let app = app().env(Env::empty()).configure(|config| {
        config.update::<AppConfig>(|app| app.env = Environment::Testing);
        config.update::<StorageConfig>(|storage| storage.default = "tape".into());
    });
    let error = app.boot().map(drop).unwrap_err().to_string();
    assert!(error.contains("`tape`") && error.contains("config/storage.rs"), "{error}");
}

#[tokio::test]
async fn of_many_writers_one_wins_and_no_reader_sees_half_a_file() {
    let app = TestApp::new(app);
    let disk = disks(&app).disk("local").unwrap();
    disk.put("shared", vec![0; 65536]).await.unwrap();
    let writers = (1..=8_u8).map(|number| {
        let disk = disk.clone();
        tokio::spawn(async move { disk.put("shared", vec![number; 65536]).await.unwrap() })
    });
    let writers: Vec<_> = writers.collect();
    for _ in 0..50 {
        let seen = disk.get("shared").await.unwrap().unwrap();
        assert!(seen.len() == 65536 && seen.iter().all(|byte| *byte == seen[0]));
    }
    for writer in writers {
        writer.await.unwrap();
    }
}
