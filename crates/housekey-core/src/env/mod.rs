//! The environment: the process's variables over an optional `.env` file, read through typed functions.
//!
//! An app's config functions call [`env()`]. While a configuration is being loaded they read the [`Env`] it is
//! loaded with; a value of the wrong type is collected as a problem and reported for all files at once, with the
//! place that asked, instead of stopping at the first.

mod dotenv;
mod from_env;

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fmt;
use std::panic::Location;
use std::path::Path;
use std::sync::Arc;

pub use from_env::FromEnv;

use crate::{Error, Result};

/// The variables an app is configured with.
///
/// ```
/// use housekey_core::Env;
///
/// let env = Env::empty().with("APP_NAME", "Shop");
/// assert_eq!(env.get("APP_NAME").as_deref(), Some("Shop"));
/// ```
#[derive(Clone, Default)]
pub struct Env {
    /// Set by code (tests), strongest.
    overlay: BTreeMap<String, String>,
    /// From `.env`, weakest: a variable of the process wins over the file.
    file: Arc<BTreeMap<String, String>>,
    process: bool,
}

impl Env {
    /// The process's variables only.
    pub fn process() -> Self {
        Self { process: true, ..Self::default() }
    }

    /// No variables at all, whatever the process has.
    pub fn empty() -> Self {
        Self::default()
    }

    /// The process's variables over those of a `.env` file, which may be absent.
    pub fn load(file: &Path) -> Result<Self> {
        let text = match std::fs::read(file) {
            Ok(bytes) => String::from_utf8(bytes).map_err(|_| broken(file, "it is not valid UTF-8"))?,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
            Err(error) => return Err(broken(file, &error.to_string())),
        };
        let process = Self::process();
        let values = dotenv::parse(&text, |key| process.get(key))
            .map_err(|problem| broken(file, &format!("line {}: {}", problem.line, problem.what)))?;
        Ok(Self { file: Arc::new(values), ..process })
    }

    /// Sets a variable over everything else.
    pub fn with(mut self, key: impl Into<String>, value: impl Into<String>) -> Self {
        self.overlay.insert(key.into(), value.into());
        self
    }

    pub fn get(&self, key: &str) -> Option<String> {
        self.overlay
            .get(key)
            .cloned()
            .or_else(|| self.process.then(|| std::env::var(key).ok()).flatten())
            .or_else(|| self.file.get(key).cloned())
    }

    /// Runs `read` with this environment behind [`env()`], and fails if a variable had a value of the wrong type.
    pub fn during<R>(&self, read: impl FnOnce() -> R) -> Result<R> {
        let before = READING.replace(Some(Reading { env: self.clone(), problems: Vec::new(), file: None }));
        let guard = Restore(before);
        let value = read();
        let problems = READING.with_borrow_mut(|reading| reading.take()).map(|reading| reading.problems);
        drop(guard);
        match problems.unwrap_or_default() {
            problems if problems.is_empty() => Ok(value),
            problems => {
                Err(Error::internal(format!("the environment is wrong:\n  {}", problems.join("\n  "))))
            }
        }
    }
}

impl fmt::Debug for Env {
    // Names only: values are secrets as often as not.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Env")
            .field("overlay", &self.overlay.keys())
            .field("file", &self.file.keys())
            .finish_non_exhaustive()
    }
}

fn broken(file: &Path, why: &str) -> Error {
    Error::internal(format!("{} cannot be read: {why}", file.display()))
}

struct Reading {
    env: Env,
    problems: Vec<String>,
    /// The config file whose function runs, as the app knows it: `config/http.rs`.
    file: Option<&'static str>,
}

/// Runs the function of a config file, so that a problem can name the file.
pub(crate) fn in_file<R>(path: &'static str, read: impl FnOnce() -> R) -> R {
    let set = |file| {
        READING.with_borrow_mut(|reading| {
            if let Some(reading) = reading {
                reading.file = file;
            }
        });
    };
    set(Some(path));
    let value = read();
    set(None);
    value
}

thread_local! {
    static READING: RefCell<Option<Reading>> = const { RefCell::new(None) };
}

/// Puts the outer reading back even when a config function panics.
struct Restore(Option<Reading>);

impl Drop for Restore {
    fn drop(&mut self) {
        READING.set(self.0.take());
    }
}

/// What a value of a `.env` file means, given as it stands there behind the `=`; `None` when that cannot be read. A `${NAME}`
/// stays as it is.
///
/// ```
/// use housekey_core::env::dotenv_value;
///
/// assert_eq!(dotenv_value(r#""two \"words\"" # why"#).as_deref(), Some("two \"words\""));
/// assert_eq!(dotenv_value("'never closed"), None);
/// ```
pub fn dotenv_value(written: &str) -> Option<String> {
    dotenv::value(written, |name| format!("${{{name}}}")).ok()
}

