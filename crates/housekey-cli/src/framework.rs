//! Where a new app takes the framework from: the checkout this binary was built in, or the registry.

use std::path::{Path, PathBuf};
use std::{env, fs};

/// The version of the framework that belongs to this binary.
const VERSION: &str = env!("CARGO_PKG_VERSION");

#[derive(Debug)]
pub(crate) enum Framework {
    /// Built from a checkout that is still there: the app uses it by path.
    Checkout(PathBuf),
    /// Installed: the app names a version.
    Registry,
}

impl Framework {
    pub(crate) fn detect() -> Self {
        Self::built_in(Path::new(env!("CARGO_MANIFEST_DIR")))
    }

    /// `manifest_folder` is where this crate lay when it was compiled.
    fn built_in(manifest_folder: &Path) -> Self {
        match manifest_folder.ancestors().nth(2) {
            // cargo clears its own copies of git repositories away when it likes, so they do not count.
            Some(root) if root.join("crates/housekey/Cargo.toml").is_file() && !is_cargos_own(root) => {
                Self::Checkout(root.to_owned())
            }
            _ => Self::Registry,
        }
    }

    /// The `housekey` crate as a key and a value inside a TOML table: a path or a version.
    pub(crate) fn dependency(&self) -> String {
        match self {
            Self::Checkout(root) => format!("path = {}", quoted(&root.join("crates/housekey"))),
            Self::Registry => format!("version = {VERSION:?}"),
        }
    }

    /// A package of the framework as a JSON value for `package.json`.
    pub(crate) fn npm_package(&self, folder: &str) -> String {
        match self {
            Self::Checkout(root) => format!("\"file:{}", &quoted(&root.join("packages").join(folder))[1..]),
            Self::Registry => format!("\"^{VERSION}\""),
        }
    }

    /// The versions the checkout was tested with. An app that starts from them compiles the same crates.
    pub(crate) fn lock_file(&self) -> Option<Vec<u8>> {
        match self {
            Self::Checkout(root) => fs::read(root.join("Cargo.lock")).ok(),
            Self::Registry => None,
        }
    }

    /// The lines for `.cargo/config.toml` that let the app share the checkout's target folder, if it has one.
    pub(crate) fn cargo_config(&self) -> Option<String> {
        let Self::Checkout(root) = self else { return None };
        // Someone who moved the target folder elsewhere has a plan for it already.
        if env::var_os("CARGO_TARGET_DIR").is_some() || !root.join("target").is_dir() {
            return None;
        }
        Some(format!(
            "\n# This app was created from a checkout of Housekey and uses it by path. Sharing the checkout's target folder\n\
             # saves compiling the crates both need a second time. Delete these lines when the app moves to another machine.\n\
             [build]\ntarget-dir = {}\n",
            quoted(&root.join("target"))
        ))
    }
}

fn is_cargos_own(root: &Path) -> bool {
    let parts: Vec<_> = root.components().map(|part| part.as_os_str()).collect();
    parts.windows(2).any(|pair| pair[0] == "git" && pair[1] == "checkouts")
}

/// A path as a string that means the same in TOML and JSON.
fn quoted(path: &Path) -> String {
    serde_json::Value::from(path.to_string_lossy().replace('\\', "/")).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn checkout_at(folder: &str) -> (tempfile::TempDir, PathBuf) {
        let temporary = tempfile::tempdir().unwrap();
        let root = temporary.path().join(folder);
        fs::create_dir_all(root.join("crates/housekey")).unwrap();
        fs::create_dir_all(root.join("target")).unwrap();
        fs::write(root.join("crates/housekey/Cargo.toml"), "").unwrap();
        fs::write(root.join("Cargo.lock"), "# versions").unwrap();
        (temporary, root)
    }

    #[test]
    fn a_checkout_is_used_by_path() {
        let (_temporary, root) = checkout_at("a \"b\"");
        let framework = Framework::built_in(&root.join("crates/housekey-cli"));

        let path = serde_json::to_string(root.to_str().unwrap()).unwrap();
        let inside = &path[1..path.len() - 1];
        assert_eq!(framework.dependency(), format!("path = \"{inside}/crates/housekey\""));
        assert_eq!(framework.npm_package("vite"), format!("\"file:{inside}/packages/vite\""));
        assert_eq!(framework.lock_file().unwrap(), b"# versions");
    }

    #[test]
    fn an_installed_binary_names_versions() {
        let elsewhere = tempfile::tempdir().unwrap();
        let framework = Framework::built_in(&elsewhere.path().join("registry/src/housekey-cli-0.1.0"));

        assert_eq!(framework.dependency(), format!("version = \"{VERSION}\""));
        assert_eq!(framework.npm_package("vite"), format!("\"^{VERSION}\""));
        assert!(framework.lock_file().is_none());
        assert!(framework.cargo_config().is_none());
    }

    #[test]
    fn a_copy_that_cargo_may_clear_away_is_no_checkout() {
        let (_temporary, root) = checkout_at(".cargo/git/checkouts/housekey-1234/abcd");
        assert!(matches!(Framework::built_in(&root.join("crates/housekey-cli")), Framework::Registry));
    }
}
