//! The places an app can keep its sessions at, by its configuration.

#[path = "../../housekey-cache/tests/services/mod.rs"]
mod services;

use crate::visitor::Plan;
use housekey_cache::CacheConfig;
use housekey_core::{AppConfig, Config, ConfigFile, ConfigFiles, Env, Environment, Result};
use housekey_database::{DatabaseConfig, Databases};
use housekey_http::App;
use housekey_http::session::{create_sessions_table, session};
use housekey_redis::{RedisConfig, RedisServers};
use services::TestDatabase;

async fn counts_visits(plan: Plan, prepare: impl AsyncFnOnce(&housekey_http::Application)) {
    let site = plan.site(|route| {
        route.get("/count", async || -> Result<String> {
            Ok(session().increment("count", 1).await?.to_string())
        });
    });
    prepare(&site.application).await;
    let visitor = site.visitor();
    assert_eq!(visitor.text("/count").await, "1");
    assert_eq!(visitor.text("/count").await, "2");
    assert_eq!(site.visitor().text("/count").await, "1");
}

#[tokio::test]
async fn an_app_can_keep_its_sessions_in_a_database() {
    let test = TestDatabase::sqlite().await;
    let config = DatabaseConfig::default().with("sqlite", test.config.clone());
    let mut plan = Plan::default();
    plan.session.driver = "database".into();
    plan.configure = Some(Box::new(|all| all.update::<DatabaseConfig>(|database| *database = config)));
    counts_visits(plan, async |application| {
        let databases = application.services().require::<Databases>().unwrap();
        databases.connection(None).unwrap().schema(create_sessions_table).await.unwrap();
    })
    .await;
}

#[tokio::test]
async fn an_app_can_keep_its_sessions_in_redis() {
    let mut plan = Plan::default();
    plan.session.driver = "redis".into();
    plan.configure = Some(Box::new(|config| {
        config.update::<RedisConfig>(|redis| {
            *redis = RedisConfig::default().with("default", services::url(services::REDIS));
            redis.prefix = Some(services::name());
        });
    }));
    counts_visits(plan, async |_| {}).await;
}

// spec: CFG-15
#[tokio::test]
async fn redis_is_looked_for_where_redis_url_says_unless_a_config_file_says_otherwise() {
    let place = |env: Env, files: ConfigFiles| {
        let folder = tempfile::tempdir().unwrap();
        let configure = |config: &mut Config| {
            config.update::<AppConfig>(|app| app.env = Environment::Testing);
            config.update::<CacheConfig>(|cache| cache.store = "redis".into());
        };
        let app = App::new(files).root(folder.path()).env(env).configure(configure).boot().unwrap();
        app.services().require::<RedisServers>().unwrap().connection(None).unwrap().place()
    };
    let named = || Env::empty().with("REDIS_URL", "redis://ada:hunter2@cache.internal:6380/3");
    assert_eq!(place(named(), ConfigFiles::new()), "cache.internal:6380/3");
    for env in [Env::empty(), Env::empty().with("REDIS_URL", " ")] {
        assert_eq!(place(env, ConfigFiles::new()), "127.0.0.1:6379/0");
    }
    let file = || RedisConfig::default().with("default", "redis://other.internal");
    let files = ConfigFiles::new().with(ConfigFile::new("redis", "config/redis.rs", file));
    assert_eq!(place(named(), files), "other.internal:6379/0");
}

#[test]
fn a_wrong_redis_url_stops_the_boot_and_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let env = Env::empty().with("REDIS_URL", "cache.internal:6379");
    let error = App::new(ConfigFiles::new()).root(folder.path()).env(env).configure(|config| {
        config.update::<AppConfig>(|app| app.env = Environment::Testing);
    });
    let error = error.boot().unwrap_err().to_string();
    assert!(error.contains("REDIS_URL") && !error.contains("cache.internal"), "{error}");
}
