//! Where things are in the checkout.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

const ENGINE_DESCRIPTION: &str = "openapi";

/// The checkout that this xtask was compiled from.
pub(crate) struct Workspace {
    root: PathBuf,
}

impl Workspace {
    pub(crate) fn here() -> Self {
        let xtask = Path::new(env!("CARGO_MANIFEST_DIR"));
        Self { root: xtask.parent().unwrap_or(xtask).to_owned() }
    }

    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    pub(crate) fn path(&self, relative: &str) -> PathBuf {
        self.root.join(relative)
    }

    /// The target folder, wherever the person keeps it.
    pub(crate) fn target(&self) -> PathBuf {
        std::env::var_os("CARGO_TARGET_DIR")
            .map_or_else(|| self.root.join("target"), |dir| self.root.join(dir))
    }

    /// A folder for what a run leaves behind. Emptied first.
    pub(crate) fn scratch(&self, name: &str) -> Result<PathBuf, String> {
        let folder = self.target().join("xtask").join(name);
        let refresh = || {
            if folder.exists() {
                std::fs::remove_dir_all(&folder)?;
            }
            std::fs::create_dir_all(&folder)
        };
        refresh().map_err(|error| format!("cannot prepare {}: {error}", folder.display()))?;
        Ok(folder)
    }

    /// A cargo command that runs at the root.
    pub(crate) fn cargo(&self, arguments: &[&str]) -> Command {
        let mut command = cargo();
        command.current_dir(&self.root).args(arguments);
        command
    }

    /// Builds programs of ours for the suite to start, with the features that all tests together ask for: alone each would have
    /// fewer, and cargo would compile the whole framework once more for it.
    pub(crate) fn build_for_tests(&self, programs: &[&str]) -> Result<(), String> {
        let mut command = self.cargo(&["build", "--workspace", "--all-features"]);
        command.args(programs.iter().flat_map(|name| ["--bin", name]));
        // What tests depend on counts among the features only where something is built that may use it, such as an example.
        let built = crate::process::run(command.args(["--example", ENGINE_DESCRIPTION]))?;
        if built.success {
            Ok(())
        } else {
            Err(format!("{} cannot be built; see above", programs.join(", ")))
        }
    }

    /// Where cargo leaves a program of ours that is not built for release.
    pub(crate) fn debug_build(&self, program: &str) -> PathBuf {
        self.target().join("debug").join(program)
    }

    /// The example that prints the description of the engine.
    pub(crate) fn engine_description(&self) -> PathBuf {
        self.target().join("debug/examples").join(ENGINE_DESCRIPTION)
    }

    /// Every file that git knows or would take, as paths relative to the root.
    pub(crate) fn files(&self) -> Result<Vec<PathBuf>, String> {
        let listed = Command::new("git")
            .args(["ls-files", "-co", "--exclude-standard", "-z"])
            .current_dir(&self.root)
            .output()
            .map_err(|error| format!("cannot run git: {error}. Install git."))?;
        if !listed.status.success() {
            return Err(format!("git ls-files: {}", String::from_utf8_lossy(&listed.stderr).trim()));
        }
        let text = String::from_utf8_lossy(&listed.stdout);
        let mut files: Vec<PathBuf> =
            text.split('\0').filter(|name| !name.is_empty()).map(PathBuf::from).collect();
        files.retain(|file| self.root.join(file).is_file());
        files.sort();
        files.dedup();
        Ok(files)
    }
}

/// The cargo that started us.
pub(crate) fn cargo() -> Command {
    let mut command = program(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    if crate::ui::colour() {
        command.env("CARGO_TERM_COLOR", "always");
    }
    command
}

/// A command without the variables that cargo set for us: an app would take xtask's folder for its own, and where they come and go
/// between two builds of it, build scripts that read them run again and most of what is behind them is compiled once more.
pub(crate) fn program(name: impl AsRef<OsStr>) -> Command {
    let mut command = Command::new(name);
    for (name, _) in std::env::vars_os() {
        let text = name.to_string_lossy();
        if text.starts_with("CARGO_PKG_") || text.starts_with("CARGO_MANIFEST_") {
            command.env_remove(&name);
        }
    }
    command
}

#[cfg(test)]
mod tests {
    use super::*;

    // spec: VER-3
    #[test]
    fn every_crate_and_package_is_under_the_mit_licence() {
        let workspace = Workspace::here();
        let read = |path: &Path| std::fs::read_to_string(workspace.root().join(path)).unwrap();
        assert!(read(Path::new("LICENSE")).starts_with("MIT License"));
        for file in workspace.files().unwrap() {
            if file.starts_with("kits") {
                continue; // An app is its author's own.
            }
            if file.ends_with("Cargo.toml") {
                let text = read(&file);
                let stated = text.contains("license.workspace = true") || text.contains("license = \"MIT\"");
                assert!(stated, "{} states no licence", file.display());
            } else if file.ends_with("package.json") {
                assert!(read(&file).contains("\"license\": \"MIT\""), "{} states no licence", file.display());
            }
        }
    }
}
