//! The app around the current folder.

use std::path::{Path, PathBuf};
use std::{env, fs, io};

use crate::failure::Failure;

/// A Housekey app on disk: a folder whose `Cargo.toml` depends on `housekey`.
#[derive(Debug, Clone)]
pub(crate) struct App {
    root: PathBuf,
}

impl App {
    /// The nearest app at or above the current folder.
    pub(crate) fn around_here() -> Result<Self, Failure> {
        let here = env::current_dir().map_err(|error| cannot_see("the current folder", &error))?;
        Self::around(&here).ok_or_else(|| {
            Failure::usage(format!("{} is not inside a Housekey app", here.display()))
                .help("Go to your app's folder first, or make one: housekey create my-app --kit=none")
        })
    }

    pub(crate) fn around(folder: &Path) -> Option<Self> {
        folder.ancestors().find(|folder| is_app(folder)).map(|folder| Self { root: folder.to_owned() })
    }

    pub(crate) fn at(root: PathBuf) -> Self {
        Self { root }
    }

    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    pub(crate) fn path(&self, below: &str) -> PathBuf {
        self.root.join(below)
    }

    /// Whether the app takes the framework with a cargo feature, as its manifest says.
    pub(crate) fn has_feature(&self, name: &str) -> bool {
        let manifest = fs::read_to_string(self.path("Cargo.toml")).unwrap_or_default();
        features_of_housekey(&manifest).any(|feature| feature == name)
    }

    /// A value as the app itself will see it: the process environment first, then `.env`.
    pub(crate) fn env(&self, name: &str) -> Option<String> {
        env::var(name)
            .ok()
            .or_else(|| fs::read_to_string(self.path(".env")).ok().and_then(|text| value_in(&text, name)))
    }
}

/// A folder counts as an app by its manifest: a dependency named `housekey`. Reading lines instead of parsing TOML
/// is enough, since a false positive only means that cargo answers instead of us.
fn is_app(folder: &Path) -> bool {
    let Ok(manifest) = fs::read_to_string(folder.join("Cargo.toml")) else { return false };
    let mut in_dependencies = false;
    manifest.lines().map(str::trim).any(|line| {
        if line.starts_with('[') {
            in_dependencies = line == "[dependencies]";
            return line == "[dependencies.housekey]";
        }
        in_dependencies
            && line.strip_prefix("housekey").is_some_and(|rest| rest.trim_start().starts_with(['=', '.']))
    })
}

/// The quoted words of the list of features, on one line or several. An app may name the framework twice, for its
/// tests too: what those need is of no concern here.
fn features_of_housekey(manifest: &str) -> impl Iterator<Item = &str> {
    let dependencies = manifest.split_once("[dependencies").map_or("", |(_, rest)| rest);
    let housekey = dependencies.split("\n[").next().unwrap_or_default();
    let entry = housekey.split_once("housekey").map_or("", |(_, entry)| entry);
    let list = entry.split_once("features").and_then(|(_, list)| list.split_once('[')?.1.split_once(']'));
    list.map_or("", |(list, _)| list).split('"').skip(1).step_by(2)
}

/// One plain `NAME=value` line. The app's own loader knows more (quotes inside quotes, expansion); an address and a
/// port need no more than this.
fn value_in(text: &str, name: &str) -> Option<String> {
    text.lines().find_map(|line| {
        let line = line.trim();
        let (key, value) = line.strip_prefix("export ").unwrap_or(line).split_once('=')?;
        let value = value.split(" #").next().unwrap_or(value).trim().trim_matches(['"', '\'']);
        (key.trim() == name && !value.is_empty()).then(|| value.to_owned())
    })
}

pub(crate) fn cannot_see(what: &str, error: &io::Error) -> Failure {
    Failure::failed(format!("{what} cannot be read: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder_with_manifest(manifest: &str) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("Cargo.toml"), manifest).unwrap();
        folder
    }

    #[test]
    fn an_app_is_found_from_a_folder_inside_it() {
        let folder = folder_with_manifest("[dependencies]\nhousekey = \"0.1\"\n");
        let inside = folder.path().join("src/routes");
        fs::create_dir_all(&inside).unwrap();

        assert_eq!(App::around(&inside).unwrap().root(), folder.path());
    }

    #[test]
    fn another_cargo_project_is_no_app() {
        for manifest in [
            "[dependencies]\naxum = \"0.8\"\n",
            "[dependencies]\nhousekey-http = \"0.1\"\n",
            "[workspace.dependencies]\nhousekey = \"0.1\"\n",
            "not toml at all",
        ] {
            assert!(App::around(folder_with_manifest(manifest).path()).is_none(), "{manifest}");
        }
    }

    #[test]
    fn a_table_of_its_own_counts_as_a_dependency() {
        let folder = folder_with_manifest("[dependencies.housekey]\nversion = \"0.1\"\n");
        assert!(App::around(folder.path()).is_some());
    }

    #[test]
    fn features_are_read_on_one_line_or_several() {
        let names = |manifest: &str| features_of_housekey(manifest).map(str::to_owned).collect::<Vec<_>>();
        let one = "[dependencies]\nhousekey = { path = \"x\", features = [\"auth\", \"types\"] }\n";
        assert_eq!(names(one), ["auth", "types"]);
        let several = "[dependencies]\ntime = \"0.3\"\nhousekey = { version = \"1\", features = [\n  \"types\",\n] }\n\n[lints]\n";
        assert_eq!(names(several), ["types"]);
        let table = "[dependencies.housekey]\nversion = \"1\"\nfeatures = [\"types\"]\n[lints]\n";
        assert_eq!(names(table), ["types"]);
        let for_tests = "[dependencies]\nhousekey = \"1\"\n\n[dev-dependencies]\nhousekey = { version = \"1\", features = [\"testing\"] }\n";
        assert!(names(for_tests).is_empty());
        assert!(names("").is_empty());
    }

    #[test]
    fn env_lines_are_read_without_quotes_and_comments() {
        let text = "# PORT=1\nPORT_X=2\nexport PORT = \"8080\" # mine\nAPP_URL=\n";
        assert_eq!(value_in(text, "PORT").as_deref(), Some("8080"));
        assert_eq!(value_in(text, "APP_URL"), None);
    }
}