/// A variable, as the type the caller needs, or the default.
///
/// Numbers say their type once: `env("PORT", 3000_u16)`. An empty variable counts as unset, except for text.
///
/// ```
/// use housekey_core::{Env, env};
///
/// let env_of_the_app = Env::empty().with("MOUNT", "off");
/// let (mount, port): (bool, u16) =
///     env_of_the_app.during(|| (env("MOUNT", true), env("PORT", 3000_u16))).unwrap();
/// assert_eq!((mount, port), (false, 3000));
/// ```
#[track_caller]
pub fn env<T: FromEnv>(key: &str, default: impl Into<T>) -> T {
    // Here, not in the closure below: a closure does not know who called the function around it.
    let place = Location::caller();
    let Some(text) = lookup(key) else { return default.into() };
    if text.trim().is_empty() && !T::TAKES_EMPTY {
        return default.into();
    }
    T::from_env(&text).unwrap_or_else(|| {
        report(key, T::EXPECTED, place);
        default.into()
    })
}

/// A comma-separated variable as a list; spaces around the parts and empty parts are dropped.
///
/// ```
/// use housekey_core::{Env, env_list};
///
/// let proxies: Vec<String> =
///     Env::empty().with("PROXIES", "127.0.0.1, ::1,").during(|| env_list("PROXIES")).unwrap();
/// assert_eq!(proxies, ["127.0.0.1", "::1"]);
/// ```
#[track_caller]
pub fn env_list<T: FromEnv>(key: &str) -> Vec<T> {
    let place = Location::caller();
    let text = lookup(key).unwrap_or_default();
    let parts = text.split(',').map(str::trim).filter(|part| !part.is_empty());
    parts
        .filter_map(|part| {
            let value = T::from_env(part);
            if value.is_none() {
                report(key, T::EXPECTED, place);
            }
            value
        })
        .collect()
}

fn lookup(key: &str) -> Option<String> {
    READING.with_borrow(|reading| match reading {
        Some(reading) => reading.env.get(key),
        None => std::env::var(key).ok(),
    })
}

/// The value itself is left out of the message: it may be a secret in the wrong place.
fn report(key: &str, expected: &str, place: &Location<'_>) {
    READING.with_borrow_mut(|reading| match reading {
        Some(reading) => {
            // The compiler knows a config file by its whole path on the machine that built the app.
            let own = reading.file.filter(|file| Path::new(place.file()).ends_with(file));
            let file = own.unwrap_or(place.file());
            reading.problems.push(format!("{key} must be {expected} (asked for in {file}:{})", place.line()));
        }
        None => tracing::warn!("{key} must be {expected}; the default is used"),
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_wrong_variable_is_reported_with_its_place_and_without_its_value() {
        let env_of_the_app = Env::empty().with("PORT", "hunter2").with("DEBUG", "perhaps").with("IDS", "1,b");
        let line = line!() + 2;
        let read = || {
            let port = env::<u16>("PORT", 1_u16);
            (port, env::<bool>("DEBUG", false), env_list::<u8>("IDS"))
        };
        let error = env_of_the_app.during(read).map(drop).unwrap_err().to_string();
        assert!(error.contains("PORT must be a whole number") && error.contains("DEBUG must be"), "{error}");
        assert!(error.contains(&format!("env/mod.rs:{line})")), "{error}");
        assert_eq!(error.matches(&format!("env/mod.rs:{})", line + 1)).count(), 2, "{error}");
        assert!(!error.contains("hunter2"), "{error}");
    }

    #[test]
    fn a_panic_in_a_config_function_leaves_no_environment_behind() {
        let env_of_the_app = Env::empty().with("HOUSEKEY_TEST_LEFT", "yes");
        let result = std::panic::catch_unwind(|| env_of_the_app.during(|| panic!("boom")).map(drop));
        assert!(result.is_err());
        assert_eq!(env::<String>("HOUSEKEY_TEST_LEFT", "no"), "no");
    }

    #[test]
    fn a_broken_env_file_names_the_line_and_keeps_the_value_to_itself() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join(".env");
        std::fs::write(&file, "APP_NAME=Shop\nAPP_KEY=\"hunter2\nX=1\n").unwrap();
        let error = Env::load(&file).unwrap_err().to_string();
        assert!(error.contains("line 2"), "{error}");
        assert!(!error.contains("hunter2"), "{error}");
    }

    #[test]
    fn a_missing_env_file_is_no_error() {
        assert!(Env::load(Path::new("/nowhere/.env")).is_ok());
    }
}
