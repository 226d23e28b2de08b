//! Asset tags through HTTP: dev server, build, and what happens without either.

mod support;

use std::fs;

use housekey_http::Routes;
use housekey_http::security::{SecurityConfig, sources};
use housekey_view::prelude::*;
use support::{Site, get};

fn page() -> View {
    view(rsx! { <html><head>(assets(["app.css", "src/main.ts"]))</head><body></body></html> })
}

fn routes(route: &mut Routes) {
    route.view("/", page);
    route.view("/unknown", || view(rsx! { <head>(assets(["src/missing.ts"]))</head> }));
    route.view("/logo", || view(rsx! { <img src=(asset_url("logo.svg")) alt=""> }));
}

#[tokio::test]
async fn a_build_gives_styles_preloads_and_scripts_each_once() {
    let mut site = Site::new("production");
    site.built();
    let answer = get(&site.boot(routes), "/").await;
    assert_eq!(answer.status, 200);
    assert_eq!(
        answer.body,
        "<html><head>\
         <link href=\"/build/assets/app-A1b2c3d4.css\" rel=\"stylesheet\">\
         <link href=\"/build/assets/shared-C0ffee00.css\" rel=\"stylesheet\">\
         <link href=\"/build/assets/main-B7s1aXqZ.css\" rel=\"stylesheet\">\
         <link href=\"/build/assets/shared-C0ffee00.js\" rel=\"modulepreload\">\
         <script src=\"/build/assets/main-B7s1aXqZ.js\" type=\"module\"></script>\
         </head><body></body></html>"
    );
    assert_eq!(answer.policy("script-src"), "script-src 'self'");
}

#[tokio::test]
async fn tags_of_other_plugins_come_with_the_nonce_of_the_answer() {
    let mut site = Site::new("production");
    site.built().write(
        "public/build/.vite/tags.json",
        r#"[
            {"tag":"script","attrs":{"type":"module"},"children":"boot()","position":"head-prepend"},
            {"tag":"link","attrs":{"rel":"manifest","href":"/build/app.webmanifest"},"position":"head"},
            {"tag":"script","attrs":{"src":"/late.js","defer":true},"position":"body"},
            {"tag":"div","attrs":{"id":"overlay"},"position":"body"}
        ]"#,
    );
    let app = site.boot(routes);
    let (first, second) = (get(&app, "/").await, get(&app, "/").await);
    let nonce = |policy: &str| policy.split("'nonce-").nth(1).unwrap().trim_end_matches('\'').to_owned();
    let used = nonce(first.policy("script-src"));
    assert_ne!(used, nonce(second.policy("script-src")));
    first.assert_see(&format!("<head><script type=\"module\" nonce=\"{used}\">boot()</script>"));
    first.assert_see(&format!("<link href=\"/build/app.webmanifest\" rel=\"manifest\" nonce=\"{used}\">"));
    first.assert_see(&format!("<script defer src=\"/late.js\" nonce=\"{used}\"></script></head>"));
    first.assert_see(&format!("src=\"/build/assets/main-B7s1aXqZ.js\" type=\"module\" nonce=\"{used}\""));
    // A <div> would end the head early.
    first.assert_dont_see("overlay");
}

#[tokio::test]
async fn a_policy_that_asks_for_nonces_gets_them_on_every_tag() {
    let mut site = Site::new("production").with(|app| {
        app.configure(|config| {
            config.update(|security: &mut SecurityConfig| {
                security.csp.script_src = sources(["'nonce'", "'strict-dynamic'"]);
            });
        })
    });
    site.built();
    let answer = get(&site.boot(routes), "/").await;
    assert_eq!(answer.body.matches(" nonce=\"").count(), 5, "{}", answer.body);
}

