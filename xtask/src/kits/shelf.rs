//! `examples/shelf`, the lending library that the guide's tutorial builds: what `create --kit=jsx` writes, and over it the
//! files that the tutorial adds or changes.

// The edits of an example are written as those of a layer are, so they are read by the same code.
#[path = "../../../crates/housekey-cli/src/layers/edit.rs"]
mod edit;

use std::fs;
use std::path::{Path, PathBuf};

use self::edit::Document;
use super::deployed::Deployed;
use super::{App, accounts};
use crate::count::Count;
use crate::services::Services;
use crate::suite::{Failure, Progress};
use crate::workspace::{Workspace, program};
use crate::{node, openapi, process, ui};

const FOLDER: &str = "examples/shelf";
const NAME: &str = "shelf";
/// Of the example, and not of the app.
const ABOUT: [&str; 2] = ["README.md", "laravel"];
/// Connections of `config/database.rs`, and what says where their server is.
const SERVERS: [(&str, &str); 2] =
    [("postgres", "HOUSEKEY_TEST_POSTGRES_URL"), ("mysql", "HOUSEKEY_TEST_MYSQL_URL")];

/// Writes the app into a folder, where it stays: `cargo xtask shelf ~/tmp`.
pub(crate) fn write(workspace: &Workspace, folder: &Path) -> Result<(), String> {
    let app = App::create_in(workspace, folder.to_owned(), "jsx", &[], NAME)?.keep();
    lay(&workspace.path(FOLDER), &app)?;
    ui::line(format_args!("cd {} && housekey dev", app.display()));
    Ok(())
}

// spec: DAT-6
pub(crate) fn test(workspace: &Workspace, progress: &mut Progress) {
    let create = || Ok((create(workspace)?, Count::ONE));
    let Some(app) = progress.step_with("shelf: create", create) else { return };
    progress.step("shelf: tables", || tables(&app));
    progress.step("shelf: lints", || app.lint());
    progress.step("shelf: formatting", || {
        let done = process::run(&mut app.cargo(&["fmt", "--check"]))?;
        if done.success {
            Ok(Count::ONE)
        } else {
            Err("`cargo fmt` would change the example; see above".into())
        }
    });
    progress.step("shelf: description of its API", || {
        openapi::validate(workspace, NAME, &accounts::console(&app, &["openapi"])?)
    });
    progress.step("shelf: its own tests", || app.test_targets(&[NAME.to_owned()]));
    progress.step("shelf: its tests on PostgreSQL and MariaDB", || on_servers(&app));
    progress.step("shelf: npm packages", || Ok(node::install(&app.folder()).map(|()| Count::ONE)?));
    for script in ["check", "build"] {
        progress.step(&format!("shelf: npm run {script}"), || accounts::npm_run(&app, script));
    }
    progress.step("shelf: in a browser, with servers, a bucket, a worker and a scheduler", || {
        let deployed = Deployed::start(workspace, &app, "shelf-covers")?;
        let count = browser(&app, &deployed.url())?;
        deployed.check()?;
        Ok(count)
    });
}

/// The whole app, in a temporary folder.
pub(crate) fn create(workspace: &Workspace) -> Result<App, String> {
    let app = App::create(workspace, "jsx", NAME)?;
    lay(&workspace.path(FOLDER), &app.folder())?;
    Ok(app)
}

/// The migrations that the example brings are those that its configuration asks for.
pub(crate) fn tables(app: &App) -> Result<Count, Failure> {
    accounts::build(app)?;
    accounts::console(app, &["migrate", "--seed"])?;
    let said = accounts::console(app, &["auth:schema", "--diff"])?;
    if !said.contains("already match") {
        return Err(format!(
            "the example's migrations lack something of its config/auth.rs; `auth:schema --diff` says:\n{said}"
        )
        .into());
    }
    Ok(Count { passed: 2, failed: 0 })
}

/// The same tests, each with a database of its own on a server.
fn on_servers(app: &App) -> Result<Count, Failure> {
    let services = Services::start()?;
    let mut count = Count::default();
    for (connection, variable) in SERVERS {
        let (_, url) =
            services.variables().find(|(name, _)| *name == variable).ok_or("the server is not there")?;
        let mut command = app.cargo(&["test", "--quiet", "--test", NAME]);
        command.env("DB_CONNECTION", connection).env("DATABASE_URL", url);
        count += Failure::unless_green(&process::run(&mut command)?, &format!("a test on {connection}"))?;
    }
    Ok(count)
}

