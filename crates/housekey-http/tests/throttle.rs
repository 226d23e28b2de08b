//! `throttle`, through the kernel. spec: MID-6

use std::fs;
use std::time::Duration;

use crate::edge::{Answer, BootedApp, boot, try_boot};
use housekey_cache::CacheConfig;
use housekey_core::Result;
use housekey_http::throttle::{
    Limit, ThrottleConfig, ThrottleSubject, WhenUnavailable, throttle, throttle_by,
};
use housekey_http::{Provider, Registrar};
use http::Method;

const LIMIT: &str = "x-ratelimit-limit";
const REMAINING: &str = "x-ratelimit-remaining";

fn site() -> BootedApp {
    boot(|app| {
        app.limiter("login", |request| {
            let who =
                request.headers().get("x-login").and_then(|value| value.to_str().ok()).unwrap_or("nobody");
            [Limit::per_minute(3).by(who), Limit::per_minute(5)]
        })
        .limiter("partners", |request| {
            (!request.headers().contains_key("x-partner")).then(|| Limit::per_minute(1))
        })
        .configure(|config| {
            config.update::<ThrottleConfig>(|throttle| {
                throttle.limiters.insert("search".into(), vec![Limit::per_second(1)]);
                throttle.limiters.insert("login".into(), vec![Limit::per_day(1)]);
            });
        })
        .routes(|route| {
            route.get("/six", async || "six").middleware("throttle:6,1");
            route.get("/other", async || "other").middleware("throttle:6,1");
            route.get("/typed", async || "typed").middleware(throttle(2, 10));
            route.get("/login", async || "login").middleware("throttle:login");
            route.get("/api/login", async || "login").middleware(throttle_by("login"));
            route.get("/partners", async || "partners").middleware("throttle:partners");
            route.get("/search", async || "search").middleware("throttle:search");
            route.any("/any", async || "any").middleware("throttle:2,1").without_csrf();
            route.get("/both", async || "both").middleware(["throttle:10,1", "throttle:2,60"]);
            route.get("/things/{id}", async || "thing").middleware("throttle:2,1");
        })
    })
}

async fn statuses(app: &BootedApp, path: &str, count: usize) -> Vec<u16> {
    let mut statuses = Vec::new();
    for _ in 0..count {
        statuses.push(app.get(path).await.status.as_u16());
    }
    statuses
}

async fn sign_in(app: &BootedApp, ip: &str, who: &str) -> u16 {
    app.ask_from(ip, Method::GET, "/login", &[("x-login", who)]).await.status.as_u16()
}

// spec: MID-6
#[tokio::test]
async fn the_seventh_request_in_a_minute_is_refused_until_the_minute_is_over() {
    let app = site();
    for left in (0..6).rev() {
        let answer = app.get("/six").await;
        assert_eq!((answer.status.as_u16(), answer.text().as_str()), (200, "six"));
        assert_eq!((answer.header(LIMIT), answer.header(REMAINING)), ("6", left.to_string().as_str()));
        assert_eq!(answer.header("retry-after"), "");
    }
    app.clock.advance(Duration::from_millis(15_500));
    let refused = app.get("/six").await;
    assert_eq!(refused.status, 429);
    assert_eq!(
        refused.header("retry-after"),
        "45",
        "rounded up, so that waiting exactly that long is enough"
    );
    assert_eq!((refused.header(LIMIT), refused.header(REMAINING)), ("6", "0"));
    app.clock.advance(Duration::from_secs(44));
    assert_eq!(app.get("/six").await.status, 429, "knocking did not help");
    app.clock.advance(Duration::from_secs(1));
    assert_eq!(app.get("/six").await.status, 200);
}

// spec: MID-6
#[tokio::test]
async fn a_refusal_is_a_page_for_browsers_and_json_for_programs() {
    let app = site();
    statuses(&app, "/typed", 2).await;
    let page = app.get_with("/typed", &[("accept", "text/html")]).await;
    assert_eq!(page.status, 429);
    assert!(page.header("content-type").starts_with("text/html"), "{}", page.header("content-type"));
    let json = app.get_with("/typed", &[("accept", "application/json")]).await;
    assert_eq!((json.status.as_u16(), json.header("content-type")), (429, "application/json"));
    assert!(json.text().contains("\"message\""));
    assert_eq!(json.header("retry-after"), "600");
}

