//! What the compiler says to somebody who writes an app: it must speak of the crate that they know.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::path::{Path, PathBuf};
use std::process::Command;

/// An app with a mistake in its last line. The view is none: it must compile although an app names no crate but ours.
const APP: &str = r#"
    housekey::config!();

    use housekey::prelude::*;

    pub fn page() -> impl Renderable {
        rsx! { <p class="greeting">"Hello"</p> }
    }

    pub fn mistake() -> housekey::Error { 7 }
"#;

#[test]
fn a_mistake_in_an_app_is_explained_in_paths_that_begin_with_housekey() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("config")).unwrap();
    std::fs::write(folder.path().join("app.rs"), APP).unwrap();
    // Builds with other features may lie beside the one that this test was built with; theirs may miss parts.
    let mut said = libraries().into_iter().map(|library| compile(folder.path(), &library));
    let said = said.find(|said| said.contains("E0308")).expect("no build of housekey is complete");
    assert!(said.contains("housekey::Error"), "{said}");
    assert!(!said.contains("hypertext"), "{said}");
    assert_eq!(said.matches("error[").count(), 1, "{said}");
}

fn compile(folder: &Path, library: &Path) -> String {
    let output = Command::new("rustc")
        .args(["app.rs", "--crate-name=app", "--crate-type=lib", "--edition=2024", "--emit=metadata"])
        .arg(format!("--extern=housekey={}", library.display()))
        .arg(format!("-Ldependency={}", built().display()))
        .env("CARGO_MANIFEST_DIR", folder)
        .current_dir(folder)
        .output()
        .unwrap();
    String::from_utf8_lossy(&output.stderr).into_owned()
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
