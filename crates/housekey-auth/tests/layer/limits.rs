use std::time::Duration;

use housekey_auth::AuthConfig;
use housekey_core::{AppConfig, Environment};
use housekey_testing::TestApp;

use crate::support::{house, make_tables, sign_in, sign_up};

async fn limited() -> TestApp {
    house(|auth| auth.engine.rate_limit.enabled = Some(true), |_| ()).await
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
    let here = house(|_| (), |_| ()).await;
    sign_up(&here, "ada@example.com").await;
    assert_eq!(tries(&here.visitor(), 5).await, [401; 5]);

    let production = |enabled: Option<bool>| {
        let app = TestApp::new(|| crate::support::app_with(AuthConfig::default(), |_| ()));
        app.with_config(move |config| {
            config.update::<AppConfig>(|app| app.env = Environment::Production);
            config.update::<AuthConfig>(|auth| {
                auth.engine = crate::support::options();
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
