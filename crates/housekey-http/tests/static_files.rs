//! Files from `public`, through the kernel.

use std::fs;
use std::time::{Duration, SystemTime};

use crate::edge::{Answer, BootedApp, boot};
use housekey_http::axum::extract::Path;
use housekey_http::config::AssetsConfig;
use http::Method;
use proptest::prelude::*;

const SECRET: &str = "APP_KEY=do-not-serve-me";
const IMMUTABLE: &str = "public, max-age=31536000, immutable";
const REVALIDATE: &str = "public, max-age=0, must-revalidate";

/// A app with a wildcard route behind the files, as a client-routed application has, and a secret beside them.
fn site() -> BootedApp {
    site_with(|_| {})
}

fn site_with(change: impl FnOnce(&mut AssetsConfig) + Send + 'static) -> BootedApp {
    let app = boot(|app| {
        app.configure(|config| config.update::<AssetsConfig>(change)).routes(|route| {
            route.get("/", async || "home");
            route
                .get("/{path}", async |Path(path): Path<String>| format!("shell for {path}"))
                .where_("path", ".*");
        })
    });
    app.public("robots.txt", "User-agent: *\n");
    fs::write(app.root().join(".env"), SECRET).unwrap();
    fs::write(app.root().join("secret.txt"), SECRET).unwrap();
    app
}

fn is_shell(answer: &Answer) -> bool {
    answer.text().starts_with("shell for")
}

#[tokio::test]
async fn a_file_is_served_with_its_type_length_and_name() {
    let app = site();
    let answer = app.get("/robots.txt").await;
    assert_eq!(answer.status, 200);
    assert_eq!(answer.text(), "User-agent: *\n");
    assert_eq!(answer.header("content-type"), "text/plain; charset=utf-8");
    assert_eq!(answer.header("content-length"), "14");
    assert_eq!(answer.header("x-content-type-options"), "nosniff");
    assert_eq!(answer.header("accept-ranges"), "bytes");
    assert_eq!(answer.header("cache-control"), REVALIDATE);
    assert!(answer.header("etag").starts_with('"'));
    assert!(httpdate::parse_http_date(answer.header("last-modified")).is_ok());
    assert!(answer.header("set-cookie").is_empty());
}

#[tokio::test]
async fn head_answers_the_same_head_without_the_body() {
    let app = site();
    let answer = app.ask(Method::HEAD, "/robots.txt", &[]).await;
    assert_eq!((answer.status.as_u16(), answer.body.len()), (200, 0));
    assert_eq!(answer.header("content-length"), "14");
    assert_eq!(answer.header("etag"), app.get("/robots.txt").await.header("etag"));
}

#[tokio::test]
async fn other_methods_and_missing_files_go_on_to_the_routes() {
    let app = site();
    assert!(is_shell(&app.get("/missing.txt").await));
    assert!(is_shell(&app.get("/robots").await));
    assert_eq!(app.ask(Method::DELETE, "/robots.txt", &[]).await.status, 405);
    assert_eq!(app.get("/").await.text(), "home");
    app.public("folder.d/index.html", "not listed, not guessed");
    assert!(is_shell(&app.get("/folder.d").await));
    assert!(is_shell(&app.get("/folder.d/").await));
}

#[tokio::test]
async fn a_browser_that_has_the_file_is_told_so() {
    let app = site();
    let first = app.get("/robots.txt").await;
    let (etag, modified) = (first.header("etag"), first.header("last-modified"));
    let weak = format!("W/{etag}");
    let several = format!("\"other\", {etag}");
    for condition in [
        ("if-none-match", etag),
        ("if-none-match", &weak),
        ("if-none-match", &several),
        ("if-none-match", "*"),
        ("if-modified-since", modified),
    ] {
        let answer = app.get_with("/robots.txt", &[condition]).await;
        assert_eq!((answer.status.as_u16(), answer.body.len()), (304, 0), "{condition:?}");
        assert_eq!((answer.header("etag"), answer.header("cache-control")), (etag, REVALIDATE));
    }
    for conditions in [
        [("if-none-match", "\"other\""), ("if-modified-since", modified)],
        [("if-modified-since", "Thu, 01 Jan 1970 00:00:00 GMT"), ("x", "y")],
        [("if-modified-since", "yesterday"), ("x", "y")],
    ] {
        assert_eq!(app.get_with("/robots.txt", &conditions).await.status, 200, "{conditions:?}");
    }
    assert_eq!(app.get_with("/robots.txt", &[("if-match", "\"other\"")]).await.status, 412);
    assert_eq!(app.get_with("/robots.txt", &[("if-match", etag)]).await.status, 200);
}

