use housekey::{ConnectionConfig, DatabaseConfig, default, env};

/// The databases by name. None is opened before it is used.
pub fn database() -> DatabaseConfig {
    DatabaseConfig {
        // The one that is meant when none is named.
        default: env("DB_CONNECTION", "sqlite"),

        // Statements slower than this many milliseconds are written to the log, without their values.
        slow_query_ms: Some(500),

        ..default()
    }
    // A file beside the app: nothing to install.
    .with("sqlite", ConnectionConfig::sqlite(env::<String>("DB_FILE", "storage/database.sqlite")))
    // A server needs its cargo feature: `database-postgres` or `database-mysql`.
    .with("postgres", ConnectionConfig::postgres(env::<String>("DATABASE_URL", "postgres://localhost/app")))
    .with("mysql", ConnectionConfig::mysql(env::<String>("DATABASE_URL", "mysql://localhost/app")))
}
