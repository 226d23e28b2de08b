//! The headers of `config/security.rs`, through the kernel.

use crate::edge::{Answer, BootedApp, boot, try_boot};
use housekey_core::{AppConfig, Environment};
use housekey_http::axum::response::Html;
use housekey_http::security::{CspConfig, CspSources, SecurityConfig, allow_sources, sources};
use housekey_http::{HttpConfig, csp_nonce};

const CSP: &str = "content-security-policy";

fn site(change: impl FnOnce(&mut SecurityConfig) + Send + 'static) -> BootedApp {
    boot(|app| {
        app.configure(|config| config.update::<SecurityConfig>(change)).routes(|route| {
            route.get("/page", async || Html("<p>hello</p>"));
            route.get("/inline", async || {
                Html(format!("<script nonce={}></script>", csp_nonce().unwrap_or_default()))
            });
            route.get("/text", async || "hello");
            route.get("/own", async || {
                (
                    [("content-security-policy", "default-src *"), ("x-frame-options", "SAMEORIGIN")],
                    Html("framed"),
                )
            });
            route.view("/shell", || Html("shell")).header("referrer-policy", "no-referrer");
            route.get("/dev", async || {
                let origin = "http://localhost:5173";
                allow_sources(CspSources {
                    script: sources([origin]),
                    style: sources([origin]),
                    ..Default::default()
                });
                allow_sources(CspSources { connect: sources(["ws://localhost:5173"]), ..Default::default() });
                Html("dev")
            });
        })
    })
}

#[tokio::test]
async fn a_page_carries_the_strict_defaults() {
    let answer = site(|_| {}).get("/page").await;
    for (name, value) in [
        (
            CSP,
            "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data:; object-src 'none'; \
             base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
        ),
        ("x-content-type-options", "nosniff"),
        ("x-frame-options", "DENY"),
        ("referrer-policy", "strict-origin-when-cross-origin"),
        ("permissions-policy", "camera=(), geolocation=(), microphone=(), payment=(), usb=()"),
        ("cross-origin-opener-policy", "same-origin"),
        ("cross-origin-resource-policy", "same-origin"),
        ("strict-transport-security", ""),
    ] {
        assert_eq!(answer.header(name), value, "{name}");
    }
}

#[tokio::test]
async fn the_nonce_in_the_policy_is_the_one_in_the_page_and_never_the_last_ones() {
    let app = site(|_| {});
    let mut seen = Vec::new();
    for _ in 0..3 {
        let answer = app.get("/inline").await;
        let nonce = answer.text().split(['=', '>']).nth(1).unwrap_or_default().to_owned();
        assert!(nonce.len() >= 22, "{nonce}");
        for directive in ["script-src", "style-src"] {
            let expected = format!("{directive} 'self' 'nonce-{nonce}'");
            assert!(answer.header(CSP).contains(&expected), "{}", answer.header(CSP));
        }
        assert!(!seen.contains(&nonce));
        seen.push(nonce);
    }
}

#[tokio::test]
async fn only_documents_have_a_content_policy() {
    let app = site(|_| {});
    app.public("page.html", "<p>static</p>");
    app.public("data.json", "{}");
    assert_eq!(app.get("/text").await.header(CSP), "");
    assert_eq!(app.get("/text").await.header("x-content-type-options"), "nosniff");
    assert_eq!(app.get("/data.json").await.header(CSP), "");
    assert_ne!(app.get("/page.html").await.header(CSP), "", "a static document too");
    let missing = app.get("/missing").await;
    assert_eq!(missing.status, 404);
    assert_ne!(missing.header(CSP), "", "an error page is a document");
    assert_eq!(missing.header("x-frame-options"), "DENY");
}

// spec: SHL-6
#[tokio::test]
async fn what_a_route_says_itself_replaces_the_frameworks_header() {
    let app = site(|_| {});
    let own = app.get("/own").await;
    assert_eq!(own.list(CSP), "default-src *");
    assert_eq!(own.list("x-frame-options"), "SAMEORIGIN");
    assert_eq!(own.header("x-content-type-options"), "nosniff");
    assert_eq!(app.get("/shell").await.list("referrer-policy"), "no-referrer");
}

