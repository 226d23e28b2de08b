//! No line of the log holds a token, a code or a secret, whatever goes right or wrong.

use std::io::Write;
use std::sync::{Arc, Mutex};

use http::StatusCode;
use serde_json::json;
use tracing::Level;

use crate::social::imitation::{Fault, Part, Person, parameter};
use crate::social::{come_back, social_accounts, start, start_link};

#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().extend(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl Log {
    fn text(&self) -> String {
        String::from_utf8_lossy(&self.0.lock().unwrap()).into_owned()
    }
}

#[tokio::test]
// spec: SOC-7, SOC-8
async fn no_line_of_the_log_holds_a_secret() {
    let log = Log::default();
    let writer = log.clone();
    let subscriber = tracing_subscriber::fmt()
        .with_max_level(Level::TRACE)
        .with_ansi(false)
        .with_writer(move || writer.clone())
        .finish();
    let _guard = tracing::subscriber::set_default(subscriber);

    let social = social_accounts(&json!({ "storeAccountCookie": true, "encryptOAuthTokens": true }));
    let mut secrets = Vec::new();
    let mut ada = social.browser();
    let page = start(&mut ada, "acme").await;
    for name in ["state", "nonce"] {
        secrets.push(parameter(&page, name).unwrap());
    }
    secrets.extend(ada.cookies.values().cloned());
    let query = social.acme.agree(&page, &Person::ada());
    come_back(&mut ada, &social.acme, &query).await.assert_leads_in();
    secrets.extend(ada.cookies.values().cloned());
    secrets.push(ada.session().await["session"]["token"].as_str().unwrap().to_owned());

    let id = social.account("acme").await.text("id").unwrap().to_owned();
    let body = json!({ "accountId": id });
    ada.post("/get-access-token", body.clone()).await.assert(StatusCode::OK);
    ada.post("/refresh-token", body.clone()).await.assert(StatusCode::OK);
    ada.get(&format!("/account-info?accountId={id}")).await;

    // And everything that goes wrong.
    for part in Part::ALL {
        for fault in [
            Fault::Status(500),
            Fault::Garbage,
            Fault::Unreachable,
            Fault::Redirect,
            Fault::Json(json!({ "error": "bad", "error_description": "no" })),
        ] {
            let mut browser = social.browser();
            let page = start(&mut browser, "acme").await;
            secrets.push(parameter(&page, "state").unwrap());
            let query = social.acme.agree(&page, &Person::ada());
            social.acme.fails(part, fault);
            come_back(&mut browser, &social.acme, &query).await;
            ada.post("/refresh-token", body.clone()).await;
            ada.get(&format!("/account-info?accountId={id}")).await;
            social.acme.recovers();
        }
    }
    social.acme.lies(|_, claims| claims["aud"] = json!("somebody-else"));
    social.sign_in(&mut social.browser(), &Person::ada()).await.assert_failed("unable_to_get_user_info");
    let token = social.acme.id_token(&Person::ada(), Some("a nonce that is secret"));
    let id_token =
        json!({ "provider": "acme", "idToken": { "token": token, "nonce": "another secret nonce" } });
    social.browser().post("/sign-in/social", id_token).await.refused(401, "INVALID_TOKEN");
    social.acme.lies(|_, _| {});
    let mut stranger = social.browser();
    let page = start(&mut social.browser(), "acme").await;
    let query = social.acme.agree(&page, &Person::ada());
    secrets.push(parameter(&page, "state").unwrap());
    come_back(&mut stranger, &social.acme, &query).await.assert_failed("state_mismatch");
    let mut bob = social.with_password("bob@example.com", true).await;
    let page = start_link(&mut bob, "acme").await;
    let query = social.acme.agree(&page, &Person::ada());
    come_back(&mut bob, &social.acme, &query).await;

    secrets.extend(social.internet.secrets());
    secrets.push(social.acme.client_secret.clone());
    secrets.push(crate::support::SECRET.into());
    secrets.extend(["a nonce that is secret".into(), "another secret nonce".into()]);
    secrets.extend(
        social
            .acme
            .requests_to(&social.acme.places.token)
            .iter()
            .filter_map(|request| request.form("code_verifier")),
    );
    let text = log.text();
    assert!(text.contains("acme"), "the log says something, and about whom: {text}");
    for secret in secrets.iter().filter(|secret| secret.len() > 8) {
        let line = text.lines().find(|line| line.contains(secret.as_str()));
        assert!(line.is_none(), "{secret} in {line:?}");
    }
}

#[tokio::test]
// spec: SOC-8
async fn a_failure_says_in_the_log_what_it_was_and_with_whom() {
    let log = Log::default();
    let writer = log.clone();
    let subscriber = tracing_subscriber::fmt().with_ansi(false).with_writer(move || writer.clone()).finish();
    let _guard = tracing::subscriber::set_default(subscriber);
    let social = crate::social::social();
    let mut browser = social.browser();
    let page = start(&mut browser, "acme").await;
    let query = social.acme.agree(&page, &Person::ada());
    social.acme.fails(Part::Token, Fault::Status(503));
    come_back(&mut browser, &social.acme, &query).await.assert_failed("invalid_code");
    let text = log.text();
    assert!(text.contains("acme") && text.contains("503"), "{text}");
    social.acme.recovers();

    let page = start(&mut browser, "acme").await;
    let query = social.acme.agree(&page, &Person::ada());
    come_back(&mut social.browser(), &social.acme, &query).await.assert_failed("state_mismatch");
    assert!(log.text().contains("cookie"), "why the state did not match: {}", log.text());
}
