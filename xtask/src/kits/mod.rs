//! Apps created from the kits with the real binary, the way a person does it.

pub(crate) mod accounts;
mod client_routed;
mod deployed;
mod generators;
pub(crate) mod layers;
mod more_ways;
pub(crate) mod none;
pub(crate) mod shelf;
mod shipped;
mod social;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use crate::count::Count;
use crate::http::{self, Answer};
use crate::process::{self, Background, Finished};
use crate::suite::Failure;
use crate::workspace::{Workspace, cargo, program};
use crate::{node, ui};

/// Longer than any build takes: it ends a hang, it does not judge speed.
const START_TIMEOUT: Duration = Duration::from_mins(10);

/// Every feature that a kit, a layer or an example asks for.
const FEATURES: &str = "housekey/auth,housekey/database-mysql,housekey/database-postgres,housekey/database-sqlite,\
    housekey/events,housekey/http-client,housekey/live,housekey/openapi,housekey/passkeys,housekey/queue,housekey/redis,\
    housekey/schedule,housekey/social,housekey/storage,housekey/storage-s3,housekey/types";

/// An app in a temporary folder, gone when dropped unless it is kept.
pub(crate) struct App {
    home: PathBuf,
    name: String,
    housekey: PathBuf,
    target: PathBuf,
    is_kept: bool,
}

impl App {
    /// Builds the `housekey` command and creates an app with it.
    pub(crate) fn create(workspace: &Workspace, kit: &str, name: &str) -> Result<Self, String> {
        Self::create_with(workspace, kit, &[], name)
    }

    /// The same with layers over the kit.
    pub(crate) fn create_with(
        workspace: &Workspace,
        kit: &str,
        layers: &[String],
        name: &str,
    ) -> Result<Self, String> {
        let home = std::env::temp_dir().join(format!("housekey-xtask-{}-{name}", std::process::id()));
        build_in_steps(&home, name)?;
        Self::create_in(workspace, home, kit, layers, name)
    }

    /// The same below a folder of the caller's choice.
    fn create_in(
        workspace: &Workspace,
        home: PathBuf,
        kit: &str,
        layers: &[String],
        name: &str,
    ) -> Result<Self, String> {
        let built = process::run(&mut workspace.cargo(&["build", "--package", "housekey-cli", "--quiet"]))?;
        if !built.success {
            return Err("the housekey command does not build; see above".into());
        }
        fs::create_dir_all(&home).map_err(|error| format!("cannot create {}: {error}", home.display()))?;
        let app = Self {
            home,
            name: name.to_owned(),
            housekey: workspace.target().join("debug/housekey"),
            target: workspace.target(),
            is_kept: false,
        };
        let kit = format!("--kit={kit}");
        let mut command = program(&app.housekey);
        command.current_dir(&app.home).args(["create", name, &kit, "--no-install"]);
        if !layers.is_empty() {
            command.arg(format!("--with={}", layers.join(",")));
        }
        let created = process::run(&mut command)?;
        if created.success { Ok(app) } else { Err(format!("housekey create {name} {kit} failed; see above")) }
    }

    /// Leaves the app where it is; gives its folder.
    fn keep(mut self) -> PathBuf {
        self.is_kept = true;
        self.folder()
    }

    /// The same app with a target folder of its own: nothing that was compiled before helps.
    pub(crate) fn with_target(self, target: &Path) -> Self {
        let mut app = self;
        target.clone_into(&mut app.target);
        app
    }

    /// The app's own folder.
    pub(crate) fn folder(&self) -> PathBuf {
        self.home.join(&self.name)
    }

    /// The target folder that its builds share with ours.
    pub(crate) fn target(&self) -> &Path {
        &self.target
    }

    /// A file of the app.
    pub(crate) fn path(&self, relative: &str) -> PathBuf {
        self.folder().join(relative)
    }

