//! API keys through the front door: made, shown once, used, counted, ended; and what nobody may do with them.

mod attacks;
mod counting;
mod ending;
mod making;
mod managing;
mod organizations;
mod using;

use crate::support::{Browser, TestEngine, options};
use housekey_engine::access::Statements;
use housekey_engine::options::EngineOptions;
use housekey_engine::plugins::api_key::{
    self, ApiKeyConfig, ApiKeyOptions, CreatedApiKey, KeyCheck, NewApiKey, VerifiedKey,
};
use housekey_engine::plugins::{admin, bearer, organization};
use housekey_engine::{ApiError, Engine, Secret};
use http::StatusCode;
use serde_json::{Value, json};

/// An engine with the plugin, and with those that it has to do with.
fn with(config: ApiKeyConfig) -> TestEngine {
    built(options(), ApiKeyOptions { configurations: vec![config], ..ApiKeyOptions::default() })
}

fn built(options: EngineOptions, keys: ApiKeyOptions) -> TestEngine {
    let plugins = [
        admin(Default::default()),
        organization(Default::default()),
        bearer(Default::default()),
        api_key::api_key(keys),
    ];
    TestEngine::new(Engine::builder(options).plugins(plugins))
}

fn test_engine() -> TestEngine {
    with(ApiKeyConfig::default())
}

/// What somebody makes over HTTP, as the answer says it.
async fn made(browser: &mut Browser, body: Value) -> Value {
    browser.post("/api-key/create", body).await.assert(StatusCode::OK).json()
}

/// A key of somebody's that server code made.
async fn server_made(test: &TestEngine, browser: &Browser, wanted: NewApiKey) -> CreatedApiKey {
    api_key::create(&mut test.engine.api_for(&browser.cookie_header()), wanted).await.unwrap()
}

async fn verified(test: &TestEngine, key: &str) -> Result<VerifiedKey, ApiError> {
    api_key::verify(&test.engine.api(), &Secret::from(key), KeyCheck::default()).await
}

/// The code with which a key is refused.
async fn refused(test: &TestEngine, key: &str) -> String {
    verified(test, key).await.unwrap_err().code().unwrap().to_owned()
}

fn text<'a>(json: &'a Value, field: &str) -> &'a str {
    json[field].as_str().unwrap_or_else(|| panic!("{field} of {json}"))
}

fn reading() -> Statements {
    Statements::new().with("project", ["read"])
}

/// Somebody who signed up.
async fn person(test: &TestEngine, name: &str) -> Browser {
    let mut browser = test.browser();
    browser.sign_up(&format!("{name}@example.com")).await.assert(StatusCode::OK);
    browser
}

#[test]
fn options_that_cannot_work_are_named_when_the_engine_is_built() {
    let problem = |configurations| {
        let keys = api_key::api_key(ApiKeyOptions { configurations, ..ApiKeyOptions::default() });
        let built = Engine::builder(options()).plugins([keys]).build(housekey_engine::MemoryStorage::new());
        built.err().map(|error| error.to_string()).unwrap_or_default()
    };
    assert_eq!(problem(vec![ApiKeyConfig::default()]), "");
    let twice = vec![ApiKeyConfig::default(), ApiKeyConfig::default()];
    assert!(problem(twice).contains("two configurations with the id `default`"));
    let short = ApiKeyConfig { default_key_length: 10, ..ApiKeyConfig::default() };
    assert!(problem(vec![short]).contains("letters"));
    let odd = ApiKeyConfig { default_prefix: Some("a b".into()), ..ApiKeyConfig::default() };
    assert!(problem(vec![odd]).contains("`a b`"));
}
