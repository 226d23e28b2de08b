use std::sync::{Arc, Mutex};

use housekey_auth::notifications::AppAccountMail;
use housekey_auth::{Auth, AuthConfig, AuthProvider};
use housekey_core::{AppConfig, AppKey, Config, ConfigFiles, EncryptionConfig, Environment};
use housekey_database::Database;
use housekey_http::App;
use housekey_mail::{MailConfig, MailError, MailProvider, OutgoingMail, Transport, TransportFuture};
use housekey_notifications::{NotificationsConfig, NotificationsProvider, QueueingProvider, tables};
use housekey_queue::{Queue, QueueConfig, QueueProvider, Worker};
use housekey_testing::TestApp;
use http::Method;
use serde_json::json;

use crate::log::Log;
use crate::mail::{ADA, reset_token, token};
use crate::support::{config, engine_post, make_tables, nothing_asked, sign_up};

/// A mail server. Out of order, it quotes the whole mail in its complaint, as careless servers do.
#[derive(Clone, Default)]
struct Post(Arc<Mutex<(Vec<OutgoingMail>, bool)>>);

impl Post {
    fn links(&self) -> Vec<String> {
        self.0.lock().unwrap().0.iter().filter_map(OutgoingMail::link).collect()
    }

    fn refuse_everything(&self) {
        self.0.lock().unwrap().1 = true;
    }
}

impl Transport for Post {
    fn name(&self) -> &'static str {
        "post"
    }

    fn send<'a>(&'a self, mail: &'a OutgoingMail) -> TransportFuture<'a> {
        Box::pin(async move {
            let mut state = self.0.lock().unwrap();
            // Taken down even if it is refused: the test has to know what it looks for.
            state.0.push(mail.clone());
            match state.1 {
                false => Ok(()),
                true => Err(MailError::permanent(format!("550 refused: {}", mail.text())).into()),
            }
        })
    }
}

/// An app in production whose notifications wait in a queue, or go out at once.
async fn production(post: &Post, queued: bool) -> TestApp {
    let post = post.clone();
    let app = TestApp::new(move || {
        App::new(ConfigFiles::new())
            .configure(|all: &mut Config| {
                all.update::<housekey_auth::AuthConfig>(|auth| {
                    *auth = AuthConfig { demands: nothing_asked(), ..config() };
                });
            })
            .provider(QueueProvider)
            .provider(MailProvider::new().transport("post", post.clone()))
            .provider(NotificationsProvider::new())
            .provider(QueueingProvider)
            .provider(AuthProvider)
            .account_mail(|mail| {
                mail.reset_password.channels(["mail", "database", "log"]);
                mail.password_changed.channels(["mail", "database", "log"]);
                mail.verify_email.channels(["mail", "database", "log"]);
                mail.change_email.channels(["mail", "database", "log"]);
            })
    })
    .with_config(move |config| {
        config.update::<AppConfig>(|app| app.env = Environment::Production);
        config.update::<EncryptionConfig>(|encryption| encryption.key = AppKey::generate().to_text());
        config.update::<QueueConfig>(|queue| queue.driver = "database".into());
        config.update::<MailConfig>(|mail| mail.default = "post".into());
        config.update::<NotificationsConfig>(|notifications| notifications.queue_all = queued);
    });
    make_tables(&app).await;
    let db = database(&app);
    db.schema(tables::create).await.unwrap();
    db.schema(housekey_queue::tables::create).await.unwrap();
    app
}

fn database(app: &TestApp) -> Database {
    app.services().require::<Auth>().unwrap().database().unwrap()
}

async fn work(app: &TestApp) {
    let queue = (*app.services().require::<Queue>().unwrap()).clone();
    let config = app.config().get::<QueueConfig>();
    let worker = Worker::from_config(queue, app.services().clone(), &config);
    worker.stop_when_empty().run_until(std::future::pending()).await.unwrap();
}

/// What whoever steals these tables reads.
async fn stolen(app: &TestApp) -> String {
    let mut stolen = String::new();
    for table in ["notifications", "jobs", "failed_jobs"] {
        for row in database(app).table(table).rows().await.unwrap() {
            for column in row.columns() {
                stolen.push_str(&format!("{table}.{column}: {:?}\n", row.value(column).unwrap()));
            }
        }
    }
    stolen
}

fn assert_quiet(place: &str, text: &str, tokens: &[String]) {
    for token in tokens {
        if let Some(at) = text.find(token.as_str()) {
            panic!(
                "a token of a link stands in {place}: {}",
                &text[at.saturating_sub(200)..at + token.len()]
            );
        }
    }
}

