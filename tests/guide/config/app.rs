use housekey::{AppConfig, env};

/// Here so that the guide's `housekey::config!()` finds a folder to read.
pub fn app() -> AppConfig {
    AppConfig { name: env("APP_NAME", "Guide"), ..AppConfig::default() }
}
