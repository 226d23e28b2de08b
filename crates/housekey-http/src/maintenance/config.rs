use housekey_core::Env;
use serde::{Deserialize, Serialize};

/// `config/maintenance.rs`. An app without that file reads `MAINTENANCE_STORE` and has the defaults otherwise.
///
/// ```
/// use housekey_core::env;
/// use housekey_http::maintenance::MaintenanceConfig;
///
/// pub fn maintenance() -> MaintenanceConfig {
///     MaintenanceConfig {
///         store: env("MAINTENANCE_STORE", "file"),
///         except: vec!["/up".into(), "/webhooks/*".into()],
///         ..Default::default()
///     }
/// }
/// # maintenance();
/// ```
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct MaintenanceConfig {
    /// `file` (`storage/framework/maintenance.json`, for one machine) or `cache` (for several, with a cache that they share).
    pub store: String,
    /// Addresses that answer as always, beside those that `down --except` names. `*` at the end stands for the rest.
    pub except: Vec<String>,
    /// How many milliseconds may pass before a process notices.
    pub check_every: u64,
}

impl MaintenanceConfig {
    /// What `MAINTENANCE_STORE` says.
    pub fn from_env(env: &Env) -> Self {
        match env.get("MAINTENANCE_STORE").filter(|store| !store.trim().is_empty()) {
            Some(store) => Self { store: store.trim().to_owned(), ..Self::default() },
            None => Self::default(),
        }
    }
}

impl Default for MaintenanceConfig {
    fn default() -> Self {
        Self { store: "file".into(), except: Vec::new(), check_every: 500 }
    }
}
