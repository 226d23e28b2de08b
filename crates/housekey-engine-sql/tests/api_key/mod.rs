//! API keys on every database: whoever counts their uses at the same time, in however many processes, each use is counted once.

use housekey_core::Paths;
use housekey_database::testing::TestDatabase;
use housekey_database::{ConnectionConfig, Database, on_every_engine};
use housekey_engine::options::{EmailAndPassword, EngineOptions};
use housekey_engine::plugins::api_key::{
    self, ApiKeyConfig, ApiKeyOptions, KeyCheck, KeyFor, NewApiKey, Refill,
};
use housekey_engine::storage::{Filter, Records as _};
use housekey_engine::{Engine, Record, Secret, SignUpEmail, Value};
use housekey_engine_sql::SqlStorage;
use housekey_test_support::{Program, this_test};
use serde_json::json;

const CHILD: &str = "HOUSEKEY_API_KEY_TEST";
const PROCESSES: u32 = 4;
const TASKS: u32 = 5;

on_every_engine!(
    ten_thousand_uses_by_four_processes_are_counted_exactly,
    of_four_processes_that_want_the_last_uses_as_many_win_as_there_are,
    of_four_processes_that_find_a_refill_due_one_refills,
    a_key_comes_with_its_owner_and_is_told_apart_by_every_letter,
);

fn engine(storage: &SqlStorage) -> Engine {
    let options = EngineOptions {
        secret: "a secret of at least thirty-two characters".into(),
        email_and_password: EmailAndPassword { enabled: true, ..Default::default() },
        ..Default::default()
    };
    let config = ApiKeyConfig { count_every_use: true, ..ApiKeyConfig::default() };
    let keys = ApiKeyOptions { configurations: vec![config], ..ApiKeyOptions::default() };
    Engine::builder(options).plugins([api_key::api_key(keys)]).build(storage.clone()).unwrap()
}

struct House {
    storage: SqlStorage,
    engine: Engine,
    config: ConnectionConfig,
    key: Secret,
}

impl House {
    /// Somebody with a key.
    async fn with(test: &TestDatabase, wanted: NewApiKey) -> Self {
        let storage = SqlStorage::new(test.db.clone());
        let engine = engine(&storage);
        storage.create_tables(engine.schema()).await.unwrap();
        let ada = SignUpEmail {
            name: "Ada".into(),
            email: "ada@example.com".into(),
            password: "correct horse".into(),
            ..Default::default()
        };
        let ada = engine.api().sign_up_email(ada).await.unwrap().user;
        let created = api_key::create_for(&engine.api(), KeyFor::User(&ada.id), wanted).await.unwrap();
        Self { storage, engine, config: test.config.clone(), key: created.key }
    }

    /// Uses of the key that four processes were granted, each of which wanted so many.
    async fn granted_to_others(&self, each: u32) -> u32 {
        let order = json!({ "config": self.config, "key": self.key.reveal(), "each": each }).to_string();
        let children: Vec<_> = (0..PROCESSES)
            .map(|_| Program::start(this_test("api_key::uses_a_key_as_another_process").env(CHILD, &order)))
            .collect();
        let mut granted = 0;
        for mut child in children {
            child.says(" uses granted");
            assert!(child.ended().success(), "{}", child.said());
            let said = child.said();
            let number = said.lines().find_map(|line| line.strip_suffix(" uses granted")).unwrap();
            granted += number.trim().parse::<u32>().unwrap();
        }
        granted
    }

    async fn row(&self) -> Option<Record> {
        let table = self.engine.schema().table("apikey").unwrap();
        self.storage.find_one(table, &Filter::all()).await.unwrap()
    }

    async fn number(&self, field: &str) -> Option<i64> {
        self.row().await.unwrap().get(field).and_then(Value::as_integer)
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "one of the processes of the tests in this file, which start four at a time"]
async fn uses_a_key_as_another_process() {
    let order = std::env::var(CHILD).expect("the tests in this file start it, and say where the key is");
    let order: serde_json::Value = serde_json::from_str(&order).unwrap();
    let config: ConnectionConfig = serde_json::from_value(order["config"].clone()).unwrap();
    let engine = engine(&SqlStorage::new(Database::open("test", config, &Paths::new(".")).unwrap()));
    let each = u32::try_from(order["each"].as_u64().unwrap()).unwrap();
    let tasks = (0..TASKS).map(|_| {
        let (api, key) = (engine.api(), Secret::from(order["key"].as_str().unwrap()));
        tokio::spawn(async move {
            let mut granted = 0;
            for _ in 0..each / TASKS {
                match api_key::verify(&api, &key, KeyCheck::default()).await {
                    Ok(_) => granted += 1,
                    Err(error) if error.is_internal() => panic!("{error}"),
                    Err(_) => {}
                }
            }
            granted
        })
    });
    let mut granted = 0;
    for task in tasks.collect::<Vec<_>>() {
        granted += task.await.unwrap();
    }
    println!("\n{granted} uses granted");
}

// spec: KEY-4
async fn ten_thousand_uses_by_four_processes_are_counted_exactly(test: TestDatabase) {
    let house = House::with(&test, NewApiKey { remaining: Some(10_001), ..NewApiKey::default() }).await;
    assert_eq!(house.granted_to_others(2500).await, 10_000);
    assert_eq!(house.number("requestCount").await, Some(10_000));
    assert_eq!(house.number("remaining").await, Some(1));
}

// spec: KEY-4
async fn of_four_processes_that_want_the_last_uses_as_many_win_as_there_are(test: TestDatabase) {
    let house = House::with(&test, NewApiKey { remaining: Some(150), ..NewApiKey::default() }).await;
    assert_eq!(house.granted_to_others(100).await, 150);
    assert_eq!(house.row().await, None, "a key without a use is deleted");
}

async fn of_four_processes_that_find_a_refill_due_one_refills(test: TestDatabase) {
    let refill = Some(Refill { amount: 50, interval: 3_600_000 });
    let house = House::with(&test, NewApiKey { remaining: Some(0), refill, ..NewApiKey::default() }).await;
    let table = house.engine.schema().table("apikey").unwrap();
    let long_ago = house.engine.api().clock().now() - std::time::Duration::from_secs(7200);
    let made = Record::new().with("createdAt", long_ago);
    house.storage.update(table, &Filter::all(), &made).await.unwrap();
    assert_eq!(house.granted_to_others(50).await, 50);
    assert_eq!((house.number("remaining").await, house.number("requestCount").await), (Some(0), Some(50)));
}

// spec: KEY-4
async fn a_key_comes_with_its_owner_and_is_told_apart_by_every_letter(test: TestDatabase) {
    let house = House::with(&test, NewApiKey::default()).await;
    let check =
        async |key: &str| api_key::verify(&house.engine.api(), &key.into(), KeyCheck::default()).await;
    let shown = check(house.key.reveal()).await.unwrap();
    assert_eq!(shown.owner.user().unwrap().email, "ada@example.com");
    let table = house.engine.schema().table("apikey").unwrap();
    let hash = house.row().await.unwrap().text("key").unwrap().to_owned();
    // A collation that takes capital letters for small ones must not let another hash in.
    let other = Record::new().with("key", hash.to_lowercase());
    house.storage.update(table, &Filter::all(), &other).await.unwrap();
    assert_eq!(check(house.key.reveal()).await.unwrap_err().code(), Some("INVALID_API_KEY"));
}
