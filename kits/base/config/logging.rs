use housekey::{LogFormat, LoggingConfig, env};

/// What is written to standard error, and how.
pub fn logging() -> LoggingConfig {
    LoggingConfig {
        // error, warn, info, debug or trace.
        level: env("LOG_LEVEL", "info"),

        // `pretty` for people, `json` for a log collector.
        format: env("LOG_FORMAT", LogFormat::Pretty),

        // Exceptions from the level, by module: `{{crate}}=debug,housekey::access=off`.
        filter: env("LOG_FILTER", ""),
    }
}