// spec: NTF-8
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_reset_token_stands_in_a_log_the_notifications_table_or_a_job_of_any_kind() {
    let log = Log::of_process();
    let mut tokens = Vec::new();
    let mut found_in = String::new();
    for (queued, refused) in [(false, false), (false, true), (true, false), (true, true)] {
        let post = Post::default();
        let app = production(&post, queued).await;
        sign_up(&app, ADA).await;
        if refused {
            post.refuse_everything();
        }
        engine_post(&app, "request-password-reset", &json!({ "email": ADA })).await.assert_ok();
        found_in.push_str(&stolen(&app).await);
        work(&app).await;
        found_in.push_str(&stolen(&app).await);

        let link = post.links().pop().expect("a link was on its way");
        let token = reset_token(&link);
        // The engine's own link, a wrong guess beside it, and the token being spent.
        let path = link.split_once("localhost:3000").unwrap().1;
        app.get(path).await;
        app.get(&path.replace("/reset-password/", "/reset-password/x")).await;
        // The wrong method, a longer and another spelling: answered by the engine's 404 or by 405.
        for method in [Method::POST, Method::DELETE, Method::OPTIONS, Method::HEAD] {
            for odd in ["/reset-password/", "/reset-password//", "/RESET-password/", "/reset-password%2F"] {
                app.request(method.clone(), &path.replace("/reset-password/", odd)).await;
            }
            app.request(method, &path.replace(&token, &format!("{token}/more"))).await;
        }
        let body = json!({ "token": token, "newPassword": "another good password" });
        engine_post(&app, "reset-password", &body).await.assert_ok();
        engine_post(&app, "reset-password", &body).await.assert_status(400);
        work(&app).await;
        found_in.push_str(&stolen(&app).await);
        tokens.push(token);
    }
    assert_eq!(tokens.len(), 4);
    assert!(
        ["\njobs.", "\nfailed_jobs.", "notifications."].iter().all(|table| found_in.contains(table)),
        "{found_in}"
    );
    assert_quiet("the database", &found_in, &tokens);
    // Something that is said at a low level only, to know that such things are heard.
    engine_post(
        &production(&Post::default(), false).await,
        "request-password-reset",
        &json!({ "email": ADA }),
    )
    .await;
    let said = log.text();
    for words in ["/api/auth/request-password-reset", "\"level\":\"DEBUG\"", "\"level\":\"INFO\""] {
        assert!(said.contains(words), "the log does not say {words}, but {said}");
    }
    assert_quiet("the log", &said, &tokens);
    assert_quiet(
        "the log",
        &said,
        &["another good password".to_owned(), crate::support::PASSWORD.to_owned()],
    );
}

/// Works off the queue, and gives the token of the last mail. What thieves would find before and after is noted.
async fn next_token(app: &TestApp, post: &Post, found_in: &mut String) -> String {
    found_in.push_str(&stolen(app).await);
    work(app).await;
    found_in.push_str(&stolen(app).await);
    token(&post.links().pop().expect("a link was on its way"))
}

// spec: NTF-8
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_token_of_a_link_about_an_address_stands_there_either() {
    let log = Log::of_process();
    let mut tokens = Vec::new();
    let mut found_in = String::new();
    for (queued, refused) in [(false, false), (false, true), (true, false), (true, true)] {
        let post = Post::default();
        let app = production(&post, queued).await;
        sign_up(&app, ADA).await;
        if refused {
            post.refuse_everything();
        }
        let open = async |token: &str| app.get(&format!("/api/auth/verify-email?token={token}")).await;
        engine_post(&app, "send-verification-email", &json!({ "email": ADA })).await.assert_ok();
        let proof = next_token(&app, &post, &mut found_in).await;
        open(&format!("{proof}x")).await.assert_status(401);
        open(&proof).await.assert_ok();

        engine_post(&app, "change-email", &json!({ "newEmail": "new@example.com" })).await.assert_ok();
        let consent = next_token(&app, &post, &mut found_in).await;
        open(&consent).await.assert_ok();
        let change = next_token(&app, &post, &mut found_in).await;
        open(&change).await.assert_ok();
        open(&change).await.assert_status(401);
        work(&app).await;
        found_in.push_str(&stolen(&app).await);
        for token in [proof, consent, change] {
            // Whoever has the signature alone lacks nothing but what they can guess.
            tokens.push(token.rsplit('.').next().unwrap().to_owned());
            tokens.push(token);
        }
    }
    tokens.dedup();
    assert_eq!(tokens.len(), 24, "each mail had a link of its own");
    assert!(
        ["\njobs.", "\nfailed_jobs.", "notifications."].iter().all(|table| found_in.contains(table)),
        "{found_in}"
    );
    assert_quiet("the database", &found_in, &tokens);
    let said = log.text();
    assert!(said.contains("/api/auth/verify-email"), "the log does not say what was asked for: {said}");
    assert_quiet("the log", &said, &tokens);
}
