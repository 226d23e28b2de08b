//! The app under test: accounts with the cookie cache on, everything that processes share on servers.

use std::collections::BTreeMap;

use housekey::auth::engine::options::{CustomRule, EmailAndPassword, EngineOptions, RateRule};
use housekey::auth::{Action, AuthConfig, Demands, user};
use housekey::cache::redis::RedisConfig;
use housekey::database::{Migration, Migrations};
use housekey::prelude::*;
use housekey::{
    AppConfig, CacheConfig, ConfigFile, ConfigFiles, ConnectionConfig, DatabaseConfig, EncryptionConfig,
    Environment, HttpConfig, env, env_list,
};

// What `auth:schema` writes.
#[path = "../../../housekey-auth/tests/schema/made/create_auth_tables.rs"]
mod create_auth_tables;

/// How often one client may try to sign in.
pub(crate) const TRIES: usize = 4;

/// Longer than any run of the tests: no clock decides one.
const AN_HOUR: u32 = 3600;

pub(crate) fn app() -> App {
    let tables = Migration::new(
        "2026_01_01_000000_create_auth_tables",
        create_auth_tables::up,
        create_auth_tables::down,
    );
    housekey::app(config()).migrations(Migrations::new().with(tables)).routes(|route| {
        route.get("/me", me).middleware("auth");
    })
}

async fn me() -> String {
    user().map(|user| user.name.clone()).unwrap_or_default()
}

fn config() -> ConfigFiles {
    ConfigFiles::new()
        .with(ConfigFile::new("app", "config/app.rs", || AppConfig {
            env: env("APP_ENV", Environment::Production),
            url: env("APP_URL", ""),
            ..Default::default()
        }))
        .with(ConfigFile::new("encryption", "config/encryption.rs", || EncryptionConfig {
            key: env("APP_KEY", ""),
            ..Default::default()
        }))
        .with(ConfigFile::new("http", "config/http.rs", || HttpConfig {
            trusted_proxies: env_list("TRUSTED_PROXIES"),
            ..Default::default()
        }))
        .with(ConfigFile::new("cache", "config/cache.rs", || CacheConfig {
            store: env("CACHE_STORE", "file"),
            ..Default::default()
        }))
        .with(ConfigFile::new("redis", "config/redis.rs", || {
            RedisConfig::default().with("default", env::<String>("REDIS_URL", ""))
        }))
        .with(ConfigFile::new("database", "config/database.rs", || {
            let postgres = ConnectionConfig::postgres(env::<String>("DATABASE_URL", ""));
            DatabaseConfig { default: "postgres".into(), ..Default::default() }.with("postgres", postgres)
        }))
        .with(ConfigFile::new("auth", "config/auth.rs", auth))
}

fn auth() -> AuthConfig {
    let mut engine = EngineOptions {
        secret: env::<String>("AUTH_SECRET", "").into(),
        base_url: env("APP_URL", ""),
        email_and_password: EmailAndPassword { enabled: true, ..Default::default() },
        ..Default::default()
    };
    engine.session.cookie_cache.enabled = true;
    engine.session.cookie_cache.max_age = AN_HOUR;
    let rule = |max| CustomRule::Fixed(RateRule { window: AN_HOUR, max });
    let tries = u32::try_from(TRIES).unwrap();
    engine.rate_limit.custom_rules = BTreeMap::from([("/sign-in/email".into(), rule(tries))]);
    // Here sessions are ended by programs: nobody is there to enter a password.
    let demands = Demands::default().ask(Action::RevokeSessions, []);
    AuthConfig { engine, demands, ..Default::default() }
}
