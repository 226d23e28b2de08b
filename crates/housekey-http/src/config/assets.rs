use std::path::PathBuf;

use serde::{Deserialize, Serialize};

/// `config/assets.rs`: where the bundler works and what it leaves behind.
///
/// ```
/// use housekey_http::config::AssetsConfig;
///
/// pub fn assets() -> AssetsConfig {
///     AssetsConfig { entries: vec!["resources/js/app.ts".into()], ..Default::default() }
/// }
/// # assets();
/// ```
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct AssetsConfig {
    /// The folder of the bundler's project, relative to the application.
    pub project_directory: PathBuf,
    /// Where the bundler writes, as a folder below `public` and as the first part of the address.
    pub build_directory: String,
    /// The file that tells, by its existence, that a development server runs, and by its content, where.
    pub hot_file: PathBuf,
    /// What the bundler starts from, relative to its project.
    pub entries: Vec<String>,
    /// A file below `public` that may control the whole site and is never stale, at its own address: `build/sw.js` is
    /// served at `/build/sw.js`.
    pub service_worker: Option<String>,
    /// Whether a miss below the build directory is a 404 at once. Without it a wildcard route would answer a
    /// script's address with a page.
    pub guard_build_directory: bool,
    /// Where `housekey types` writes the TypeScript of the app's [typed routes](crate::types), relative to the bundler's
    /// project. `None`: nowhere.
    pub types: Option<PathBuf>,
}

impl Default for AssetsConfig {
    fn default() -> Self {
        Self {
            project_directory: ".".into(),
            build_directory: "build".into(),
            hot_file: "public/hot".into(),
            entries: Vec::new(),
            service_worker: None,
            guard_build_directory: true,
            types: None,
        }
    }
}
