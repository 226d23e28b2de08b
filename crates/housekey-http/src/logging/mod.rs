//! The log: level, filter and format from `config/logging.rs`, set up once per process.

mod context;
mod fields;

use std::io::{IsTerminal, stderr};
use std::sync::OnceLock;

use housekey_core::env::FromEnv;
use housekey_core::{Error, Result};
use serde::{Deserialize, Serialize};
use tracing::Dispatch;
use tracing_subscriber::EnvFilter;
use tracing_subscriber::fmt::{self, MakeWriter};
use tracing_subscriber::util::SubscriberInitExt;

use context::WithContext;
pub use context::context;
use fields::PrettyFields;

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
    dispatch(format, filter, stderr, stderr().is_terminal()).try_init().is_ok()
}

fn dispatch<W>(format: LogFormat, filter: EnvFilter, writer: W, is_terminal: bool) -> Dispatch
where
    W: for<'a> MakeWriter<'a> + Send + Sync + 'static,
{
    let log = tracing_subscriber::fmt().with_env_filter(filter).with_writer(writer).with_ansi(is_terminal);
    match format {
        LogFormat::Pretty => {
            let inner = fmt::format().with_ansi(is_terminal);
            Dispatch::new(log.fmt_fields(PrettyFields).event_format(WithContext { inner, format }).finish())
        }
        LogFormat::Json => {
            let inner = fmt::format().json().flatten_event(true);
            Dispatch::new(log.json().map_event_format(|_| WithContext { inner, format }).finish())
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;
    use std::sync::{Arc, Mutex};

    use axum::extract::Path;
    use housekey_core::{AppConfig, ConfigFiles, Env, Environment, Secret, spawn};

    use super::*;
    use crate::App;

    #[test]
    fn a_level_that_does_not_exist_is_named() {
        let config = LoggingConfig { level: "chatty=loud".into(), ..LoggingConfig::default() };
        assert!(filter(&config).unwrap_err().to_string().contains("chatty=loud"));
    }

    /// A log that a test can read.
    #[derive(Clone, Default)]
    struct Lines(Arc<Mutex<Vec<u8>>>);

    impl Write for Lines {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0.lock().unwrap().write(bytes)
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    /// What two requests of an app log, one after the other.
    async fn logged(format: LogFormat) -> String {
        let lines = Lines::default();
        let writer = lines.clone();
        let filter = EnvFilter::new("info,housekey::access=off");
        let _log = tracing::dispatcher::set_default(&dispatch(format, filter, move || writer.clone(), false));
        let pay = async |Path(order): Path<u64>| {
            context("order", order);
            context("token", Secret::from("hunter2"));
            tracing::info!(cents = 1200, "paid");
            spawn(async { tracing::info!(order = "none", "printed") }).await.unwrap();
        };
        let app = App::new(ConfigFiles::new()).env(Env::empty()).configure(|config| {
            config.update::<AppConfig>(|app| app.env = Environment::Testing);
        });
        let app = app.routes(move |route| {
            route.get("/pay/{order}", pay);
            route.get("/look", async || tracing::info!("looked"));
        });
        let app = app.boot().unwrap();
        tracing::info!("booted");
        for path in ["/pay/7", "/look"] {
            let request = http::Request::get(path).body(axum::body::Body::empty()).unwrap();
            assert_eq!(app.kernel().handle(request, None).await.status(), 200);
        }
        let text = lines.0.lock().unwrap().clone();
        String::from_utf8(text).unwrap()
    }

    #[tokio::test(flavor = "current_thread")]
    async fn every_line_of_a_request_says_which_request_it_was_and_what_the_app_added() {
        let text = logged(LogFormat::Pretty).await;
        let line = |words: &str| text.lines().find(|line| line.contains(words)).unwrap();
        assert!(line("paid").contains("cents=1200 order=7 token=\"[secret]\" request_id="), "{text}");
        // A field of its own wins; work that the request began belongs to it.
        assert!(line("printed").contains("order=\"none\"") && !line("printed").contains("order=7"), "{text}");
        let id = |words: &str| line(words).split("request_id=").nth(1).map(str::to_owned);
        assert_eq!(id("paid"), id("printed"));
        assert_ne!(id("paid"), id("looked"));
        assert!(!line("looked").contains("order") && id("booted").is_none(), "{text}");
        assert!(!text.contains("hunter2"), "{text}");
    }

    #[test]
    fn what_a_visitor_typed_into_a_field_cannot_begin_a_line_or_a_field_of_its_own() {
        let lines = Lines::default();
        let writer = lines.clone();
        let log = dispatch(LogFormat::Pretty, EnvFilter::new("info"), move || writer.clone(), false);
        tracing::dispatcher::with_default(&log, || {
            let typed = "Ada\n2026 ERROR shop: door open admin=true \u{1b}[31m";
            tracing::info!(name = %typed, other = typed, error = %"no paper", left = ?Some(3), "hello \u{1b}[2J");
        });
        let text = String::from_utf8(lines.0.lock().unwrap().clone()).unwrap();
        assert_eq!(text.lines().count(), 1, "{text}");
        assert!(text.contains("name=\"Ada\\n2026") && text.contains("other=\"Ada\\n2026"), "{text}");
        assert!(text.ends_with(" error=no paper left=Some(3)\n"), "{text}");
        assert!(text.contains("hello \\u{1b}[2J") && !text.contains('\u{1b}'), "{text}");
    }

    #[tokio::test(flavor = "current_thread")]
    async fn a_line_for_machines_is_one_object() {
        let text = logged(LogFormat::Json).await;
        let lines: Vec<serde_json::Value> =
            text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let paid = lines.iter().find(|line| line["message"] == "paid").unwrap();
        assert_eq!((&paid["cents"], &paid["order"]), (&1200.into(), &"7".into()));
        assert!(paid["request_id"].as_str().is_some_and(|id| !id.is_empty()), "{paid}");
    }

    #[test]
    fn it_is_set_up_once() {
        let config = LoggingConfig::default();
        init(&config).unwrap();
        assert!(!init(&config).unwrap());
    }
}
