//! The log: level, filter and format from `config/logging.rs`, set up once per process.

use std::io::{IsTerminal, stderr};
use std::sync::OnceLock;

use housekey_core::env::FromEnv;
use housekey_core::{Error, Result};
use serde::{Deserialize, Serialize};
use tracing_subscriber::EnvFilter;

/// `config/logging.rs`.
///
/// ```
/// use housekey_core::env;
/// use housekey_http::logging::{LogFormat, LoggingConfig};
///
/// pub fn logging() -> LoggingConfig {
///     LoggingConfig {
///         level: env("LOG_LEVEL", "info"),
///         format: env("LOG_FORMAT", LogFormat::Pretty),
///         ..LoggingConfig::default()
///     }
/// }
/// # logging();
/// ```
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct LoggingConfig {
    /// The least important kind of message to write: `error`, `warn`, `info`, `debug` or `trace`.
    pub level: String,
    /// For people or for machines.
    pub format: LogFormat,
    /// Exceptions from the level, by module: `my_app=debug,housekey::access=off`.
    pub filter: String,
}

impl Default for LoggingConfig {
    fn default() -> Self {
        Self { level: "info".into(), format: LogFormat::Pretty, filter: String::new() }
    }
}

/// How a log line looks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LogFormat {
    /// One readable line, in colour on a terminal.
    #[default]
    Pretty,
    /// One JSON object per line.
    Json,
}

impl FromEnv for LogFormat {
    const EXPECTED: &'static str = "`pretty` or `json`";

    fn from_env(text: &str) -> Option<Self> {
        match text.trim() {
            "pretty" => Some(Self::Pretty),
            "json" => Some(Self::Json),
            _ => None,
        }
    }
}

/// Sets up the log of this process, on standard error. Only the first call does; it answers whether it was this one.
///
/// A process that has set up a log of its own keeps it.
pub fn init(config: &LoggingConfig) -> Result<bool> {
    static DONE: OnceLock<bool> = OnceLock::new();
    let filter = filter(config)?;
    let mut is_first = false;
    DONE.get_or_init(|| {
        is_first = install(config.format, filter);
        crate::kernel::install_panic_hook();
        is_first
    });
    Ok(is_first)
}

fn filter(config: &LoggingConfig) -> Result<EnvFilter> {
    let directives = match config.filter.trim() {
        "" => config.level.clone(),
        filter => format!("{},{filter}", config.level),
    };
    EnvFilter::try_new(&directives).map_err(|error| {
        Error::from(error).context(format!("config/logging.rs: {directives:?} is no filter for the log"))
    })
}

fn install(format: LogFormat, filter: EnvFilter) -> bool {
    let log = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(stderr)
        .with_ansi(stderr().is_terminal());
    match format {
        LogFormat::Pretty => log.try_init().is_ok(),
        LogFormat::Json => log.json().flatten_event(true).try_init().is_ok(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_level_that_does_not_exist_is_named() {
        let config = LoggingConfig { level: "chatty=loud".into(), ..LoggingConfig::default() };
        assert!(filter(&config).unwrap_err().to_string().contains("chatty=loud"));
    }

    #[test]
    fn it_is_set_up_once() {
        let config = LoggingConfig::default();
        init(&config).unwrap();
        assert!(!init(&config).unwrap());
    }
}
