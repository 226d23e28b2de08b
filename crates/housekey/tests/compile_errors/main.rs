//! What the compiler says to somebody who writes an app. Every file in `mistakes/` is an app with one mistake, and says in
//! its `// says:` lines what must be in the message; whatever it is, it must speak of the crate that the app knows.
//!
//! The compiler is asked directly, with the library that this test was built with: a second build of everything, as
//! `trybuild` makes it, would take minutes.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::path::{Path, PathBuf};
use std::process::Command;

use housekey_test_support::run;

/// An app as it should be. It must compile although an app names no crate but ours.
const APP: &str = include_str!("app.rs");

// spec: DAT-1 (a misspelt column, a misspelt relation)
#[test]
fn a_mistake_in_an_app_is_explained_in_words_and_paths_that_the_app_knows() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("config")).unwrap();
    // Builds with other features may lie beside the one that this test was built with; theirs may miss parts.
    let complete = libraries().into_iter().find(|library| compile(folder.path(), library, APP).is_empty());
    let library = complete.expect("app.rs compiles with no build of housekey");

    let mut wrong = String::new();
    for file in mistakes() {
        let source = std::fs::read_to_string(&file).unwrap();
        let said = compile(folder.path(), &library, &format!("{APP}\n{source}"));
        let problems = problems(&source, &said);
        if !problems.is_empty() {
            wrong += &format!("== {}\n{}\n\n{said}\n", file.display(), problems.join("\n"));
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}

fn problems(source: &str, said: &str) -> Vec<String> {
    let expected: Vec<&str> = source.lines().filter_map(|line| line.strip_prefix("// says: ")).collect();
    let errors =
        said.lines().filter(|line| line.starts_with("error") && !line.starts_with("error: aborting")).count();
    let mut problems = Vec::new();
    if expected.is_empty() {
        problems.push("it has no `// says:` line".to_owned());
    }
    problems.extend(
        expected.iter().filter(|text| !said.contains(*text)).map(|text| format!("never said: {text}")),
    );
    // One mistake, one message, unless the file says otherwise.
    let most = source
        .lines()
        .find_map(|line| line.strip_prefix("// errors: "))
        .map_or(1, |most| most.parse().unwrap());
    if errors != most {
        problems.push(format!("{errors} errors instead of {most}"));
    }
    // Crates that an app does not name.
    let headlines: String = said.lines().filter(|line| line.starts_with("error")).collect();
    if said.contains("hypertext::") || headlines.contains("housekey_") || headlines.contains("axum") {
        problems.push("it speaks of a crate that the app does not know".to_owned());
    }
    problems
}

/// What the compiler says, without colours; nothing when it is content.
fn compile(folder: &Path, library: &Path, source: &str) -> String {
    std::fs::write(folder.join("app.rs"), source).unwrap();
    let mut rustc = Command::new("rustc");
    rustc
        .args([
            "app.rs",
            "--crate-name=app",
            "--crate-type=lib",
            "--edition=2024",
            "--emit=metadata",
            "--cap-lints=allow",
        ])
        .arg(format!("--extern=housekey={}", library.display()))
        .arg(format!("-Ldependency={}", built().display()))
        .envs([("CARGO_MANIFEST_DIR", folder.as_os_str()), ("CARGO_PKG_NAME", "app".as_ref())])
        .current_dir(folder);
    String::from_utf8_lossy(&run(&mut rustc).stderr).into_owned()
}

fn mistakes() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/compile_errors/mistakes");
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    assert!(!files.is_empty());
    files
}

/// The builds of this crate, the newest first.
fn libraries() -> Vec<PathBuf> {
    let files = std::fs::read_dir(built()).unwrap().filter_map(|entry| entry.ok().map(|entry| entry.path()));
    let is_ours = |file: &PathBuf| {
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        name.starts_with("libhousekey-") && name.ends_with(".rlib")
    };
    let mut libraries: Vec<PathBuf> = files.filter(is_ours).collect();
    libraries.sort_by_key(|file| std::cmp::Reverse(file.metadata().and_then(|about| about.modified()).ok()));
    libraries
}

/// The folder that this test was built into, and with it the libraries that it uses.
fn built() -> PathBuf {
    std::env::current_exe().unwrap().parent().unwrap().to_owned()
}