#[tokio::test]
async fn other_bytes_have_another_etag_even_at_the_same_time_and_length() {
    let app = site();
    let path = app.root().join("public/page.html");
    let moment = SystemTime::UNIX_EPOCH + Duration::from_secs(315_532_800);
    let mut etags = Vec::new();
    for content in ["<p>one</p>", "<p>two</p>"] {
        // Two releases of one image build: same length, same time, another process.
        let app = site();
        app.public("page.html", content);
        let file = fs::File::options().write(true).open(app.root().join("public/page.html")).unwrap();
        file.set_modified(moment).unwrap();
        etags.push(app.get("/page.html").await.header("etag").to_owned());
    }
    assert_ne!(etags[0], etags[1]);

    fs::write(&path, "<p>one</p>").unwrap();
    let before = app.get("/page.html").await;
    fs::write(&path, "<p>longer</p>").unwrap();
    let after = app.get_with("/page.html", &[("if-none-match", before.header("etag"))]).await;
    assert_eq!((after.status.as_u16(), after.text().as_str()), (200, "<p>longer</p>"));
}

#[tokio::test]
async fn a_range_is_cut_out_and_an_impossible_one_is_refused() {
    let app = site();
    app.public("clip.mp4", "0123456789");
    for (range, content_range, body) in [
        ("bytes=0-3", "bytes 0-3/10", "0123"),
        ("bytes=4-", "bytes 4-9/10", "456789"),
        ("bytes=-2", "bytes 8-9/10", "89"),
        ("bytes=8-100", "bytes 8-9/10", "89"),
    ] {
        let answer = app.get_with("/clip.mp4", &[("range", range)]).await;
        assert_eq!((answer.status.as_u16(), answer.text().as_str()), (206, body), "{range}");
        assert_eq!(answer.header("content-range"), content_range);
        assert_eq!(answer.header("content-length"), body.len().to_string());
    }
    let outside = app.get_with("/clip.mp4", &[("range", "bytes=10-")]).await;
    assert_eq!((outside.status.as_u16(), outside.header("content-range")), (416, "bytes */10"));
    assert_eq!(outside.header("cache-control"), "no-store");
    for whole in ["bytes=0-1,4-5", "bytes=5-1", "lines=1-2", "bytes=abc"] {
        let answer = app.get_with("/clip.mp4", &[("range", whole)]).await;
        assert_eq!((answer.status.as_u16(), answer.text().as_str()), (200, "0123456789"), "{whole}");
    }
}

#[tokio::test]
async fn a_range_of_changed_bytes_is_never_mixed_with_the_old_ones() {
    let app = site();
    app.public("clip.mp4", "0123456789");
    let etag = app.get("/clip.mp4").await.header("etag").to_owned();
    let same = app.get_with("/clip.mp4", &[("range", "bytes=0-1"), ("if-range", &etag)]).await;
    assert_eq!(same.status, 206);
    let other = app.get_with("/clip.mp4", &[("range", "bytes=0-1"), ("if-range", "\"old\"")]).await;
    assert_eq!((other.status.as_u16(), other.body.len()), (200, 10));
    let weak = format!("W/{etag}");
    let weak = app.get_with("/clip.mp4", &[("range", "bytes=0-1"), ("if-range", &weak)]).await;
    assert_eq!(weak.status, 200);
}

#[tokio::test]
async fn a_large_file_is_streamed_whole_and_in_part() {
    let app = site();
    let content: Vec<u8> = (0..6_000_000_u32).map(|index| index as u8).collect();
    app.public("film.webm", &content);
    let answer = app.get("/film.webm").await;
    assert_eq!(answer.header("content-length"), "6000000");
    assert!(answer.body == content);
    let part = app.get_with("/film.webm", &[("range", "bytes=1000-3999999")]).await;
    assert!(part.body == content[1000..4_000_000]);
}

#[tokio::test]
async fn the_best_precompressed_sibling_the_client_accepts_is_sent() {
    let app = site();
    app.public("build/app.js", "plain");
    app.public("build/app.js.br", "brotli");
    app.public("build/app.js.gz", "gzip");
    for (accept, encoding, body) in [
        ("gzip, deflate, br", "br", "brotli"),
        ("gzip", "gzip", "gzip"),
        ("br;q=0, gzip;q=0.5", "gzip", "gzip"),
        ("zstd", "", "plain"),
        ("", "", "plain"),
    ] {
        let answer = app.get_with("/build/app.js", &[("accept-encoding", accept)]).await;
        assert_eq!((answer.header("content-encoding"), answer.text().as_str()), (encoding, body), "{accept}");
        assert_eq!(answer.header("content-type"), "text/javascript; charset=utf-8");
        assert_eq!(answer.header("vary"), "accept-encoding");
    }
    let brotli = app.get_with("/build/app.js", &[("accept-encoding", "br")]).await;
    let plain = app.get_with("/build/app.js", &[("if-none-match", brotli.header("etag"))]).await;
    assert_eq!(plain.status, 200, "the etag of one encoding says nothing about another");
    let part = app.get_with("/build/app.js", &[("accept-encoding", "br"), ("range", "bytes=0-1")]).await;
    assert_eq!((part.header("content-encoding"), part.text().as_str()), ("", "pl"));

    app.public("build/orphan.js.br", "left over");
    assert_eq!(app.get_with("/build/orphan.js", &[("accept-encoding", "br")]).await.status, 404);
}

