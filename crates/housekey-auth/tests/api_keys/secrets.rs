use housekey_auth::engine::plugins::api_key::{KeyFor, NewApiKey};
use housekey_http::RequestContext;
use housekey_testing::TestApp;

use crate::api_keys::{HEADER, ada, app, key_of, with_keys};
use crate::log::Log;
use crate::support::test_app;

// spec: KEY-4
#[tokio::test]
async fn a_key_does_not_show_when_a_request_is_printed() {
    let app = test_app(with_keys, |route| {
        route
            .get("/printed", async || {
                let context = RequestContext::current().unwrap();
                format!("{:?} {:?}", context.headers(), housekey_auth::api_key())
            })
            .middleware("auth:api-key");
    })
    .await;
    let (_, key) = ada(&app).await;
    let printed = app.get("/printed").header(HEADER, &key).await.assert_ok().text();
    assert!(printed.contains(HEADER) && printed.contains("laptop"), "{printed}");
    assert!(!printed.contains(&key), "{printed}");
}

// spec: KEY-4
#[tokio::test]
async fn no_answer_to_a_key_sets_a_cookie() {
    let app: TestApp = app().await;
    let (ada, key) = ada(&app).await;
    let bare = key_of(&app, KeyFor::User(&ada.id), NewApiKey::default()).await;
    for (path, key) in
        [("/keys", &key), ("/both", &key), ("/read", &key), ("/read", &bare), ("/people", &key)]
    {
        let answer = app.get(path).header(HEADER, key).accept_json().await;
        let cookies: Vec<_> = answer.headers().get_all("set-cookie").iter().collect();
        assert!(
            cookies.iter().all(|cookie| !cookie.to_str().unwrap().contains("session_token")),
            "{path}: {cookies:?}"
        );
        assert!(!format!("{:?}", answer.headers()).contains(key.as_str()));
    }
    let session = app.get("/api/auth/get-session").header(HEADER, &key).await;
    assert_eq!(session.assert_ok().text(), "null");
}

/// Whatever a program does with its key, and however much the app is told to log.
// spec: KEY-4
#[tokio::test]
async fn a_key_stands_in_no_line_of_the_log() {
    let log = Log::of_process();
    let app = app().await;
    let (_, key) = ada(&app).await;
    app.get("/keys").header(HEADER, &key).await.assert_ok();
    app.get("/write").header(HEADER, &key).accept_json().await.assert_status(403);
    app.get(&format!("/keys?api_key={key}")).await.assert_status(400);
    app.get("/keys").header("authorization", &format!("Bearer {key}")).await.assert_status(401);
    app.get("/keys").header(HEADER, &key[1..]).await.assert_status(401);
    let text = log.text();
    assert!(text.contains(r#""path":"/keys""#), "requests are logged");
    // Nor all of it but its beginning, which is shown in lists.
    let secret = &key[8..];
    let lines: Vec<_> = text.lines().filter(|line| line.contains(secret)).collect();
    assert!(lines.is_empty(), "{lines:?}");
}
