//! Sign-in with others on every database: what has to happen once happens once, however many come at the same moment.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex};

use bytes::Bytes;
use housekey_database::on_every_engine;
use housekey_database::testing::TestDatabase;
use housekey_engine::http_client::{HttpClient, HttpError, HttpRequest, HttpResponse};
use housekey_engine::options::{EngineOptions, Shared};
use housekey_engine::storage::{Filter, Find, Records};
use housekey_engine::{BoxFuture, Clock, Engine, Record, random};
use housekey_engine_sql::SqlStorage;
use http::{Request, StatusCode};
use serde_json::{Value, json};

on_every_engine!(
    somebody_signs_up_by_a_provider_and_is_known_when_they_come_back,
    an_account_is_linked_to_whoever_proved_the_address,
    of_ten_who_bring_one_state_one_gets_in,
    ten_first_visits_at_once_make_one_person,
    a_refresh_token_is_spent_once_however_many_ask_in_two_processes,
    of_two_who_unlink_the_last_two_accounts_one_does,
);

/// A provider in memory: a code is the address of whoever agreed, and a refresh token works once.
#[derive(Clone, Default)]
struct Plain {
    people: Arc<Mutex<HashMap<String, String>>>,
    refreshes: Arc<Mutex<Vec<String>>>,
}

impl Plain {
    fn tokens(&self, email: &str) -> Value {
        let (access, refresh) = (random::token(), random::token());
        let mut people = self.people.lock().unwrap();
        people.insert(access.clone(), email.into());
        people.insert(refresh.clone(), email.into());
        json!({ "access_token": access, "refresh_token": refresh, "expires_in": 3600, "scope": "who" })
    }

    fn answer(&self, request: &HttpRequest) -> (StatusCode, Value) {
        let refused = (StatusCode::BAD_REQUEST, json!({ "error": "invalid_grant" }));
        if request.url.ends_with("/me") {
            let header = request.headers["authorization"].to_str().unwrap();
            let person = self.people.lock().unwrap().get(header.trim_start_matches("Bearer ")).cloned();
            let Some(email) = person else { return refused };
            let profile =
                json!({ "id": format!("id-{email}"), "name": "Ada", "email": email, "email_verified": true });
            return (StatusCode::OK, profile);
        }
        if let Some(code) = request.field("code") {
            return (StatusCode::OK, self.tokens(&code));
        }
        let token = request.field("refresh_token").unwrap_or_default();
        self.refreshes.lock().unwrap().push(token.clone());
        let spent = self.people.lock().unwrap().remove(&token);
        spent.map_or(refused, |email| (StatusCode::OK, self.tokens(&email)))
    }
}

impl HttpClient for Plain {
    fn send(&self, request: HttpRequest) -> BoxFuture<'_, Result<HttpResponse, HttpError>> {
        Box::pin(async move {
            // A real one takes its time, and others come meanwhile.
            tokio::time::sleep(std::time::Duration::from_millis(50)).await;
            let (status, body) = self.answer(&request);
            Ok(HttpResponse::of_json(status, &body))
        })
    }
}

#[derive(Clone)]
struct Social {
    engine: Engine,
    storage: SqlStorage,
    provider: Plain,
    clock: Clock,
}

impl Social {
    async fn new(test: &TestDatabase) -> Self {
        let (storage, clock, provider) =
            (SqlStorage::new(test.db.clone()), Clock::frozen_now(), Plain::default());
        let engine = engine(&storage, &clock, &provider);
        storage.create_tables(engine.schema()).await.unwrap();
        Self { engine, storage, provider, clock }
    }

    /// The same database under an engine of its own, as another process has it.
    fn another_process(&self) -> Self {
        let engine = engine(&self.storage, &self.clock, &self.provider);
        Self { engine, ..self.clone() }
    }

    async fn rows(&self, table: &str) -> Vec<Record> {
        let table = self.engine.schema().table(table).unwrap();
        self.storage.find(table, &Find::new(Filter::all())).await.unwrap()
    }

    fn browser(&self) -> Browser {
        Browser { engine: self.engine.clone(), cookies: BTreeMap::new() }
    }

    async fn signed_in(&self, email: &str) -> Browser {
        let mut browser = self.browser();
        let state = browser.start("/sign-in/social").await;
        assert_eq!(browser.come_back(email, &state).await, "/in");
        browser
    }
}

