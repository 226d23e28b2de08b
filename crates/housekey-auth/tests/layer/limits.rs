use std::time::Duration;

use housekey_auth::engine::SignInEmail;
use housekey_auth::{AuthConfig, OrHttpError, api};
use housekey_core::{AppConfig, Environment};
use housekey_testing::TestApp;

use crate::support::{PASSWORD, make_tables, sign_in, sign_up, test_app};

async fn limited() -> TestApp {
    test_app(|auth| auth.engine.rate_limit.enabled = Some(true), |_| ()).await
}

async fn tries(app: &TestApp, times: usize) -> Vec<u16> {
    let mut statuses = Vec::new();
    for _ in 0..times {
        statuses.push(sign_in(app, "ada@example.com", "wrong password").await.status().as_u16());
    }
    statuses
}

// spec: ENG-1, CFG-9, IP-4
#[tokio::test]
async fn too_many_attempts_from_one_address_are_refused_and_others_are_not() {
    let app = limited().await;
    sign_up(&app.from("203.0.113.1"), "ada@example.com").await;
    let guesser = app.visitor().from("203.0.113.9");
    assert_eq!(tries(&guesser, 4).await, [401, 401, 401, 429]);
    let refused = sign_in(&guesser, "ada@example.com", "wrong password").await;
    assert!(refused.header("retry-after").unwrap().parse::<u32>().unwrap() >= 1);
    assert_eq!(tries(&app.visitor().from("203.0.113.10"), 1).await, [401]);
    // A header makes nobody new.
    let disguised =
        guesser.with_header("x-app-client-ip", "198.51.100.1").with_header("x-forwarded-for", "198.51.100.2");
    assert_eq!(tries(&disguised, 1).await, [429]);
    app.advance(Duration::from_secs(11));
    assert_eq!(tries(&guesser, 1).await, [401]);
}

// spec: CFG-9
#[tokio::test]
async fn limits_are_on_in_production_off_elsewhere_and_what_is_written_wins() {
    let here = test_app(|_| (), |_| ()).await;
    sign_up(&here, "ada@example.com").await;
    assert_eq!(tries(&here.visitor(), 5).await, [401; 5]);

    let production = |enabled: Option<bool>| {
        let app = TestApp::new(|| crate::support::app_with(AuthConfig::default(), |_| ()));
        app.with_config(move |config| {
            config.update::<AppConfig>(|app| app.env = Environment::Production);
            config.update::<AuthConfig>(|auth| {
                *auth = crate::support::config();
                auth.engine.rate_limit.enabled = enabled;
            });
        })
    };
    let on = production(None);
    make_tables(&on).await;
    assert_eq!(tries(&on, 4).await, [401, 401, 401, 429]);
    let off = production(Some(false));
    make_tables(&off).await;
    assert_eq!(tries(&off, 5).await, [401; 5]);
}

// spec: SEC-4
#[tokio::test]
async fn the_app_s_own_form_and_the_engine_s_endpoint_share_what_they_count_of_an_account() {
    let app = test_app(
        |auth| auth.engine.rate_limit.enabled = Some(true),
        |route| {
            route.get("/in", async || {
                let (email, password) = ("ada@example.com".into(), "wrong password".into());
                let input = SignInEmail { email, password, ..Default::default() };
                api()?.sign_in_email(input).await.or_http_error().map(|_| "in")
            });
        },
    )
    .await;
    let owner = app.from("203.0.113.1");
    sign_up(&owner, "ada@example.com").await;
    let mut statuses = Vec::new();
    for number in 0..7 {
        let stranger = app.visitor().from(&format!("203.0.113.{}", 10 + number));
        statuses.extend(tries(&stranger, 1).await);
        statuses.push(stranger.get("/in").header("accept", "application/json").await.status().as_u16());
    }
    assert_eq!(statuses, [vec![401; 10], vec![429; 4]].concat());
    sign_in(&owner, "ada@example.com", PASSWORD).await.assert_ok();
}