    /// A cargo command in the app, with our target folder: what the framework shares is compiled once.
    pub(crate) fn cargo(&self, arguments: &[&str]) -> Command {
        let mut command = cargo();
        command.current_dir(self.folder()).env("CARGO_TARGET_DIR", &self.target).args(arguments);
        command
    }

    /// What the app's own CI file asks before its tests: somebody's first push must be green. All apps are linted with the same
    /// features of the framework, so that the framework is checked once for them all: the lints are about the app's own code,
    /// and what it is without those features, its build and its tests show.
    pub(crate) fn lint(&self) -> Result<Count, Failure> {
        let lints = ["clippy", "--quiet", "--all-targets", "--features", FEATURES, "--", "-D", "warnings"];
        let done = process::run(&mut self.cargo(&lints))?;
        if done.success { Ok(Count::ONE) } else { Err("clippy has something to say; see above".into()) }
    }

    /// The app's own tests.
    pub(crate) fn test(&self) -> Result<Count, Failure> {
        self.test_targets(&[])
    }

    /// The app's own tests but for those within its source, for which all of it is compiled once more. With all layers, and in the
    /// kit that has none, those run.
    pub(crate) fn test_integration(&self) -> Result<Count, Failure> {
        self.test_targets(&["*".to_owned()])
    }

    /// The tests within its source, and those of some targets.
    pub(crate) fn test_within_and(&self, targets: &[String]) -> Result<Count, Failure> {
        self.run_tests(&["test", "--quiet", "--lib"], targets)
    }

    /// The tests of some targets; all tests if none is named.
    pub(crate) fn test_targets(&self, targets: &[String]) -> Result<Count, Failure> {
        self.run_tests(&["test", "--quiet"], targets)
    }

    fn run_tests(&self, arguments: &[&str], targets: &[String]) -> Result<Count, Failure> {
        let mut command = self.cargo(arguments);
        command.args(targets.iter().flat_map(|target| ["--test", target]));
        let count = Failure::unless_green(&process::run(&mut command)?, "a test of the kit")?;
        if count.passed == 0 { Err("the kit has no test of its own".into()) } else { Ok(count) }
    }

    /// The files directly in a folder of the app with that ending, without `mod.rs`.
    pub(crate) fn files(&self, folder: &str, suffix: &str) -> Result<Vec<String>, String> {
        let path = self.path(folder);
        let entries =
            fs::read_dir(&path).map_err(|error| format!("cannot read {}: {error}", path.display()))?;
        let mut names: Vec<String> =
            entries.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
        names.retain(|name| name.ends_with(suffix) && name != "mod.rs");
        names.sort();
        Ok(names)
    }

    /// The crates that a build of the app compiles, the app among them.
    pub(crate) fn crates(&self) -> Result<usize, String> {
        let tree = process::read(&mut self.cargo(&["tree", "--edges", "normal,build", "--prefix", "none"]))?;
        Ok(crates(&tree))
    }

    /// Installs the app's npm packages and builds its assets.
    pub(crate) fn build_assets(&self) -> Result<Finished, String> {
        node::install(&self.folder())?;
        node::npm(&self.folder(), &["run", "build"])
    }

    /// Builds assets and program as they are for a server.
    pub(crate) fn build_for_release(&self) -> Result<(), String> {
        let built =
            self.build_assets()?.success && process::run(&mut self.cargo(&["build", "--release"]))?.success;
        if built { Ok(()) } else { Err("the app does not build; see above".into()) }
    }

    /// Where a build of the app ends up.
    pub(crate) fn binary(&self, profile: &str) -> PathBuf {
        self.target.join(profile).join(&self.name)
    }

    /// Serves the app that `cargo build` made.
    pub(crate) fn serve(&self, environment: &[(&str, &str)]) -> Result<Server, String> {
        let port = http::free_port()?;
        let mut command = program(self.binary("debug"));
        command.current_dir(self.folder()).args(["serve", "--port", &port.to_string()]);
        command.env("APP_URL", format!("http://localhost:{port}")).envs(environment.iter().copied());
        let mut program = Background::start(&mut command, &self.home.join("serve.log"))?;
        http::wait_for(&mut program, port, "/health", START_TIMEOUT, |answer| answer.status == 200)?;
        Ok(Server { program, port })
    }

