use housekey::{ConnectionConfig, DatabaseConfig, default, env};

pub fn database() -> DatabaseConfig {
    DatabaseConfig { default: "postgres".into(), ..default() }
        .with("postgres", ConnectionConfig::postgres(env::<String>("DATABASE_URL", "postgres://localhost/proofs")))
}
