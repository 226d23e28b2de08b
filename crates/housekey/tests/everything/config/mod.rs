//! The files of `config/` that the features bring, as a kit has them.

pub(crate) mod cache;
pub(crate) mod database;
pub(crate) mod lang;
pub(crate) mod mail;
pub(crate) mod notifications;
pub(crate) mod queue;
pub(crate) mod storage;

use housekey::{AppConfig, ConfigFile, ConfigFiles, EncryptionConfig, Environment, env};

pub(crate) fn files() -> ConfigFiles {
    ConfigFiles::new()
        .with(ConfigFile::new("app", "config/app.rs", || AppConfig {
            env: env("APP_ENV", Environment::Production),
            ..Default::default()
        }))
        .with(ConfigFile::new("encryption", "config/encryption.rs", || EncryptionConfig {
            key: env("APP_KEY", ""),
            ..Default::default()
        }))
        .with(ConfigFile::new("cache", "config/cache.rs", cache::cache))
        .with(ConfigFile::new("database", "config/database.rs", database::database))
        .with(ConfigFile::new("lang", "config/lang.rs", lang::lang))
        .with(ConfigFile::new("mail", "config/mail.rs", mail::mail))
        .with(ConfigFile::new("notifications", "config/notifications.rs", notifications::notifications))
        .with(ConfigFile::new("queue", "config/queue.rs", queue::queue))
        .with(ConfigFile::new("storage", "config/storage.rs", storage::storage))
}