// spec: MID-6, IP-1
#[tokio::test]
async fn visitors_and_routes_are_counted_apart() {
    let app = site();
    assert_eq!(statuses(&app, "/six", 7).await, [200, 200, 200, 200, 200, 200, 429]);
    assert_eq!(app.get("/other").await.status, 200);
    let neighbour = app.ask_from("203.0.113.8", Method::GET, "/six", &[]).await;
    assert_eq!(neighbour.status, 200);
    for header in ["x-forwarded-for", "x-real-ip", "forwarded", "x-app-client-ip"] {
        let disguised = app.get_with("/six", &[(header, "198.51.100.1")]).await;
        assert_eq!(disguised.status, 429, "{header} from an unknown proxy changes nothing");
    }
}

#[tokio::test]
async fn neither_another_method_nor_another_parameter_nor_an_ipv6_neighbour_is_a_fresh_start() {
    let app = site();
    for method in [Method::GET, Method::POST] {
        assert_eq!(app.ask(method, "/any", &[]).await.status, 200);
    }
    for method in [Method::PUT, Method::HEAD, Method::DELETE] {
        assert_eq!(app.ask(method, "/any", &[]).await.status, 429);
    }
    assert_eq!(app.get("/things/1").await.status, 200);
    assert_eq!(app.get("/things/2?x=1").await.status, 200);
    assert_eq!(app.get("/things/3").await.status, 429);

    for (ip, status) in
        [("2001:db8::1", 200), ("2001:db8::ffff:2", 200), ("2001:db8::3", 429), ("2001:db8:0:1::1", 200)]
    {
        assert_eq!(app.ask_from(ip, Method::GET, "/typed", &[]).await.status, status, "{ip}");
    }
}

#[tokio::test]
async fn a_named_limiter_keeps_all_its_limits_on_all_its_routes() {
    let app = site();
    for _ in 0..3 {
        assert_eq!(sign_in(&app, "198.51.100.1", "ada").await, 200);
    }
    assert_eq!(
        sign_in(&app, "198.51.100.2", "ada").await,
        429,
        "the account is protected from other addresses"
    );
    assert_eq!(sign_in(&app, "198.51.100.1", "bob").await, 200);
    assert_eq!(sign_in(&app, "198.51.100.1", "eve").await, 200);
    assert_eq!(
        sign_in(&app, "198.51.100.1", "kim").await,
        429,
        "and the address cannot try one account after another"
    );
    let api = app.ask_from("198.51.100.3", Method::GET, "/api/login", &[("x-login", "ada")]).await;
    assert_eq!(api.status, 429, "the other door has the same limiter");
}

#[tokio::test]
async fn a_limiter_can_let_some_pass_and_config_can_name_one() {
    let app = site();
    assert_eq!(statuses(&app, "/partners", 2).await, [200, 429]);
    for _ in 0..3 {
        let partner = app.get_with("/partners", &[("x-partner", "yes")]).await;
        assert_eq!((partner.status.as_u16(), partner.header(LIMIT)), (200, ""));
    }
    assert_eq!(statuses(&app, "/search", 2).await, [200, 429]);
    app.clock.advance(Duration::from_secs(1));
    assert_eq!(app.get("/search").await.status, 200);
}