fn engine(storage: &SqlStorage, clock: &Clock, provider: &Plain) -> Engine {
    let plain = json!({
        "clientId": "id", "clientSecret": "secret", "authorizationUrl": "https://plain.test/authorize",
        "tokenUrl": "https://plain.test/token", "userInfoUrl": "https://plain.test/me",
    });
    let mut options = EngineOptions {
        secret: "a secret of at least thirty-two characters".into(),
        production: false,
        social_providers: serde_json::from_value(json!({ "plain": plain })).unwrap(),
        ..Default::default()
    };
    options.email_and_password.enabled = true;
    options.account.encrypt_oauth_tokens = true;
    options.social.http_client = Shared::new(Arc::new(provider.clone()));
    Engine::builder(options).clock(clock.clone()).build(storage.clone()).unwrap()
}

#[derive(Clone)]
struct Browser {
    engine: Engine,
    cookies: BTreeMap<String, String>,
}

impl Browser {
    async fn send(&mut self, request: http::request::Builder, body: String) -> http::Response<Bytes> {
        let cookies: Vec<_> = self.cookies.iter().map(|(name, value)| format!("{name}={value}")).collect();
        let request = request.header("origin", "http://localhost:3000").header("cookie", cookies.join("; "));
        let answer = self.engine.handle(request.body(Bytes::from(body)).unwrap()).await;
        for header in answer.headers().get_all("set-cookie") {
            let pair = header.to_str().unwrap().split(';').next().unwrap();
            let (name, value) = pair.split_once('=').unwrap();
            match value {
                "" => self.cookies.remove(name),
                value => self.cookies.insert(name.into(), value.into()),
            };
        }
        answer
    }

    async fn post(&mut self, path: &str, body: Value) -> (StatusCode, Value) {
        let request = Request::post(format!("/api/auth{path}")).header("content-type", "application/json");
        let answer = self.send(request, body.to_string()).await;
        (answer.status(), serde_json::from_slice(answer.body()).unwrap_or_default())
    }

    async fn get(&mut self, path: &str) -> http::Response<Bytes> {
        self.send(Request::get(format!("/api/auth{path}")), String::new()).await
    }

    /// Begins a flow: its state.
    async fn start(&mut self, path: &str) -> String {
        let body = json!({ "provider": "plain", "callbackURL": "/in", "errorCallbackURL": "/failed" });
        let (status, said) = self.post(path, body).await;
        assert_eq!(status, StatusCode::OK, "{said}");
        let url = said["url"].as_str().unwrap();
        url.split("state=").nth(1).unwrap().split('&').next().unwrap().to_owned()
    }

    /// Comes back as somebody: where that leads.
    async fn come_back(&mut self, email: &str, state: &str) -> String {
        let answer = self.get(&format!("/callback/plain?code={email}&state={state}")).await;
        assert_eq!(answer.status(), StatusCode::FOUND, "{:?}", answer.body());
        answer.headers()["location"].to_str().unwrap().to_owned()
    }

    async fn who(&mut self) -> Value {
        serde_json::from_slice(self.get("/get-session").await.body()).unwrap()
    }
}

const ADA: &str = "ada@example.com";

// spec: SOC-2
async fn somebody_signs_up_by_a_provider_and_is_known_when_they_come_back(test: TestDatabase) {
    let social = Social::new(&test).await;
    let first = social.signed_in(ADA).await.who().await;
    let second = social.signed_in(ADA).await.who().await;
    assert_eq!(first["user"]["email"], ADA);
    assert_eq!(first["user"]["emailVerified"], true);
    assert_eq!(first["user"]["id"], second["user"]["id"]);
    let accounts = social.rows("account").await;
    assert_eq!((social.rows("user").await.len(), accounts.len()), (1, 1));
    assert_eq!(accounts[0].text("accountId"), Some("id-ada@example.com"));
    let tokens = social.provider.people.lock().unwrap().keys().cloned().collect::<Vec<_>>();
    for field in ["accessToken", "refreshToken"] {
        assert!(!tokens.iter().any(|token| accounts[0].text(field) == Some(token)), "{field} is encrypted");
    }
}

// spec: SOC-5
async fn an_account_is_linked_to_whoever_proved_the_address(test: TestDatabase) {
    let social = Social::new(&test).await;
    let mut password = social.browser();
    let sign_up = json!({ "name": "Ada", "email": ADA, "password": "correct horse" });
    assert_eq!(password.post("/sign-up/email", sign_up).await.0, StatusCode::OK);
    let mut browser = social.browser();
    let state = browser.start("/sign-in/social").await;
    assert!(browser.come_back(ADA, &state).await.contains("error=account_not_linked"));
    assert_eq!(browser.who().await, Value::Null);
    assert_eq!(social.rows("account").await.len(), 1);

    let users = social.engine.schema().table("user").unwrap();
    let proven = Record::new().with("emailVerified", true);
    social.storage.update(users, &Filter::by("email", ADA), &proven).await.unwrap();
    let linked = social.signed_in(ADA).await.who().await;
    assert_eq!(linked["user"]["id"], password.who().await["user"]["id"]);
    assert_eq!(social.rows("account").await.len(), 2);
}

