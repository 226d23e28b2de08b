use housekey_core::{AppConfig, AppKey, EncryptionConfig, Environment, Error, Result};
use housekey_http::guard::{GuardArguments, from_fn};
use housekey_http::{App, Provider, Registrar, Routes, Server};

use crate::http::support::{Client, app, with_http};

fn complaint(app: App) -> String {
    app.boot().unwrap_err().to_string()
}

#[test]
fn two_routes_for_one_address_are_both_named() {
    let text = complaint(app(|route: &mut Routes| {
        route.get("/users/{id}", async || "a");
        route.get("/users/{user}", async || "b");
    }));
    assert!(text.contains("GET /users/{id} (") && text.contains("GET /users/{user} ("), "{text}");
    assert!(text.contains("boot.rs:"), "{text}");
}

#[test]
fn two_routes_of_one_name_are_both_named() {
    let text = complaint(app(|route: &mut Routes| {
        route.get("/a", async || "a").name("home");
        route.get("/b", async || "b").name("home");
    }));
    assert!(text.contains("\"home\"") && text.contains("GET /a (") && text.contains("GET /b ("), "{text}");
}

#[test]
fn an_unknown_guard_is_named_with_its_route_and_the_near_one() {
    let text = complaint(app(|route: &mut Routes| {
        route.get("/a", async || "a").middleware("trottle:6,1");
    }));
    assert!(text.contains("GET /a (") && text.contains("\"trottle\""), "{text}");
    assert!(text.contains("did you mean \"throttle\"?"), "{text}");
}

#[test]
fn arguments_a_guard_cannot_read_are_named() {
    let odd = |arguments: &GuardArguments<'_>| {
        let count: u32 = arguments.parse_at(0, "how many")?;
        Ok(from_fn(format!("odd:{count}"), async |request, next: housekey_http::Next| {
            Ok(next.run(request).await)
        }))
    };
    let text = complaint(
        app(|route: &mut Routes| {
            route.get("/a", async || "a").middleware("odd:many");
        })
        .guard("odd", odd),
    );
    assert!(text.contains("GET /a (") && text.contains("\"many\"") && text.contains("how many"), "{text}");
}

#[test]
fn a_path_or_header_that_makes_no_sense_is_named_with_its_place() {
    let text = complaint(app(|route: &mut Routes| {
        route.get("/a/{b", async || "a");
    }));
    assert!(text.contains("/a/{b") && text.contains("boot.rs:"), "{text}");
    let text = complaint(app(|route: &mut Routes| {
        route.view("/a", || "a").header("x y", "1");
    }));
    assert!(text.contains("x y"), "{text}");
}

#[test]
fn debug_in_production_and_a_missing_key_refuse_to_boot() {
    let text = complaint(app(|_: &mut Routes| ()).configure(|config| {
        config.update::<AppConfig>(|app| (app.env, app.debug) = (Environment::Production, true));
    }));
    assert!(text.contains("APP_DEBUG"), "{text}");
    let text = complaint(app(|_: &mut Routes| ()).configure(|config| {
        config.update::<AppConfig>(|app| app.env = Environment::Production);
    }));
    assert!(text.contains("APP_KEY"), "{text}");
}

// spec: SEC-6
#[test]
fn a_place_with_another_name_boots_by_the_rules_of_production() {
    for name in ["Production", "live", "staging", "Development"] {
        let text = complaint(app(|_: &mut Routes| ()).configure(move |config| {
            config.update::<AppConfig>(|app| (app.env, app.debug) = (name.into(), true));
        }));
        assert!(text.contains("APP_DEBUG"), "{name}: {text}");
        let text = complaint(app(|_: &mut Routes| ()).configure(move |config| {
            config.update::<AppConfig>(|app| app.env = name.into());
        }));
        assert!(text.contains("APP_KEY"), "{name}: {text}");
    }
}

#[test]
fn production_over_plain_http_is_a_warning_that_names_the_address() {
    let warned = |url: &'static str| {
        let booted = app(|_: &mut Routes| ()).configure(move |config| {
            config.update::<AppConfig>(|app| (app.env, app.url) = (Environment::Production, url.into()));
            config.update::<EncryptionConfig>(|encryption| encryption.key = AppKey::generate().to_text());
        });
        booted
            .boot()
            .unwrap()
            .warnings()
            .iter()
            .any(|warning| warning.contains("APP_URL") && warning.contains(url))
    };
    assert!(warned("http://shop.test"));
    assert!(!warned("https://shop.test"));
    // A first look on one's own machine.
    assert!(!warned("http://localhost:3000"));
}

#[test]
fn a_missing_key_on_a_developers_machine_is_a_warning() {
    let application = app(|_: &mut Routes| ())
        .configure(|config| config.update::<AppConfig>(|app| app.env = Environment::Development))
        .boot()
        .unwrap();
    assert!(application.warnings().iter().any(|warning| warning.contains("key:generate")));
}

#[test]
fn a_proxy_that_cannot_be_read_refuses_to_boot() {
    let text = complaint(with_http(app(|_: &mut Routes| ()), |http| {
        http.trusted_proxies = vec!["localhost".into()];
    }));
    assert!(text.contains("localhost"), "{text}");
}

struct Greetings;

struct Word(&'static str);

impl Provider for Greetings {
    fn name(&self) -> &'static str {
        "greetings"
    }

    fn register(&self, app: &mut Registrar<'_>) -> Result<()> {
        app.services().insert(Word("good morning"));
        app.routes().get("/greeting", async || {
            let word = housekey_core::service::<Word>();
            word.map(|word| word.0).ok_or_else(Error::not_found)
        });
        app.warn("it is early");
        Ok(())
    }
}

struct Broken;

impl Provider for Broken {
    fn name(&self) -> &'static str {
        "broken"
    }

    fn register(&self, _: &mut Registrar<'_>) -> Result<()> {
        Err(Error::internal("no paper"))
    }
}

#[tokio::test]
async fn a_provider_brings_services_routes_and_warnings() {
    let application = app(|_: &mut Routes| ()).provider(Greetings).boot().unwrap();
    assert_eq!(Client::new(&application).get("/greeting").await.text(), "good morning");
    assert_eq!(application.warnings(), ["it is early"]);
    let text = complaint(app(|_: &mut Routes| ()).provider(Broken));
    assert!(text.contains("registering broken") && text.contains("no paper"), "{text}");
}

#[tokio::test]
async fn a_taken_port_is_explained() {
    let application = app(|_: &mut Routes| ()).boot().unwrap();
    let first = Server::bind_to(&application, "127.0.0.1", 0).await.unwrap();
    let port = first.local_addr().port();
    let text = Server::bind_to(&application, "127.0.0.1", port).await.unwrap_err().to_string();
    assert!(
        text.contains(&format!("port {port}")) && text.contains("taken") && text.contains("PORT"),
        "{text}"
    );
    let text = Server::bind_to(&application, "203.0.113.77", 0).await.unwrap_err().to_string();
    assert!(text.contains("no address of this machine"), "{text}");
}
