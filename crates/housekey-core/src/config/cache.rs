use std::path::Path;

use serde_json::{Map, Value, json};

use super::ConfigFiles;
use crate::{Env, Error, Result, replace_file};

/// The frozen configuration: what `config:cache` writes and boot reads instead of calling the functions.
#[derive(Debug)]
pub struct ConfigCache;

/// What was frozen, and what could not be.
#[derive(Debug, Default)]
pub struct CacheReport {
    /// Names of the files now read from the cache.
    pub cached: Vec<&'static str>,
    /// Files that hold a function and are read live.
    pub skipped: Vec<Skipped>,
}

/// A file that holds a function.
#[derive(Debug, PartialEq, Eq)]
pub struct Skipped {
    /// `config/auth.rs`
    pub file: &'static str,
    /// `auth.plugins.0`
    pub location: String,
}

impl std::fmt::Display for Skipped {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} holds a function at [{}], read live", self.file, self.location)
    }
}

impl ConfigCache {
    /// Resolves every file afresh and freezes what can be frozen.
    pub fn write(path: &Path, files: &ConfigFiles, env: &Env) -> Result<CacheReport> {
        let (frozen, report) = env.during(|| freeze(files))?;
        let text = serde_json::to_vec_pretty(&json!({ "version": VERSION, "files": frozen }))?;
        replace_file(path, &text, None).map_err(|error| {
            Error::from(error).context(format!("writing the cached configuration to {}", path.display()))
        })?;
        Ok(report)
    }

    /// Removes the frozen configuration. Answers whether there was one.
    pub fn clear(path: &Path) -> Result<bool> {
        match std::fs::remove_file(path) {
            Ok(()) => Ok(true),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(false),
            Err(error) => Err(Error::from(error).context(format!("removing {}", path.display()))),
        }
    }

    /// The frozen values by file name, or nothing when there is no cache.
    pub(super) fn read(path: &Path) -> Result<Option<Map<String, Value>>> {
        let text = match std::fs::read(path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(Error::from(error).context(format!("reading {}", path.display()))),
        };
        let unusable = || {
            Error::internal(format!(
                "the cached configuration {} cannot be read; run `housekey config:clear`",
                path.display()
            ))
        };
        let mut cache: Value = serde_json::from_slice(&text).map_err(|_| unusable())?;
        if cache["version"] != VERSION {
            return Err(unusable());
        }
        match cache["files"].take() {
            Value::Object(files) => Ok(Some(files)),
            _ => Err(unusable()),
        }
    }
}

const VERSION: u64 = 1;

fn freeze(files: &ConfigFiles) -> (Map<String, Value>, CacheReport) {
    let mut frozen = Map::new();
    let mut report = CacheReport::default();
    for file in files.iter() {
        match file.load().freeze() {
            Ok(value) => {
                frozen.insert(file.name().to_owned(), value);
                report.cached.push(file.name());
            }
            Err(path) => {
                let location = format!("{}.{path}", file.name());
                let location = location.trim_end_matches('.').to_owned();
                report.skipped.push(Skipped { file: file.path(), location });
            }
        }
    }
    (frozen, report)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use serde::{Deserialize, Serialize};

    use super::*;
    use crate::config::{Config, ConfigFile, Hook};
    use crate::{AppConfig, env};

    type Plugin = Hook<dyn Fn() + Send + Sync>;

    #[derive(Default, Clone, Serialize, Deserialize)]
    struct Auth {
        base_path: String,
        plugins: Vec<Plugin>,
    }

    fn files() -> ConfigFiles {
        ConfigFiles::new()
            .with(ConfigFile::new("app", "config/app.rs", || AppConfig {
                name: env("APP_NAME", "Shop"),
                ..AppConfig::default()
            }))
            .with(ConfigFile::new("auth", "config/auth.rs", || Auth {
                base_path: env("BASE", "/api/auth"),
                plugins: vec![Hook::set(Arc::new(|| ()))],
            }))
    }

    // spec: CLI-7
    #[test]
    fn a_file_with_a_function_is_skipped_by_name_and_read_live() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("framework/config.json");
        let report = ConfigCache::write(&path, &files(), &Env::empty()).unwrap();
        assert_eq!(report.cached, ["app"]);
        assert_eq!(
            report.skipped[0].to_string(),
            "config/auth.rs holds a function at [auth.plugins.0], read live"
        );

        let later = Env::empty().with("APP_NAME", "Later").with("BASE", "/later");
        let config = Config::load(&files(), &later, Some(&path)).unwrap();
        assert_eq!(config.get::<AppConfig>().name, "Shop");
        assert_eq!(config.get::<Auth>().base_path, "/later");
        assert_eq!(config.value("auth.plugins.0").unwrap(), "[function]");

        assert!(ConfigCache::clear(&path).unwrap());
        assert!(!ConfigCache::clear(&path).unwrap());
        let config = Config::load(&files(), &later, Some(&path)).unwrap();
        assert_eq!(config.get::<AppConfig>().name, "Later");
    }

    #[test]
    fn a_damaged_cache_says_to_clear_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("config.json");
        for text in ["", "{", "[]", "{\"version\":9}", "{\"version\":1,\"files\":{\"app\":3}}"] {
            std::fs::write(&path, text).unwrap();
            let error = Config::load(&files(), &Env::empty(), Some(&path)).unwrap_err().to_string();
            assert!(error.contains("config:clear"), "{text}: {error}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn the_cache_is_readable_by_its_owner_only() {
        use std::os::unix::fs::PermissionsExt as _;

        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("config.json");
        ConfigCache::write(&path, &files(), &Env::empty()).unwrap();
        assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
    }
}