// spec: SOC-3
async fn of_ten_who_bring_one_state_one_gets_in(test: TestDatabase) {
    let social = Social::new(&test).await;
    let other = social.another_process();
    let mut browser = social.browser();
    let state = browser.start("/sign-in/social").await;
    let tasks = (0..10).map(|number| {
        let (mut tab, state) = (browser.clone(), state.clone());
        if number % 2 == 1 {
            tab.engine = other.engine.clone();
        }
        tokio::spawn(async move { tab.come_back(ADA, &state).await })
    });
    let mut targets = Vec::new();
    for task in tasks.collect::<Vec<_>>() {
        targets.push(task.await.unwrap());
    }
    let inside = targets.iter().filter(|target| *target == "/in").count();
    assert_eq!(inside, 1, "{targets:?}");
    assert_eq!(social.rows("session").await.len(), 1);
    assert_eq!(social.rows("user").await.len(), 1);
}

// spec: SOC-2
async fn ten_first_visits_at_once_make_one_person(test: TestDatabase) {
    let social = Social::new(&test).await;
    let mut tasks = Vec::new();
    for _ in 0..10 {
        let mut browser = social.browser();
        let state = browser.start("/sign-in/social").await;
        tasks.push(tokio::spawn(async move { browser.come_back(ADA, &state).await }));
    }
    for task in tasks {
        assert_eq!(task.await.unwrap(), "/in");
    }
    assert_eq!(social.rows("user").await.len(), 1);
    assert_eq!(social.rows("account").await.len(), 1);
    assert_eq!(social.rows("session").await.len(), 10);
}

// spec: SOC-7
async fn a_refresh_token_is_spent_once_however_many_ask_in_two_processes(test: TestDatabase) {
    let social = Social::new(&test).await;
    let other = social.another_process();
    let browser = social.signed_in(ADA).await;
    let id = social.rows("account").await[0].text("id").unwrap().to_owned();
    social.clock.advance(std::time::Duration::from_secs(3599));
    let tasks = (0..10).map(|number| {
        let (mut tab, body) = (browser.clone(), json!({ "accountId": id }));
        if number % 2 == 1 {
            tab.engine = other.engine.clone();
        }
        tokio::spawn(async move { tab.post("/get-access-token", body).await })
    });
    let mut tokens = Vec::new();
    for task in tasks.collect::<Vec<_>>() {
        let (status, said) = task.await.unwrap();
        assert_eq!(status, StatusCode::OK, "{said}");
        tokens.push(said["accessToken"].as_str().unwrap().to_owned());
    }
    tokens.dedup();
    assert_eq!(tokens.len(), 1, "everybody got the same");
    assert_eq!(social.provider.refreshes.lock().unwrap().len(), 1);
}

// spec: SOC-6
async fn of_two_who_unlink_the_last_two_accounts_one_does(test: TestDatabase) {
    let social = Social::new(&test).await;
    for number in 0..5 {
        let email = format!("p{number}@example.com");
        let mut browser = social.browser();
        let sign_up = json!({ "name": "P", "email": email, "password": "correct horse" });
        let (status, said) = browser.post("/sign-up/email", sign_up).await;
        assert_eq!(status, StatusCode::OK, "{said}");
        let state = browser.start("/link-social").await;
        assert_eq!(browser.come_back(&email, &state).await, "/in");
        let user = said["user"]["id"].as_str().unwrap();
        let mut accounts = social.rows("account").await;
        accounts.retain(|row| row.text("userId") == Some(user));
        assert_eq!(accounts.len(), 2);
        let tasks: Vec<_> = accounts
            .iter()
            .map(|row| {
                let (mut tab, body) = (browser.clone(), json!({ "accountId": row.text("id").unwrap() }));
                tokio::spawn(async move { tab.post("/unlink-account", body).await.0 })
            })
            .collect();
        for task in tasks {
            task.await.unwrap();
        }
        let mut left = social.rows("account").await;
        left.retain(|row| row.text("userId") == Some(user));
        assert_eq!(left.len(), 1, "one way in is left");
    }
}