#[tokio::test]
async fn what_the_bundler_named_by_content_may_be_kept_for_ever_and_nothing_else() {
    let app = site();
    for path in ["build/assets/app-BX1a2c3D.js", "build/assets/app-BX1a2c3D.js.map", "build/x.4f2a9c01.css"] {
        app.public(path, "x");
        assert_eq!(app.get(&format!("/{path}")).await.header("cache-control"), IMMUTABLE, "{path}");
    }
    for path in [
        "build/assets/my-component.js",
        "build/manifest.webmanifest",
        "app-BX1a2c3D.js",
        "buildings/app-BX1a2c3D.js",
    ] {
        app.public(path, "x");
        assert_eq!(app.get(&format!("/{path}")).await.header("cache-control"), REVALIDATE, "{path}");
    }
}

// spec: SHL-8, CFG-17
#[tokio::test]
async fn a_miss_below_the_build_directory_is_404_never_the_shell() {
    let app = site();
    app.public("build/.vite/manifest.json", "{}");
    for path in [
        "/build/assets/gone-BX1a2c3D.js",
        "/build/",
        "/build/folder",
        "/build/.vite/manifest.json",
        "/build/..%2f..%2f.env",
        "/build/%2e%2e/%2e%2e/.env",
        "/build/%00",
        "/build/%ff",
        "/%62uild/gone.js",
    ] {
        let answer = app.get(path).await;
        assert_eq!(answer.status, 404, "{path}");
        assert!(!is_shell(&answer), "{path}");
        assert_eq!(answer.header("cache-control"), "no-store", "{path}");
    }
    assert!(is_shell(&app.get("/builders").await));
    let json = app.get_with("/build/gone.js", &[("accept", "application/json")]).await;
    assert_eq!((json.status.as_u16(), json.header("content-type")), (404, "application/json"));
}

// spec: CFG-17
#[tokio::test]
async fn without_the_guard_a_miss_below_the_build_directory_is_the_routes_affair() {
    let app = site_with(|assets| assets.guard_build_directory = false);
    assert!(is_shell(&app.get("/build/gone.js").await));
}

// spec: CFG-17
#[tokio::test]
async fn another_build_directory_is_guarded_instead() {
    let app = site_with(|assets| assets.build_directory = "/static/dist/".into());
    app.public("static/dist/app-BX1a2c3D.js", "x");
    assert_eq!(app.get("/static/dist/app-BX1a2c3D.js").await.header("cache-control"), IMMUTABLE);
    assert_eq!(app.get("/static/dist/gone.js").await.status, 404);
    assert!(is_shell(&app.get("/build/gone.js").await));
}

// spec: CFG-17, ERR-2
#[tokio::test]
async fn the_service_worker_may_control_the_whole_site_and_is_never_stale() {
    for (file, address) in [("build/sw.js", "/build/sw.js"), ("sw2.js", "/sw2.js"), ("/sw.js", "/sw.js")] {
        let app = site_with(move |assets| assets.service_worker = Some(file.into()));
        assert_eq!(app.get(address).await.status, 404, "a page in its place would help nobody");
        app.public(file.trim_start_matches('/'), "self.addEventListener('fetch', () => {})");
        let answer = app.get(address).await;
        assert_eq!(answer.status, 200);
        assert_eq!(answer.header("service-worker-allowed"), "/");
        assert_eq!(answer.header("cache-control"), "no-cache");
        assert_eq!(answer.header("content-type"), "text/javascript; charset=utf-8");
    }
}

// spec: CFG-17
#[tokio::test]
async fn no_other_file_may_control_the_whole_site() {
    let app = site_with(|assets| assets.service_worker = Some("build/sw.js".into()));
    app.public("build/sw.js", "x");
    assert!(is_shell(&app.get("/sw.js").await), "the worker has one address, its own");
    app.public("sw.js", "y");
    let answer = app.get("/sw.js").await;
    assert_eq!((answer.text().as_str(), answer.header("service-worker-allowed")), ("y", ""));
    let without = site();
    without.public("build/sw.js", "x");
    assert_eq!(without.get("/build/sw.js").await.header("service-worker-allowed"), "");
}

