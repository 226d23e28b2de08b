use housekey_auth::Auth;
use housekey_http::HttpConfig;
use housekey_testing::TestApp;

use crate::support::{sign_up, test_app};

async fn stored_address(app: &TestApp) -> Option<String> {
    let auth = app.services().require::<Auth>().unwrap();
    let sessions = auth.database().unwrap().table("session");
    sessions.pluck::<Option<String>>("ipAddress").await.unwrap().pop().flatten()
}

async fn behind(proxies: &'static [&'static str]) -> TestApp {
    let app = test_app(|_| (), |_| ()).await.with_config(move |config| {
        config.update::<HttpConfig>(|http| {
            http.trusted_proxies = proxies.iter().map(|&proxy| proxy.to_owned()).collect();
        });
    });
    crate::support::make_tables(&app).await;
    app
}

// spec: IP-2, CFG-11
#[tokio::test]
async fn what_a_client_says_about_its_address_changes_nothing() {
    let app = behind(&[]).await;
    let liar = app
        .from("203.0.113.9")
        .with_header("x-app-client-ip", "198.51.100.1")
        .with_header("x-forwarded-for", "198.51.100.2");
    sign_up(&liar, "ada@example.com").await;
    assert_eq!(stored_address(&app).await.as_deref(), Some("203.0.113.9"));
}

// spec: IP-1, IP-3
#[tokio::test]
async fn a_listed_proxy_is_believed_and_an_unlisted_form_of_it_is_not() {
    let app = behind(&["127.0.0.1"]).await;
    let listed = app.from("127.0.0.1").with_header("x-forwarded-for", "198.51.100.7");
    sign_up(&listed, "ada@example.com").await;
    assert_eq!(stored_address(&app).await.as_deref(), Some("198.51.100.7"));

    let app = behind(&["127.0.0.1"]).await;
    let unlisted = app.from("::1").with_header("x-forwarded-for", "198.51.100.7");
    sign_up(&unlisted, "ada@example.com").await;
    assert_eq!(stored_address(&app).await.as_deref(), Some("::1"));
}

// spec: CFG-11, IP-2
#[tokio::test]
async fn an_app_that_names_its_own_header_withdraws_ours() {
    let app = test_app(
        |auth| auth.engine.advanced.ip_address.ip_address_headers = Some(vec!["x-real-ip".into()]),
        |_| (),
    )
    .await;
    let visitor = app
        .from("203.0.113.9")
        .with_header("x-real-ip", "198.51.100.3")
        .with_header("x-app-client-ip", "198.51.100.1");
    sign_up(&visitor, "ada@example.com").await;
    assert_eq!(stored_address(&app).await.as_deref(), Some("198.51.100.3"));
}

#[tokio::test]
async fn a_session_shows_the_whole_address_it_came_from() {
    for (from, shown) in [
        ("::1", "::1"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2:3:4:5:6"),
        ("::ffff:203.0.113.7", "203.0.113.7"),
    ] {
        let app = behind(&[]).await;
        let visitor = app.from(from);
        sign_up(&visitor, "ada@example.com").await;
        visitor.get("/api/auth/get-session").await.assert_json_path("session.ipAddress", shown);
        assert_eq!(stored_address(&app).await.as_deref(), Some(shown));
    }
}
