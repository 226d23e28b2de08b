//! The shell document through HTTP.

mod support;

use housekey_http::Routes;
use housekey_view::shell;
use support::{Site, get};

const PUBLIC: &str = "public, max-age=0, must-revalidate";
const PRIVATE: &str = "private, max-age=0, must-revalidate";

/// The two routes of a client-routed app (spec: SHL-2), without the guards, which are not of this crate.
fn routes(route: &mut Routes) {
    route.get("/health", async || "ok");
    route.group().prefix("auth").routes(|route| {
        route.view("/{path}", || shell("src/auth.ts")).where_("path", ".*").header("cache-control", PUBLIC);
    });
    route
        .view("/{path}", || shell("src/main.ts"))
        .where_("path", ".*")
        .header("cache-control", PRIVATE)
        .header("x-frame-options", "SAMEORIGIN");
    route.view("/bare", || shell("src/main.ts").title("<Bare>"));
    route.view("/data", || shell("src/main.ts").page_data(&serde_json::json!({ "csrf": "</script>&'\"" })));
}

fn production() -> Site {
    let site = Site::new("production");
    site.built();
    site
}

// spec: SHL-1, SHL-2, SHL-3
#[tokio::test]
async fn a_wildcard_view_route_answers_every_path_that_no_exact_route_does() {
    let mut site = production();
    let app = site.boot(routes);
    for path in ["/dashboard", "/settings/profile", "/a/b/c?d=e", "/auths"] {
        let answer = get(&app, path).await;
        assert_eq!(answer.status, 200, "{path}");
        answer.assert_see("/build/assets/main-B7s1aXqZ.js");
    }
    for path in ["/auth/sign-in", "/auth/deep/er"] {
        get(&app, path).await.assert_see("/build/assets/auth-D34db33f.js");
    }
    assert_eq!(get(&app, "/health").await.body, "ok");
}

// spec: SHL-4
#[tokio::test]
async fn its_route_says_who_may_keep_it_and_without_a_word_it_is_private() {
    let mut site = production();
    let app = site.boot(routes);
    assert_eq!(get(&app, "/auth/sign-in").await.header("cache-control"), PUBLIC);
    assert_eq!(get(&app, "/dashboard").await.header("cache-control"), PRIVATE);
    assert_eq!(get(&app, "/bare").await.header("cache-control"), PRIVATE);
}

// spec: SHL-5
#[tokio::test]
async fn it_has_the_same_bytes_for_everyone_and_sets_no_cookie() {
    let mut site = production();
    site.write(
        "public/build/.vite/tags.json",
        r#"[{"tag":"script","children":"boot()","position":"head-prepend"},{"tag":"style","children":"a{}","position":"head"}]"#,
    );
    let app = site.boot(routes);
    let (one, two) = (get(&app, "/dashboard").await, get(&app, "/dashboard").await);
    assert_eq!(one.body, two.body);
    for answer in [&one, &two] {
        assert_eq!(answer.header("set-cookie"), "");
        assert_eq!(answer.header("etag"), "");
        answer.assert_dont_see("nonce");
        answer.assert_dont_see("_token");
        answer.assert_dont_see("page-data");
        // The policy is the same for everyone too: an inline tag is allowed by its hash.
        assert_eq!(
            answer.policy("script-src"),
            "script-src 'self' 'sha256-MeZS89WlF0u+o0hCvHTBt4q1WHU+U+sJKgbdRUc36mY='"
        );
        assert!(answer.policy("style-src").starts_with("style-src 'self' 'sha256-"));
    }
}

// spec: SHL-6
#[tokio::test]
async fn a_header_of_the_route_replaces_the_frameworks() {
    let mut site = production();
    let app = site.boot(routes);
    assert_eq!(get(&app, "/dashboard").await.header("x-frame-options"), "SAMEORIGIN");
    assert_eq!(get(&app, "/bare").await.header("x-frame-options"), "DENY");
}

// spec: SHL-7
#[tokio::test]
async fn it_holds_the_mount_element_and_the_tags_of_its_entry() {
    let mut site = production();
    let app = site.boot(routes);
    let answer = get(&app, "/dashboard").await;
    assert_eq!(answer.header("content-type"), "text/html; charset=utf-8");
    answer.assert_see("<div data-spa-root></div>");
    answer.assert_see("<title>Tom &amp; Jerry</title>");
    answer.assert_see("<link href=\"/build/assets/shared-C0ffee00.css\" rel=\"stylesheet\">");
    answer.assert_see("<link href=\"/build/assets/shared-C0ffee00.js\" rel=\"modulepreload\">");
    answer.assert_see("<script src=\"/build/assets/main-B7s1aXqZ.js\" type=\"module\"></script>");
    get(&app, "/bare").await.assert_see("<title>&lt;Bare&gt;</title>");
}

// spec: SHL-7
#[tokio::test]
async fn while_a_dev_server_runs_it_points_there() {
    let mut site = Site::new("development");
    let tags = r#"[{"tag":"div","attrs":{"id":"overlay"},"position":"body"}]"#;
    let (_listener, origin) = site.dev_server(tags);
    let answer = get(&site.boot(routes), "/dashboard").await;
    answer.assert_see(&format!("<script src=\"{origin}/@vite/client\" type=\"module\"></script>"));
    answer.assert_see(&format!("<script src=\"{origin}/src/main.ts\" type=\"module\"></script>"));
    answer.assert_see("<div id=\"overlay\"></div></body>");
    answer.assert_dont_see("nonce");
    assert_eq!(answer.policy("script-src"), format!("script-src 'self' {origin}"));
    // The dev server's client makes style elements and has no nonce to give them here.
    assert_eq!(answer.policy("style-src"), format!("style-src 'self' {origin} 'unsafe-inline'"));
}

// spec: SHL-8, CFG-17
#[tokio::test]
async fn a_miss_below_the_build_directory_is_404_and_never_the_shell() {
    let mut site = production();
    let app = site.boot(routes);
    assert_eq!(get(&app, "/build/assets/main-B7s1aXqZ.js").await.status, 200);
    for path in ["/build/assets/gone-00000000.js", "/build/", "/build/assets", "/build/../build/x"] {
        let answer = get(&app, path).await;
        assert_eq!(answer.status, 404, "{path}");
        answer.assert_dont_see("data-spa-root");
    }
}

// spec: CFG-17
#[tokio::test]
async fn the_guard_of_the_build_directory_can_be_switched_off() {
    let mut site = Site::new("production").with(|app| {
        app.configure(|config| {
            config.update(|assets: &mut housekey_http::config::AssetsConfig| {
                assets.guard_build_directory = false;
            });
        })
    });
    site.built();
    get(&site.boot(routes), "/build/gone").await.assert_see("data-spa-root");
}

// spec: SHL-10
#[tokio::test]
async fn it_can_carry_data_that_cannot_break_out() {
    let mut site = production();
    let answer = get(&site.boot(routes), "/data").await;
    answer.assert_see(
        r#"<script type="application/json" id="page-data">{"csrf":"\u003c/script\u003e\u0026'\""}</script>"#,
    );
}

#[tokio::test]
async fn without_a_build_it_is_an_error_and_not_an_empty_page() {
    let answer = get(&Site::new("production").boot(routes), "/dashboard").await;
    assert_eq!(answer.status, 500);
    answer.assert_dont_see("data-spa-root");
}
