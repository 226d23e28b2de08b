//! The test harness, tested the way apps use it.

use std::{collections::HashMap, future::IntoFuture, panic::AssertUnwindSafe, time::Duration};

use housekey_cache::cache;
use housekey_core::{AppConfig, ConfigFile, ConfigFiles, Error, FieldErrors, Result, env};
use housekey_http::{
    App, Routes,
    axum::{Form, Json, extract::Path},
    client_ip,
    response::redirect,
    session::{SessionConfig, session},
    uploads::Upload,
    validation::{Valid, Validated},
};
use housekey_test_support::in_time;
use housekey_testing::{TestApp, TestResponse, run};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

fn app() -> App {
    App::new(ConfigFiles::new()).routes(web)
}

fn web(route: &mut Routes) {
    route.get("/health", async || "ok");
    route.get("/count", async || -> Result<String> {
        Ok(session().increment("visits", 1).await?.to_string())
    });
    route.get("/ip", async || client_ip().map(|ip| ip.to_string()).unwrap_or_default());
    route.post("/form", async |Form(form): Form<HashMap<String, String>>| format!("got {}", form["name"]));
    route.put("/json", async |Json(body): Json<Value>| Json(json!({ "got": body })));
    route.get("/hop/{left}", async |Path(left): Path<u32>| match left {
        0 => Ok("arrived"),
        _ => Err(redirect(&format!("/hop/{}", left - 1))),
    });
    route.get("/away", async || redirect("https://elsewhere.test/"));
    route.post("/refused", async || -> Result<()> {
        let mut errors = FieldErrors::new();
        errors.add("email", "The email is required.");
        Err(Error::invalid(errors))
    });
    route.get("/broken", async || -> Result<()> { Err(Error::internal("the flux capacitor is empty")) });
    route.get("/panics", async || -> &'static str { panic!("told you") });
}

#[test]
fn a_request_goes_through_the_pipeline() {
    run(app, async |app: TestApp| {
        app.get("/health").await.assert_ok().assert_status(200).assert_see("ok").assert_dont_see("error");
        app.get("/missing").await.assert_not_found();
        app.post("/health").await.assert_status(405);
        app.head("/health").await.assert_ok();
        app.get("/panics").await.assert_status(500);
    });
}

#[test]
fn cookies_are_kept_for_one_visitor_and_not_for_another() {
    run(app, async |app: TestApp| {
        app.get("/health").await.assert_no_header("set-cookie");
        app.get("/count").await.assert_see("1");
        app.get("/count").await.assert_see("2");
        app.visitor().get("/count").await.assert_see("1");
        app.clone().get("/count").await.assert_see("3");
        app.forget_cookies();
        app.get("/count").await.assert_see("1");
    });
}

#[test]
fn writing_requests_carry_the_token_unless_told_otherwise() {
    run(app, async |app: TestApp| {
        app.post("/form").form(&[("name", "Ada & Co")]).await.assert_ok().assert_see("got Ada & Co");
        app.put("/json").json(&json!([1, 2])).await.assert_json(&json!({ "got": [1, 2] }));
        app.post("/form").form(&[("name", "Eve")]).without_csrf().await.assert_status(419);
        app.put("/json").json(&1).without_csrf().await.assert_status(419);
    });
}

#[test]
fn the_token_belongs_to_the_session_the_visitor_has() {
    run(app, async |app: TestApp| {
        app.get("/count").await.assert_see("1");
        app.post("/form").form(&[("name", "Ada")]).await.assert_ok();
        app.get("/count").await.assert_see("2");
    });
}

#[test]
fn redirects_are_followed_on_request_and_never_off_the_site() {
    run(app, async |app: TestApp| {
        app.get("/hop/3").await.assert_redirect("/hop/2");
        app.get("/hop/3").follow_redirects().await.assert_see("arrived");
        app.get("/away").follow_redirects().await.assert_redirect("https://elsewhere.test/");
        let endless = tokio::spawn(app.get("/hop/50").follow_redirects().into_future()).await;
        let message = endless.unwrap_err().into_panic().downcast::<String>().unwrap();
        assert!(message.contains("more than 10 redirects"), "{message}");
    });
}

#[test]
fn the_client_address_can_be_chosen() {
    run(app, async |app: TestApp| {
        app.get("/ip").await.assert_see("127.0.0.1");
        app.get("/ip").from("203.0.113.9").await.assert_see("203.0.113.9");
        app.from("2001:db8::1").get("/ip").await.assert_see("2001:db8::1");
    });
}

#[test]
fn the_clock_stands_still_until_it_is_moved() {
    run(app, async |app: TestApp| {
        let before = app.clock().now();
        app.get("/count").await.assert_see("1");
        app.advance(Duration::from_secs(119 * 60));
        app.get("/count").await.assert_see("2");
        app.advance(Duration::from_secs(121 * 60));
        app.get("/count").await.assert_see("1");
        assert_eq!(app.clock().now() - before, Duration::from_secs(240 * 60));
    });
}

#[test]
fn configuration_and_environment_can_be_changed_for_one_test() {
    let greeting = || GreetingConfig { text: env("GREETING", "Hello") };
    let app = move || {
        App::new(ConfigFiles::new().with(ConfigFile::new("greeting", "config/greeting.rs", greeting)))
    };
    run(app, async |app: TestApp| {
        let app = app.with_env("GREETING", "Moin");
        let app = app.with_config(|config| config.update::<SessionConfig>(|session| session.lifetime = 1));
        assert_eq!(app.config().get::<GreetingConfig>().text, "Moin");
        assert_eq!(app.config().get::<SessionConfig>().lifetime, 1);
        assert_eq!(app.config().get::<SessionConfig>().driver, "memory");
        assert!(app.config().get::<AppConfig>().env.is_testing());
    });
}

#[derive(Default, Serialize, Deserialize)]
struct GreetingConfig {
    text: String,
}

#[test]
fn every_app_has_a_folder_of_its_own_that_does_not_outlive_it() {
    let (first, second) = run(app, async |app: TestApp| {
        let other = app.with_env("APP_NAME", "Other");
        assert!(app.storage().is_dir() && other.storage().is_dir());
        (app.storage().to_owned(), other.storage().to_owned())
    });
    assert_ne!(first, second);
    assert!(!first.exists() && !second.exists());
}

#[test]
fn services_answer_outside_a_request() {
    run(app, async |app: TestApp| {
        let word: Result<Option<String>> = app
            .within(async {
                cache()?.put("word", "hello", None).await?;
                cache()?.get("word").await
            })
            .await;
        assert_eq!(word.unwrap().as_deref(), Some("hello"));
        assert!(cache().is_err());
    });
}

#[test]
fn refused_fields_are_found_in_json_and_in_a_browsers_flash() {
    run(app, async |app: TestApp| {
        app.post("/refused").json(&json!({})).await.assert_status(422).assert_invalid("email");
        app.post("/refused")
            .json(&json!({}))
            .await
            .assert_json_path("errors.email.0", "The email is required.");
        let message = failing(&app.post("/refused").json(&json!({})).await, |answer| {
            answer.assert_invalid("name");
        });
        assert!(message.contains("refused: email"), "{message}");
        app.get("/health").await.assert_valid();
    });
}

#[test]
fn a_failing_assertion_shows_the_answer_and_a_hint() {
    run(app, async |app: TestApp| {
        let answer = app.get("/missing").await;
        let message = failing(&answer, |answer| {
            answer.assert_ok();
        });
        for part in [
            "expected a success, got 404",
            "GET /missing\n404 Not Found\n",
            "content-type: ",
            "hint: no route",
        ] {
            assert!(message.contains(part), "{part:?} is not in {message}");
        }

        let answer = app.get("/broken").await;
        let message = failing(&answer, |answer| {
            answer.assert_ok();
        });
        assert!(message.contains("inside the app: the flux capacitor is empty"), "{message}");
        answer.assert_dont_see("flux");
    });
}

#[test]
fn a_test_may_return_a_result_and_a_panic_goes_through() {
    let result: Result<()> = run(app, async |_: TestApp| Err(Error::not_found()));
    assert_eq!(result.unwrap_err().status(), 404);
    let panicked = std::panic::catch_unwind(|| run(app, async |_: TestApp| panic!("as it should")));
    assert_eq!(panicked.unwrap_err().downcast_ref::<&str>(), Some(&"as it should"));
}

#[test]
fn an_app_that_does_not_boot_says_why() {
    let broken = || {
        app().routes(|route| {
            route.get("/x", async || "x").middleware("nobody");
        })
    };
    let panicked = std::panic::catch_unwind(|| run(broken, async |_: TestApp| ()));
    let message = panicked.unwrap_err().downcast::<String>().unwrap();
    assert!(message.contains("the app does not boot") && message.contains("nobody"), "{message}");
}

#[test]
fn a_real_socket_answers_until_it_is_stopped() {
    run(app, async |app: TestApp| {
        let server = app.serve().await;
        let mut socket = TcpStream::connect(server.address()).await.unwrap();
        socket.write_all(b"GET /health HTTP/1.1\r\nhost: test\r\nconnection: close\r\n\r\n").await.unwrap();
        let mut answer = String::new();
        in_time("the answer", socket.read_to_string(&mut answer)).await.unwrap();
        assert!(answer.starts_with("HTTP/1.1 200") && answer.ends_with("ok"), "{answer}");

        let address = server.address();
        assert_eq!(server.url("/health"), format!("http://{address}/health"));
        server.stop().await;
        assert!(TcpStream::connect(address).await.is_err());
    });
}

#[test]
fn a_browser_sent_back_carries_its_errors_in_the_session() {
    run(app, async |app: TestApp| {
        let answer = app.post("/refused").form(&[("email", "")]).referer("/health").await;
        answer.assert_redirect("/health").assert_invalid("email");
        assert!(app.session().await.contains_key("_form"));
        // Looking did not spend it, and a later answer is not blamed for it.
        assert!(app.session().await.contains_key("_form"));
        app.get("/hop/1").await.assert_redirect("/hop/0");
    });
}

/// The message of the panic that an assertion ends in.
fn failing(answer: &TestResponse, assertion: impl FnOnce(&TestResponse)) -> String {
    let panic =
        std::panic::catch_unwind(AssertUnwindSafe(|| assertion(answer))).expect_err("the assertion held");
    *panic.downcast::<String>().expect("an assertion panics with a message")
}

#[derive(Debug, Deserialize, Validated)]
#[validate(crate = "housekey_http::validation")]
struct NewBook {
    #[validate(required)]
    title: String,
    #[validate(required, image)]
    cover: Upload,
    #[validate(each(file))]
    papers: Vec<Upload>,
}

fn library() -> App {
    App::new(ConfigFiles::new()).routes(|route| {
        route.post("/books", async |Valid(book): Valid<NewBook>| {
            let papers: Vec<_> =
                book.papers.iter().map(|paper| format!("{} {}", paper.name(), paper.size())).collect();
            format!("{} {} {papers:?}", book.title, book.cover.name())
        });
    })
}

const GIF: &[u8] = b"GIF89a\x02\0\x02\0\0\0\0;";

#[test]
fn a_form_carries_files_as_a_browser_sends_them() {
    run(library, async |app: TestApp| {
        let book = app.post("/books").form(&[("title", "Dün\r\n--e")]).file("cover", "dune \"1\".gif", GIF);
        let both = book.file("papers", "a.txt", "one").file("papers", "b.txt", vec![0; 300_000]);
        both.await.assert_ok().assert_see("Dün\r\n--e dune %221%22.gif [\"a.txt 3\", \"b.txt 300000\"]");

        // In whatever order it is said; a field where nobody chose a file is there and empty.
        let book = app.post("/books").file("cover", "", "").form(&[("title", "Dune")]).accept_json();
        book.await.assert_status(422).assert_invalid("cover");
        let page = app.post("/books").form(&[("title", "Dune")]).file("cover", "me.gif", "<script>");
        page.accept_json().await.assert_invalid("cover");
    });
}

#[test]
fn a_form_with_files_needs_its_token_too() {
    run(library, async |app: TestApp| {
        let book = app.post("/books").form(&[("title", "Dune")]).file("cover", "dune.gif", GIF);
        book.without_csrf().await.assert_status(419);
    });
}
