//! Maintenance mode, through the kernel.

use std::fs;
use std::time::Duration;

use crate::visitor::{Plan, Site, form, request};
use housekey_cache::CacheConfig;
use housekey_core::{AppConfig, Config, Environment};
use housekey_http::maintenance::{Downtime, Maintenance, MaintenanceConfig};
use housekey_http::{Routes, axum};
use http::Method;

fn web(route: &mut Routes) {
    route.get("/", async || "welcome");
    route.get("/up", async || "healthy");
    route.post("/webhooks/pay", async || "paid").without_csrf();
    route.get("/api/posts", async || axum::Json(["first"]));
    route.post("/posts", async || "stored");
}

/// A site that looks at every request, so that a test does not have to wait.
fn plan(change: impl FnOnce(&mut MaintenanceConfig) + Send + 'static) -> Plan {
    let configure = Box::new(|config: &mut Config| {
        config.update::<MaintenanceConfig>(|maintenance| {
            maintenance.check_every = 0;
            change(maintenance);
        });
    });
    Plan { configure: Some(configure), ..Plan::default() }
}

fn site() -> Site {
    plan(|_| {}).site(web)
}

impl Site {
    fn maintenance(&self) -> std::sync::Arc<Maintenance> {
        self.application.services().require().unwrap()
    }

    async fn down(&self, downtime: Downtime) {
        self.maintenance().down(downtime).await.unwrap();
    }
}

#[tokio::test]
async fn everybody_is_told_when_to_come_back_until_the_app_is_up_again() {
    let site = site();
    assert_eq!(site.visitor().text("/").await, "welcome");
    site.down(Downtime::new().retry_after(Duration::from_secs(90))).await;
    for path in ["/", "/up", "/nothing-here", "/api/posts"] {
        let answer = site.visitor().get(path).await;
        assert_eq!((answer.status.as_u16(), answer.header("retry-after")), (503, "90"), "{path}");
        assert_eq!(answer.header("cache-control"), "no-store");
    }
    let page = site.visitor().get("/").await;
    assert!(
        page.text().contains("Back shortly") && page.text().contains("content=\"90\""),
        "{}",
        page.text()
    );
    assert!(site.maintenance().up().await.unwrap());
    assert!(!site.maintenance().up().await.unwrap(), "it was up already");
    assert_eq!(site.visitor().text("/").await, "welcome");
}

#[tokio::test]
async fn programs_get_json_and_a_sentence_of_the_owners() {
    let site = site();
    site.down(Downtime::new().message("Back at nine.")).await;
    let ask = request(Method::GET, "/").header("accept", "application/json");
    let answer = site.visitor().send(ask).await;
    assert_eq!(answer.status, 503);
    assert_eq!(answer.to_json()["code"], "maintenance");
    assert_eq!(answer.to_json()["message"], "Back at nine.");
    assert_eq!(site.visitor().get("/api/posts").await.to_json()["code"], "maintenance");
    let sent = site.visitor().send(form("/posts", &[("title", "x")])).await;
    assert_eq!(sent.status, 503);
    assert!(!sent.text().contains("refresh"), "a form is not sent again by itself: {}", sent.text());
}

#[tokio::test]
async fn health_and_webhooks_answer_where_that_was_asked_for() {
    let site = plan(|maintenance| maintenance.except = vec!["/webhooks/*".into()]).site(web);
    site.down(Downtime::new().except(["/up"])).await;
    assert_eq!(site.visitor().text("/up").await, "healthy");
    assert_eq!(site.visitor().send(request(Method::POST, "/webhooks/pay")).await.ok().text(), "paid");
    assert_eq!(site.visitor().get("/").await.status, 503);
}

#[tokio::test]
async fn the_secret_lets_one_browser_in_for_this_downtime_only() {
    let site = site();
    site.down(Downtime::new().secret("open-sesame")).await;
    let (builder, stranger) = (site.visitor(), site.visitor());
    assert_eq!(stranger.get("/?maintenance=open-sesam").await.status, 503);
    assert_eq!(stranger.get("/?maintenance=").await.status, 503);
    let opened = builder.get("/?a=1&maintenance=open-sesame&b=2").await;
    assert_eq!((opened.status.as_u16(), opened.header("location")), (303, "/?a=1&b=2"));
    assert!(opened.cookies()[0].contains("HttpOnly"), "{:?}", opened.cookies());
    assert_eq!(builder.text("/").await, "welcome");
    assert_eq!(stranger.get("/").await.status, 503);
    stranger.set_cookie("maintenance", "anything");
    assert_eq!(stranger.get("/").await.status, 503);

    site.down(Downtime::new().secret("open-sesame")).await;
    assert_eq!(builder.get("/").await.status, 503, "the cookie was for the downtime before");
    site.down(Downtime::new()).await;
    assert_eq!(builder.get("/?maintenance=open-sesame").await.status, 503, "this one has no secret");
}