/// In the app that runs at this address.
fn browser(app: &App, running: &str) -> Result<Count, Failure> {
    let mut command = program("node");
    command.current_dir(app.folder()).args([
        "--test",
        "--test-timeout=900000",
        "tests/browser/shelf.test.js",
    ]);
    command.env("CARGO_TARGET_DIR", app.target());
    command.env("BROWSER_TEST_URL", running);
    command.env("CHROMIUM", crate::provision::chromium().ok_or("chromium is gone")?);
    Failure::unless_green(&process::run_quietly(&mut command)?, "a browser test")
}

/// Lays the example's files over an app. A file of the kit is changed by an edit, never replaced.
fn lay(example: &Path, app: &Path) -> Result<(), String> {
    for file in files(example, example)? {
        let content = fs::read(example.join(&file))
            .map_err(|error| format!("cannot read {}: {error}", file.display()))?;
        let (path, content) = match file.extension() {
            Some(suffix) if suffix == "edit" => {
                let path = app.join(file.with_extension(""));
                let edited = edited(&path, &content).map_err(|why| format!("{}: {why}", file.display()))?;
                (path, edited)
            }
            _ => {
                // Those of the example would run nowhere.
                if file.starts_with("src") && String::from_utf8_lossy(&content).contains("test]") {
                    return Err(format!("{}: tests of the example belong below tests/", file.display()));
                }
                let path = app.join(&file);
                if path.exists() {
                    return Err(format!(
                        "the kit has a {0} already: change it with {0}.edit",
                        file.display()
                    ));
                }
                (path, content)
            }
        };
        let write = || {
            path.parent().map_or(Ok(()), fs::create_dir_all)?;
            fs::write(&path, content)
        };
        write().map_err(|error| format!("cannot write {}: {error}", path.display()))?;
    }
    Ok(())
}

fn edited(path: &Path, edits: &[u8]) -> Result<Vec<u8>, String> {
    let text =
        fs::read_to_string(path).map_err(|error| format!("cannot read {}: {error}", path.display()))?;
    let edits = str::from_utf8(edits).map_err(|error| error.to_string())?;
    let mut document = Document::read(&text);
    document.apply(edits)?;
    Ok(document.text().into_bytes())
}

/// Every file of the app below a folder, in order.
fn files(example: &Path, folder: &Path) -> Result<Vec<PathBuf>, String> {
    let entries =
        fs::read_dir(folder).map_err(|error| format!("cannot read {}: {error}", folder.display()))?;
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    let mut found = Vec::new();
    for path in paths {
        let Ok(relative) = path.strip_prefix(example) else { continue };
        if ABOUT.iter().any(|about| relative == Path::new(about)) {
            continue;
        }
        if path.is_dir() {
            found.extend(files(example, &path)?);
        } else {
            found.push(relative.to_owned());
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_added_and_edits_change_what_the_kit_has() {
        let (example, app) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        fs::create_dir_all(example.path().join("src")).unwrap();
        fs::write(example.path().join("README.md"), "about").unwrap();
        fs::write(example.path().join("src/new.rs"), "new\n").unwrap();
        fs::write(example.path().join("old.rs.edit"), "@after a\nb\n").unwrap();
        fs::write(app.path().join("old.rs"), "a\nz\n").unwrap();
        lay(example.path(), app.path()).unwrap();
        assert_eq!(fs::read_to_string(app.path().join("old.rs")).unwrap(), "a\nb\nz\n");
        assert_eq!(fs::read_to_string(app.path().join("src/new.rs")).unwrap(), "new\n");
        assert!(!app.path().join("README.md").exists());

        fs::write(example.path().join("old.rs"), "mine\n").unwrap();
        assert!(lay(example.path(), app.path()).unwrap_err().contains("old.rs.edit"));

        fs::remove_file(example.path().join("old.rs")).unwrap();
        fs::write(example.path().join("src/new.rs"), "#[test]\nfn nobody_runs_this() {}\n").unwrap();
        assert!(lay(example.path(), app.path()).unwrap_err().contains("below tests/"));
    }
}