#[tokio::test]
async fn sources_that_one_answer_needs_do_not_stay_for_the_next() {
    let app = site(|_| {});
    let dev = app.get("/dev").await;
    for part in [
        "script-src 'self' http://localhost:5173;",
        "style-src 'self' http://localhost:5173;",
        "connect-src 'self' ws://localhost:5173",
    ] {
        assert!(dev.header(CSP).contains(part), "{}", dev.header(CSP));
    }
    assert!(!app.get("/page").await.header(CSP).contains("localhost"));
}

#[tokio::test]
async fn a_policy_can_be_tried_out_before_it_binds() {
    let app = site(|security| {
        security.csp.report_only = true;
        security.csp.report_uri = Some("/csp-reports".into());
    });
    let answer = app.get("/page").await;
    assert_eq!(answer.header(CSP), "");
    assert!(answer.header("content-security-policy-report-only").ends_with("; report-uri /csp-reports"));
}

#[tokio::test]
async fn every_directive_and_header_can_be_changed_or_left_out() {
    let app = site(|security| {
        security.csp = CspConfig {
            connect_src: sources(["'self'", "https://api.example"]),
            form_action: Vec::new(),
            more: [("upgrade-insecure-requests".to_owned(), Vec::new())].into(),
            ..CspConfig::default()
        };
        security.frame_options = None;
        security.referrer_policy = None;
        security.permissions_policy = Vec::new();
        security.cross_origin_opener_policy = None;
        security.cross_origin_resource_policy = Some("cross-origin".into());
        security.nosniff = false;
    });
    let answer = app.get("/page").await;
    let csp = answer.header(CSP);
    assert!(csp.contains("; connect-src 'self' https://api.example;"), "{csp}");
    assert!(!csp.contains("form-action") && csp.ends_with("; upgrade-insecure-requests"), "{csp}");
    for name in [
        "x-frame-options",
        "referrer-policy",
        "permissions-policy",
        "cross-origin-opener-policy",
        "x-content-type-options",
    ] {
        assert_eq!(answer.header(name), "", "{name}");
    }
    assert_eq!(answer.header("cross-origin-resource-policy"), "cross-origin");

    let off = site(|security| security.csp.enabled = false);
    assert_eq!(off.get("/page").await.header(CSP), "");
}

#[tokio::test]
async fn a_policy_that_could_smuggle_a_directive_stops_the_boot() {
    for bad in
        ["https://a.example; script-src *", "https://a.example https://b.example", "a\r\nset-cookie: x=y"]
    {
        let booted = try_boot(|app| {
            app.configure(move |config| {
                config.update::<SecurityConfig>(|security| security.csp.img_src = sources([bad]));
            })
        });
        let error = booted.err().map(|error| error.to_string()).unwrap_or_default();
        assert!(error.contains("config/security.rs") && error.contains("img-src"), "{bad}: {error}");
    }
}

async fn strict_transport(environment: Environment, headers: &[(&str, &str)]) -> Answer {
    strict_transport_at("http://localhost:3000", environment, headers).await
}

async fn strict_transport_at(url: &str, environment: Environment, headers: &[(&str, &str)]) -> Answer {
    let url = url.to_owned();
    let app = boot(|app| {
        app.configure(move |config| {
            config.update::<AppConfig>(|app| (app.env, app.url) = (environment, url));
            config.update::<HttpConfig>(|http| http.trusted_proxies = vec!["203.0.113.7".into()]);
        })
        .routes(|route| {
            route.get("/page", async || Html("<p>hello</p>"));
        })
    });
    app.get_with("/page", headers).await
}

#[tokio::test]
async fn strict_transport_is_asked_for_in_production_over_https_only() {
    let https = [("x-forwarded-proto", "https")];
    let hsts = "strict-transport-security";
    let production = strict_transport(Environment::Production, &https).await;
    assert_eq!(production.header(hsts), "max-age=31536000; includeSubDomains");
    assert_eq!(strict_transport(Environment::Production, &[]).await.header(hsts), "");
    assert_eq!(strict_transport(Environment::Development, &https).await.header(hsts), "");
}

// spec: SEC-6
#[tokio::test]
async fn an_app_whose_address_is_https_asks_for_strict_transport_behind_any_proxy() {
    let hsts = "strict-transport-security";
    for environment in ["production", "Production", "staging"] {
        let answer = strict_transport_at("https://shop.test", environment.into(), &[]).await;
        assert_eq!(answer.header(hsts), "max-age=31536000; includeSubDomains", "{environment}");
    }
    let development = strict_transport_at("https://shop.test", Environment::Development, &[]).await;
    assert_eq!(development.header(hsts), "");
}