#[tokio::test]
async fn nothing_hidden_is_served_except_what_is_well_known() {
    let app = site();
    for path in [
        ".env",
        ".git/config",
        ".htaccess",
        "docs/.secret.txt",
        ".well-known/.hidden.txt",
        "a/.well-known/x.txt",
    ] {
        app.public(path, SECRET);
        assert!(is_shell(&app.get(&format!("/{path}")).await), "{path}");
    }
    app.public(".well-known/security.txt", "Contact: mailto:security@example.com");
    app.public(".well-known/apple-app-site-association", "{}");
    assert_eq!(app.get("/.well-known/security.txt").await.text(), "Contact: mailto:security@example.com");
    assert_eq!(
        app.get("/.well-known/apple-app-site-association").await.header("content-type"),
        "application/json"
    );
}

#[cfg(unix)]
#[tokio::test]
async fn links_lead_to_files_of_the_folder_only() {
    use std::os::unix::fs::symlink;

    let app = site();
    let public = app.root().join("public");
    app.public(".hidden.txt", SECRET);
    app.public("real.txt", "real");
    symlink(app.root().join("secret.txt"), public.join("file-link.txt")).unwrap();
    symlink(app.root(), public.join("folder-link")).unwrap();
    symlink(public.join(".hidden.txt"), public.join("hidden-link.txt")).unwrap();
    symlink(app.root().join("secret.txt"), public.join("real.txt.gz")).unwrap();
    symlink(public.join("loop.txt"), public.join("loop.txt")).unwrap();
    symlink("real.txt", public.join("inner-link.txt")).unwrap();
    for path in ["/file-link.txt", "/folder-link/secret.txt", "/hidden-link.txt", "/loop.txt"] {
        assert!(is_shell(&app.get(path).await), "{path}");
    }
    assert_eq!(app.get_with("/real.txt", &[("accept-encoding", "gzip")]).await.text(), "real");
    assert_eq!(app.get("/inner-link.txt").await.text(), "real");
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_pipe_in_the_folder_does_not_hold_a_request() {
    let app = site();
    let pipe = app.root().join("public/pipe.txt");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    assert!(is_shell(&app.get("/pipe.txt").await));
}

#[tokio::test]
async fn no_address_leads_out_of_the_folder() {
    let app = site();
    for path in [
        "/../secret.txt",
        "/%2e%2e/secret.txt",
        "/..%2fsecret.txt",
        "/..%5csecret.txt",
        "/a/../../secret.txt",
        "/.//../secret.txt",
        "//secret.txt",
        "/%2e%2e%2fsecret.txt",
        "/%252e%252e/secret.txt",
        "/%c0%ae%c0%ae/secret.txt",
        "/robots.txt%00.html",
        "/robots.txt/../../secret.txt",
        "/robots.txt/",
        "/%",
        "/%zz.txt",
        "/%ff%fe.txt",
    ] {
        let answer = app.get(path).await;
        assert!(!answer.text().contains("do-not-serve-me"), "{path}");
        assert!(answer.header("etag").is_empty(), "{path} was taken for a file");
        assert!(answer.status.as_u16() < 500, "{path}: {}", answer.status);
    }
    let long = format!("/{}.txt", "a".repeat(5000));
    assert!(app.get(&long).await.status.as_u16() < 500);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn whatever_the_address_the_secret_stays_secret(path in address()) {
        thread_local! {
            static SITE: (BootedApp, tokio::runtime::Runtime) =
                (site(), tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap());
        }
        SITE.with(|(app, runtime)| {
            if path.parse::<http::Uri>().is_err() {
                return Ok(());
            }
            let answer = runtime.block_on(app.get(&path));
            prop_assert!(!answer.text().contains("do-not-serve-me"), "{}", path);
            prop_assert!(answer.status.as_u16() < 500, "{}: {}", path, answer.status);
            Ok(())
        })?;
    }
}

fn address() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("/"),
        Just(".."),
        Just("."),
        Just("%2e"),
        Just("%2E%2e"),
        Just("%2f"),
        Just("%2F"),
        Just("%5c"),
        Just("%00"),
        Just("%25"),
        Just("%c0%ae"),
        Just("%ff"),
        Just(".env"),
        Just("secret.txt"),
        Just("public"),
        Just("build"),
        Just("robots.txt"),
        Just(".well-known"),
        Just(";"),
        Just("?"),
        Just(".br"),
    ];
    proptest::collection::vec(piece, 0..10).prop_map(|pieces| format!("/{}", pieces.concat()))
}