#[tokio::test]
async fn while_a_dev_server_runs_everything_comes_from_there_and_the_policy_allows_it() {
    let mut site = Site::new("development");
    let (listener, origin) =
        site.dev_server(r#"[{"tag":"script","children":"preamble()","position":"head-prepend"}]"#);
    let app = site.boot(routes);

    let answer = get(&app, "/").await;
    assert_eq!(answer.status, 200);
    answer.assert_see("<head><meta property=\"csp-nonce\" nonce=\"");
    answer.assert_see("\">preamble()</script>");
    answer.assert_see(&format!("<script src=\"{origin}/@vite/client\" type=\"module\" nonce=\""));
    answer.assert_see(&format!("<link href=\"{origin}/app.css\" rel=\"stylesheet\" nonce=\""));
    answer.assert_see(&format!("<script src=\"{origin}/src/main.ts\" type=\"module\" nonce=\""));
    assert!(answer.policy("script-src").ends_with(&origin), "{}", answer.policy("script-src"));
    assert!(answer.policy("style-src").ends_with(&origin));
    let socket = origin.replace("http", "ws");
    assert_eq!(answer.policy("connect-src"), format!("connect-src 'self' {origin} {socket}"));

    // The server goes, killed without a chance to take its note away: a build takes over, and the policy closes.
    drop(listener);
    site.built();
    let answer = get(&app, "/").await;
    answer.assert_see("/build/assets/main-B7s1aXqZ.js");
    assert_eq!(answer.policy("script-src"), "script-src 'self'");
    assert!(!answer.header("content-security-policy").contains(&origin));
}

#[tokio::test]
async fn in_development_a_new_build_is_seen_at_once_and_in_production_it_is_read_once() {
    for (environment, expected) in [("development", "main-New00000.js"), ("production", "main-B7s1aXqZ.js")] {
        let mut site = Site::new(environment);
        site.built();
        let app = site.boot(routes);
        get(&app, "/").await.assert_see("main-B7s1aXqZ.js");
        let manifest = site.path("public/build/.vite/manifest.json");
        let text = fs::read_to_string(&manifest).unwrap().replace("main-B7s1aXqZ.js", "main-New00000.js");
        fs::write(&manifest, text).unwrap();
        get(&app, "/").await.assert_see(expected);
    }
}

#[tokio::test]
async fn production_without_a_build_is_an_error_that_names_the_command_in_the_log_only() {
    let mut site = Site::new("production");
    let app = site.boot(routes);
    let answer = get(&app, "/").await;
    assert_eq!(answer.status, 500);
    answer.assert_see("Something went wrong on our side.");
    answer.assert_dont_see("manifest");
    answer.assert_dont_see("npm");

    // A build that arrives late is found.
    site.built();
    assert_eq!(get(&app, "/").await.status, 200);
}

#[tokio::test]
async fn production_says_at_the_start_that_the_build_is_missing() {
    let mut site = Site::new("production").with(|app| {
        app.configure(|config| {
            config.update(|assets: &mut housekey_http::config::AssetsConfig| {
                assets.entries = vec!["app.css".into()];
            });
        })
    });
    let app = site.boot(routes);
    let [warning] = app.warnings() else { panic!("{:?}", app.warnings()) };
    assert!(warning.contains("there is no build of the front end"), "{warning}");
    assert!(warning.contains("npm ci && npm run build"), "{warning}");
}

#[tokio::test]
async fn a_forgotten_hot_file_changes_nothing_in_production() {
    let mut site = Site::new("production");
    let (_listener, origin) = site.dev_server("[]");
    site.built();
    let answer = get(&site.boot(routes), "/").await;
    answer.assert_see("/build/assets/main-B7s1aXqZ.js");
    answer.assert_dont_see(&origin);
    assert!(!answer.header("content-security-policy").contains(&origin));
}

#[tokio::test]
async fn development_without_a_build_gets_a_page_that_helps_and_reloads() {
    let mut site = Site::new("development");
    let app = site.boot(routes);
    let answer = get(&app, "/").await;
    assert_eq!(answer.status, 500);
    answer.assert_see("The front end is not built yet.");
    answer.assert_see("<code>npm install</code>");
    answer.assert_see("<meta http-equiv=\"refresh\" content=\"2\">");
    answer.assert_see("and no dev server runs");

    // With a note whose server is gone, the page says which file is left over.
    let (listener, origin) = site.dev_server("[]");
    drop(listener);
    let answer = get(&app, "/").await;
    answer.assert_see(&format!("nobody answers at {origin}"));
    answer.assert_see("public/hot says a dev server runs");
}

#[tokio::test]
async fn a_broken_note_or_manifest_is_said_not_guessed_at() {
    let mut site = Site::new("development");
    site.write("public/hot", "http://localhost:1; script-src *");
    let app = site.boot(routes);
    get(&app, "/").await.assert_see("nobody answers at an unreadable address");
    for broken in ["", "{", "[]", "\u{0}", r#"{"src/main.ts": {"file": 7}}"#] {
        site.write("public/build/.vite/manifest.json", broken);
        let answer = get(&app, "/").await;
        assert_eq!(answer.status, 500);
        answer.assert_see("manifest.json cannot be read");
        answer.assert_see("<code>npm run build</code>");
    }
}

#[tokio::test]
async fn an_unknown_entry_names_those_that_exist() {
    let mut site = Site::new("development");
    site.built();
    let answer = get(&site.boot(routes), "/unknown").await;
    assert_eq!(answer.status, 500);
    answer.assert_see("the build has no entry `src/missing.ts`; it has app.css, src/auth.ts, src/main.ts");
}

#[tokio::test]
async fn a_test_of_an_app_needs_no_bundler() {
    let mut site = Site::new("testing");
    let answer = get(&site.boot(routes), "/").await;
    assert_eq!(
        (answer.status.as_u16(), answer.body.as_str()),
        (200, "<html><head></head><body></body></html>")
    );
}

#[tokio::test]
async fn one_file_has_an_address_too() {
    let mut site = Site::new("production");
    site.built();
    get(&site.boot(routes), "/logo")
        .await
        .assert_see("<img src=\"/build/assets/logo-A1b2c3d4.svg\" alt=\"\">");

    let mut site = Site::new("development");
    let (_listener, origin) = site.dev_server("[]");
    get(&site.boot(routes), "/logo").await.assert_see(&format!("<img src=\"{origin}/logo.svg\" alt=\"\">"));
}