#[tokio::test]
async fn the_secret_leads_to_no_other_site_and_is_not_written_down() {
    let site = site();
    site.down(Downtime::new().secret("open-sesame")).await;
    for path in ["//evil.example/x?maintenance=open-sesame", "/\\evil.example?maintenance=open-sesame"] {
        let Ok(uri) = path.parse::<http::Uri>() else { continue };
        let answer = site.visitor().get(&uri.to_string()).await;
        assert!(answer.header("location").starts_with("/evil.example"), "{:?}", answer.headers);
    }
    let file = fs::read_to_string(site.folder.path().join("storage/framework/maintenance.json")).unwrap();
    assert!(!file.contains("sesame"), "{file}");
    let short = site.maintenance().down(Downtime::new().secret("short")).await.unwrap_err();
    assert!(short.message().contains("8 characters"), "{short}");
}

#[tokio::test]
async fn a_file_made_by_hand_counts_and_public_files_are_served() {
    let site = site();
    fs::create_dir_all(site.folder.path().join("public")).unwrap();
    fs::write(site.folder.path().join("public/style.css"), "body {}").unwrap();
    let file = site.folder.path().join("storage/framework/maintenance.json");
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(&file, "").unwrap();
    assert_eq!(site.visitor().get("/").await.header("retry-after"), "1");
    assert_eq!(site.visitor().text("/style.css").await, "body {}");
    // Without an id of its own, no cookie fits it.
    let visitor = site.visitor();
    visitor.set_cookie("maintenance", "");
    assert_eq!(visitor.get("/").await.status, 503);
    fs::remove_file(file).unwrap();
    assert_eq!(site.visitor().text("/").await, "welcome");
}

#[tokio::test]
async fn the_cache_tells_another_process() {
    let (key, folder) =
        (housekey_core::AppKey::generate().to_text(), std::sync::Arc::new(tempfile::tempdir().unwrap()));
    let on_cache = || {
        let mut plan = Plan { key: key.clone(), folder: folder.clone(), ..Plan::default() };
        plan.configure = Some(Box::new(|config| {
            config.update::<CacheConfig>(|cache| cache.store = "file".into());
            config.update::<MaintenanceConfig>(|maintenance| {
                (maintenance.store, maintenance.check_every) = ("cache".into(), 0);
            });
        }));
        plan.site(web)
    };
    let (one, other) = (on_cache(), on_cache());
    one.down(Downtime::new().secret("open-sesame")).await;
    assert_eq!(other.visitor().get("/").await.status, 503);
    let builder = one.visitor();
    builder.get("/?maintenance=open-sesame").await;
    assert_eq!(builder.at(&other).text("/").await, "welcome", "one secret for all processes");
    other.maintenance().up().await.unwrap();
    assert_eq!(one.visitor().text("/").await, "welcome");
}

#[tokio::test]
async fn a_process_that_looks_now_and_then_follows_soon() {
    let mut plan = plan(|maintenance| maintenance.check_every = 50);
    plan.key = housekey_core::AppKey::generate().to_text();
    let (key, folder) = (plan.key.clone(), plan.folder.clone());
    let server = plan.site(web);
    assert_eq!(server.visitor().text("/").await, "welcome");
    let console = Plan { key, folder, ..Plan::default() }.site(web);
    console.down(Downtime::new()).await;
    housekey_test_support::in_time("the server to notice", async {
        while server.visitor().get("/").await.status != 503 {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    })
    .await;
}

#[test]
fn a_store_that_would_reach_nobody_keeps_the_app_from_booting() {
    for (store, complaint) in [("cache", "reach nobody"), ("redis", "can be file or cache")] {
        let app = housekey_http::App::new(housekey_core::ConfigFiles::new())
            .root(tempfile::tempdir().unwrap().keep())
            .env(housekey_core::Env::empty().with("MAINTENANCE_STORE", store))
            .configure(|config| {
                config.update::<AppConfig>(|app| app.env = Environment::Testing);
                config.update::<CacheConfig>(|cache| cache.store = "memory".into());
            });
        let error = app.boot().unwrap_err().to_string();
        assert!(error.contains(complaint), "{error}");
    }
}
