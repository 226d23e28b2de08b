use housekey::{AppConfig, Environment, default, env};

pub fn app() -> AppConfig {
    AppConfig { name: "Proofs".into(), env: env("APP_ENV", Environment::Production), ..default() }
}