    /// Starts `housekey dev` and returns at once, before the app is built.
    pub(crate) fn dev(&self) -> Result<Server, String> {
        let port = http::free_port()?;
        let mut command = program(&self.housekey);
        command.current_dir(self.folder()).args(["dev", "--port", &port.to_string()]);
        command.env("CARGO_TARGET_DIR", &self.target).env("APP_URL", format!("http://localhost:{port}"));
        Ok(Server { program: Background::start(&mut command, &self.home.join("dev.log"))?, port })
    }
}

impl Drop for App {
    fn drop(&mut self) {
        if self.is_kept {
            return;
        }
        if std::env::var_os("HOUSEKEY_KEEP").is_some() {
            ui::note(format_args!("kept: {}", self.folder().display()));
        } else {
            let _ = fs::remove_dir_all(&self.home);
        }
    }
}

/// A server on loopback that we started.
pub(crate) struct Server {
    pub(crate) program: Background,
    pub(crate) port: u16,
}

impl Server {
    pub(crate) fn url(&self) -> String {
        format!("http://localhost:{}", self.port)
    }

    /// Waits until a page pleases.
    pub(crate) fn wait_for(
        &mut self,
        path: &str,
        pleases: impl Fn(&Answer) -> bool,
    ) -> Result<Answer, String> {
        http::wait_for(&mut self.program, self.port, path, START_TIMEOUT, pleases)
    }
}

/// Lets the app itself be compiled in steps where nothing else is: it is built again after every change that a test makes to it.
/// Beside its folder and not in it, so that it stays as it was created.
fn build_in_steps(home: &Path, name: &str) -> Result<(), String> {
    let file = home.join(".cargo/config.toml");
    let write = || {
        fs::create_dir_all(home.join(".cargo"))?;
        fs::write(&file, format!("[profile.dev.package.{name}]\ncodegen-units = 256\nincremental = true\n"))
    };
    write().map_err(|error| format!("cannot write {}: {error}", file.display()))
}

/// Replaces text in a file; an error when it is not there, so that a kit cannot drift away from its test.
pub(crate) fn edit(file: &Path, from: &str, to: &str) -> Result<(), String> {
    let text =
        fs::read_to_string(file).map_err(|error| format!("cannot read {}: {error}", file.display()))?;
    if !text.contains(from) {
        return Err(format!(
            "{} does not contain `{from}`: the kit changed, change its test too",
            file.display()
        ));
    }
    fs::write(file, text.replacen(from, to, 1))
        .map_err(|error| format!("cannot write {}: {error}", file.display()))
}

/// Counts the distinct packages in `cargo tree --prefix none`: name and version, whatever follows.
fn crates(tree: &str) -> usize {
    let package = |line: &str| {
        let mut words = line.split_whitespace();
        Some(format!("{} {}", words.next()?, words.next()?))
    };
    tree.lines().filter_map(package).collect::<BTreeSet<_>>().len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_crate_counts_once_per_version() {
        let tree = "my-app v0.1.0 (/tmp/my-app)\nserde v1.0.0\nserde v1.0.0 (*)\nserde_derive v1.0.0 (proc-macro)\nsyn v1.0.0\nsyn v2.0.0\n\n";
        assert_eq!(crates(tree), 5);
    }

    #[test]
    fn an_edit_that_finds_nothing_is_an_error() {
        let file = tempfile::NamedTempFile::new().unwrap();
        fs::write(file.path(), "one two").unwrap();
        edit(file.path(), "two", "three").unwrap();
        assert_eq!(fs::read_to_string(file.path()).unwrap(), "one three");
        assert!(edit(file.path(), "four", "five").unwrap_err().contains("the kit changed"));
    }
}
