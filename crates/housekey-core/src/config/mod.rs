//! Configuration: each file in an app's `config/` folder is a Rust function that returns a typed value.

mod cache;
mod file;
mod hook;
pub(crate) mod mode;
mod rendering;
mod showing;

use std::any::{Any, TypeId};
use std::collections::HashMap;
use std::fmt;
use std::path::Path;
use std::sync::Arc;

use serde_json::{Map, Value};

pub use cache::{CacheReport, ConfigCache, Skipped};
use file::Loaded;
pub use file::{ConfigFile, ConfigFiles, ConfigValue};
pub use hook::Hook;

use crate::{Env, Result};

/// The resolved configuration of an application, one value per type.
///
/// ```
/// use housekey_core::{AppConfig, Config, ConfigFile, ConfigFiles, Env, env};
///
/// fn app() -> AppConfig {
///     AppConfig { name: env("APP_NAME", "Shop"), ..AppConfig::default() }
/// }
///
/// let files = ConfigFiles::new().with(ConfigFile::new("app", "config/app.rs", app));
/// let config = Config::load(&files, &Env::empty(), None).unwrap();
///
/// assert_eq!(config.get::<AppConfig>().name, "Shop");
/// assert_eq!(config.value("app.name").unwrap(), "Shop");
/// ```
#[derive(Clone, Default)]
pub struct Config {
    by_type: HashMap<TypeId, Arc<dyn Any + Send + Sync>>,
    by_name: Vec<(&'static str, Loaded)>,
}

impl Config {
    /// Resolves every file: from the frozen configuration where it holds the file, else by calling its function.
    pub fn load(files: &ConfigFiles, env: &Env, cache: Option<&Path>) -> Result<Self> {
        let frozen = cache.map(ConfigCache::read).transpose()?.flatten().unwrap_or_default();
        let mut config = Self::default();
        let loaded: Vec<Result<Loaded>> = env.during(|| {
            files
                .iter()
                .map(|file| frozen.get(file.name()).map_or_else(|| Ok(file.load()), |json| file.thaw(json)))
                .collect()
        })?;
        for (file, loaded) in files.iter().zip(loaded) {
            let loaded = loaded?;
            config.by_type.insert(loaded.type_id, loaded.value.clone());
            config.by_name.push((file.name(), loaded));
        }
        Ok(config)
    }

    /// The value of a type. An app without such a file gets the type's default.
    pub fn get<T: Default + Send + Sync + 'static>(&self) -> Arc<T> {
        let found = self.by_type.get(&TypeId::of::<T>()).and_then(|value| value.clone().downcast().ok());
        found.unwrap_or_default()
    }

    /// Whether the app has a file for a type, so that [`Config::get`] answers something else than its default.
    pub fn has<T: 'static>(&self) -> bool {
        self.by_type.contains_key(&TypeId::of::<T>())
    }

    /// Changes one value after loading: what tests and providers do while an application boots.
    pub fn update<T: ConfigValue + Clone + Default>(&mut self, change: impl FnOnce(&mut T)) {
        let mut value = (*self.get::<T>()).clone();
        change(&mut value);
        let loaded = Loaded::of(value);
        self.by_type.insert(loaded.type_id, loaded.value.clone());
        if let Some((_, slot)) = self.by_name.iter_mut().find(|(_, slot)| slot.type_id == loaded.type_id) {
            *slot = loaded;
        }
    }

    /// What was resolved, as JSON, by a dotted key (`session.lifetime`). Functions and secrets show as placeholders.
    pub fn value(&self, key: &str) -> Option<Value> {
        self.lookup(key, false)
    }

    /// Like [`Config::value`], with secrets readable.
    pub fn value_with_secrets(&self, key: &str) -> Option<Value> {
        self.lookup(key, true)
    }

    /// Everything that was resolved, by file name. Secrets show as placeholders unless `reveal` is set.
    pub fn all(&self, reveal: bool) -> Map<String, Value> {
        self.by_name.iter().map(|(name, loaded)| ((*name).to_owned(), loaded.show(reveal))).collect()
    }

    fn lookup(&self, key: &str, reveal: bool) -> Option<Value> {
        let (name, rest) = key.split_once('.').map_or((key, None), |(name, rest)| (name, Some(rest)));
        let (_, loaded) = self.by_name.iter().find(|(file, _)| *file == name)?;
        let value = loaded.show(reveal);
        match rest {
            None => Some(value),
            Some(rest) => value.pointer(&format!("/{}", rest.replace('.', "/"))).cloned(),
        }
    }
}

impl fmt::Debug for Config {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.by_name.iter().map(|(name, _)| name)).finish()
    }
}

/// The default of whatever type is wanted: `..default()` fills in what a config file does not say.
///
/// ```
/// use housekey_core::{AppConfig, default};
///
/// let app = AppConfig { name: "Shop".into(), ..default() };
/// assert!(!app.debug);
/// ```
pub fn default<T: Default>() -> T {
    T::default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{AppConfig, EncryptionConfig, Environment, env};

    fn app() -> AppConfig {
        AppConfig { name: env("APP_NAME", "Shop"), env: env("APP_ENV", "production"), ..AppConfig::default() }
    }

    fn encryption() -> EncryptionConfig {
        EncryptionConfig { key: env("APP_KEY", ""), previous_keys: Vec::new() }
    }

    fn files() -> ConfigFiles {
        ConfigFiles::new().with(ConfigFile::new("app", "config/app.rs", app)).with(ConfigFile::new(
            "encryption",
            "config/encryption.rs",
            encryption,
        ))
    }

    #[test]
    fn keys_print_in_camel_case_and_secrets_do_not_print() {
        let env = Env::empty().with("APP_KEY", "hunter2").with("APP_ENV", "local");
        let config = Config::load(&files(), &env, None).unwrap();
        assert_eq!(config.value("app.fallbackLocale").unwrap(), "en");
        assert_eq!(config.value("encryption.key").unwrap(), "[secret]");
        assert_eq!(config.value_with_secrets("encryption.key").unwrap(), "hunter2");
        assert_eq!(config.get::<AppConfig>().env, Environment::Development);
        assert!(config.value("app.nothing").is_none() && config.value("nothing").is_none());
    }

    #[test]
    fn an_update_is_seen_by_type_and_by_name() {
        let mut config = Config::load(&files(), &Env::empty(), None).unwrap();
        config.update::<AppConfig>(|app| app.name = "Changed".into());
        assert_eq!(config.get::<AppConfig>().name, "Changed");
        assert_eq!(config.value("app.name").unwrap(), "Changed");
    }
}
