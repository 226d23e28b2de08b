//! What an app asks other hosts, in its tests.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::panic::{AssertUnwindSafe, catch_unwind};

use housekey_core::{Background, ConfigFiles, Result, service};
use housekey_http::App;
use housekey_http::client::{Http, HttpError, http};
use housekey_testing::{TestApp, both, run};
use serde_json::{Value, json};

fn app() -> App {
    App::new(ConfigFiles::new()).routes(|route| {
        route.get("/rate", async || -> Result<String> {
            let rates: Value = http().get("https://rates.example/today").json().await?;
            Ok(rates["eur"].to_string())
        });
        // An app that swallows the failure.
        route.get("/careless", async || match http().get("https://stray.example/x?y=z").send().await {
            Ok(_) => "asked",
            Err(_) => "never mind",
        });
        route.get("/later", async || {
            let background = service::<Background>().unwrap();
            background
                .spawn("a stray", async { drop(http().post("https://stray.example/later").send().await) });
            "done"
        });
    })
}

#[test]
fn a_fake_answers_for_one_test_and_knows_what_was_asked() {
    run(app, async |one: TestApp| {
        let other = one.with_env("ANY", "thing");
        let fake = one
            .services()
            .require::<Http>()
            .unwrap()
            .fake([("https://rates.example/*", json!({ "eur": 1 }))]);
        let faked = other.services().require::<Http>().unwrap();
        faked.fake([("https://rates.example/*", json!({ "eur": 2 }))]);
        let (first, second) = both(one.get("/rate"), other.get("/rate")).await;
        first.assert_ok().assert_see("1");
        second.assert_ok().assert_see("2");
        fake.assert_sent("GET https://rates.example/today", |request| {
            request.has_header("accept", "application/json")
        });
        fake.assert_sent_count(1);
    });
}

#[test]
fn a_host_that_is_down_is_an_error_of_ours() {
    run(app, async |app: TestApp| {
        let http = app.services().require::<Http>().unwrap();
        http.fake([("https://rates.example/*", HttpError::unreachable("down"))]);
        app.get("/rate").await.assert_status(500).assert_dont_see("rates.example");
    });
}

#[test]
fn a_request_that_nobody_expected_fails_the_test_even_if_the_app_does_not_mind() {
    for (path, told) in [
        ("/careless", "GET https://stray.example/x"),
        ("/later", "POST https://stray.example/later"),
        ("/rate", "GET https://rates.example/today"),
    ] {
        let failed = catch_unwind(AssertUnwindSafe(|| {
            run(app, async |app: TestApp| {
                app.get(path).await;
            });
        }));
        let said = failed.unwrap_err().downcast::<String>().unwrap();
        assert!(said.contains(told) && said.contains("no fake answers") && !said.contains("y=z"), "{said}");
    }
}

#[tokio::test]
async fn without_an_app_nobody_is_asked() {
    let error = http().get("https://rates.example/today").send().await.unwrap_err();
    assert!(error.is_refused() && error.to_string().contains("inside an application"), "{error}");
}