#[tokio::test]
async fn of_two_throttles_the_one_with_less_left_speaks() {
    let app = site();
    let answer = app.get("/both").await;
    assert_eq!((answer.header(LIMIT), answer.header(REMAINING)), ("2", "1"));
    app.get("/both").await;
    let refused = app.get("/both").await;
    assert_eq!((refused.status.as_u16(), refused.header("retry-after")), (429, "3600"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_burst_passes_exactly_as_often_as_allowed() {
    let app = std::sync::Arc::new(site());
    let tasks: Vec<_> = (0..40)
        .map(|_| {
            let app = app.clone();
            tokio::spawn(async move { app.get("/six").await.status.as_u16() })
        })
        .collect();
    let mut passed = 0;
    for task in tasks {
        passed += u32::from(task.await.unwrap() == 200);
    }
    assert_eq!(passed, 6);
}

#[tokio::test]
async fn a_layer_that_knows_the_visitor_is_believed_over_the_address() {
    struct Members;

    impl Provider for Members {
        fn name(&self) -> &'static str {
            "members"
        }

        fn register(&self, app: &mut Registrar<'_>) -> Result<()> {
            app.services()
                .insert(ThrottleSubject::new(|context| context.header("x-member").map(str::to_owned)));
            app.limiter("club", |_| Limit::per_minute(1));
            app.limiter("taken", |_| Limit::per_minute(1));
            Ok(())
        }
    }

    let app = boot(|app| {
        app.provider(Members).limiter("taken", |_| Limit::per_minute(2)).routes(|route| {
            route.get("/club", async || "club").middleware("throttle:club");
            route.get("/taken", async || "taken").middleware("throttle:taken");
        })
    });
    let ada = [("x-member", "ada")];
    assert_eq!(app.get_with("/club", &ada).await.status, 200);
    assert_eq!(app.ask_from("198.51.100.9", Method::GET, "/club", &ada).await.status, 429);
    assert_eq!(app.get_with("/club", &[("x-member", "bob")]).await.status, 200);
    let impostor = app.get_with("/club", &[("x-member", "ip:203.0.113.7")]).await;
    assert_eq!(impostor.status, 200);
    assert_eq!(app.get("/club").await.status, 200, "a member called like an address is not the address");
    assert_eq!(
        statuses(&app, "/taken", 3).await,
        [200, 200, 429],
        "the app's limiter goes before the provider's"
    );
}

#[tokio::test]
async fn a_wrong_throttle_stops_the_boot_and_names_route_and_remedy() {
    for (guard, words) in [
        ("throttle:logn", ["\"logn\"", "config/throttle.rs"]),
        ("throttle:0,1", ["zero", "/x"]),
        ("throttle:6,0", ["zero", "/x"]),
        ("throttle:6,soon", ["soon", "minutes"]),
        ("throttle:6,1,2", ["throttle:6,1", "/x"]),
        ("throttle", ["throttle:6,1", "/x"]),
    ] {
        let booted = try_boot(|app| {
            app.routes(move |route| {
                route.get("/x", async || "x").middleware(guard);
            })
        });
        let error = booted.err().map(|error| error.to_string()).unwrap_or_default();
        for word in words {
            assert!(error.contains(word), "{guard}: {error}");
        }
    }
}

/// An app whose file cache is taken away after boot.
async fn without_cache(change: impl FnOnce(&mut ThrottleConfig) + Send + 'static) -> (Answer, Answer) {
    let app = boot(|app| {
        app.configure(|config| {
            config.update::<CacheConfig>(|cache| cache.store = "file".into());
            config.update::<ThrottleConfig>(change);
        })
        .limiter("lenient", |_| Limit::per_minute(1).or_allow())
        .routes(|route| {
            route.get("/strict", async || "strict").middleware("throttle:6,1");
            route.get("/lenient", async || "lenient").middleware("throttle:lenient");
        })
    });
    assert_eq!(app.get("/strict").await.status, 200);
    let folder = app.root().join("storage/framework/cache");
    fs::remove_dir_all(&folder).unwrap();
    fs::write(&folder, "in the way").unwrap();
    let lenient = app.get("/lenient").await;
    (app.get("/strict").await, lenient)
}

#[tokio::test]
async fn without_the_cache_a_throttled_route_is_closed_unless_told_otherwise() {
    let (strict, lenient) = without_cache(|_| {}).await;
    assert_eq!(strict.status, 503);
    assert_eq!(strict.header("retry-after"), "5");
    assert!(!strict.text().contains("storage"), "the client learns nothing about the disk");
    assert_eq!(lenient.text(), "lenient");

    let (strict, _) = without_cache(|throttle| throttle.when_unavailable = WhenUnavailable::Allow).await;
    assert_eq!((strict.status.as_u16(), strict.text().as_str()), (200, "strict"));
}

#[tokio::test]
async fn the_headers_can_be_left_out_but_not_the_wait() {
    let app = boot(|app| {
        app.configure(|config| config.update::<ThrottleConfig>(|throttle| throttle.headers = false)).routes(
            |route| {
                route.get("/x", async || "x").middleware("throttle:1,1");
            },
        )
    });
    assert_eq!(app.get("/x").await.header(LIMIT), "");
    let refused = app.get("/x").await;
    assert_eq!(
        (refused.status.as_u16(), refused.header(LIMIT), refused.header("retry-after")),
        (429, "", "60")
    );
}
