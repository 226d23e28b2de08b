use std::path::{Path, PathBuf};

/// Where an app keeps its things, all below one root.
///
/// ```
/// let paths = housekey_core::Paths::new("/srv/shop");
/// assert_eq!(paths.public(), std::path::Path::new("/srv/shop/public"));
/// ```
#[derive(Clone, Debug)]
pub struct Paths {
    root: PathBuf,
    storage: Option<PathBuf>,
}

impl Paths {
    pub fn new(root: impl Into<PathBuf>) -> Self {
        Self { root: root.into(), storage: None }
    }

    /// The root of the running app: `APP_ROOT` where it is set, the package's folder under cargo, else the
    /// current folder.
    pub fn discover() -> Self {
        let named = |key| std::env::var_os(key).filter(|value| !value.is_empty()).map(PathBuf::from);
        let root = named("APP_ROOT").or_else(|| named("CARGO_MANIFEST_DIR"));
        Self::new(root.or_else(|| std::env::current_dir().ok()).unwrap_or_else(|| PathBuf::from(".")))
    }

    /// Keeps what the app writes somewhere else: tests give each app a folder of its own.
    pub fn with_storage(mut self, storage: impl Into<PathBuf>) -> Self {
        self.storage = Some(storage.into());
        self
    }

    pub fn root(&self) -> &Path {
        &self.root
    }

    /// A path below the root; an absolute one stays as it is.
    pub fn join(&self, path: impl AsRef<Path>) -> PathBuf {
        self.root.join(path)
    }

    /// A path as a configuration names it: below the root, but `storage/…` follows the app's storage wherever it was
    /// moved to, so that a test writes into its own folder only.
    ///
    /// ```
    /// use std::path::Path;
    ///
    /// let paths = housekey_core::Paths::new("/srv/shop").with_storage("/tmp/test");
    /// assert_eq!(paths.locate("storage/mail"), Path::new("/tmp/test/mail"));
    /// assert_eq!(paths.locate("lang"), Path::new("/srv/shop/lang"));
    /// ```
    pub fn locate(&self, path: impl AsRef<Path>) -> PathBuf {
        match path.as_ref().strip_prefix("storage") {
            Ok(rest) => self.storage().join(rest),
            Err(_) => self.join(path),
        }
    }

    /// Files anyone may fetch.
    pub fn public(&self) -> PathBuf {
        self.join("public")
    }

    /// What the app writes while it runs.
    pub fn storage(&self) -> PathBuf {
        self.storage.clone().unwrap_or_else(|| self.join("storage"))
    }

    /// What the framework itself writes.
    pub fn framework(&self) -> PathBuf {
        self.storage().join("framework")
    }

    pub fn env_file(&self) -> PathBuf {
        self.join(".env")
    }

    /// The frozen configuration.
    pub fn config_cache(&self) -> PathBuf {
        self.framework().join("config.json")
    }
}

impl Default for Paths {
    fn default() -> Self {
        Self::discover()
    }
}
