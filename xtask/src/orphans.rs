//! Files below `src` that no `mod` declares. The compiler never sees them, so they stay behind when the living ones change,
//! and whoever finds one by its name reads what is not so. Likewise files of tests in a crate that names its test programs
//! itself: what none of them declares never runs.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Component, Path, PathBuf};

use crate::workspace::Workspace;

/// The text of every file, by its path from the root of the repository.
type Files = BTreeMap<PathBuf, String>;

/// How many files there are, if each is part of its crate.
pub(crate) fn check(workspace: &Workspace) -> Result<usize, String> {
    let mut files = Files::new();
    for file in workspace.files()? {
        let rust = file.extension().is_some_and(|suffix| suffix == "rs");
        let manifest = file.file_name().is_some_and(|name| name == "Cargo.toml");
        if (rust || manifest) && (file.starts_with("crates") || file.starts_with("xtask")) {
            let text = fs::read_to_string(workspace.root().join(&file))
                .map_err(|error| format!("cannot read {}: {error}", file.display()))?;
            files.insert(file, text);
        }
    }
    let orphans = orphans(&files);
    if !orphans.is_empty() {
        let listed: Vec<String> = orphans.iter().map(|file| format!("    {}", file.display())).collect();
        return Err(format!(
            "no `mod` declares these files, so no build sees them:\n{}\n  Declare them beside their neighbours, or delete them.",
            listed.join("\n")
        ));
    }
    Ok(files.keys().filter(|file| inside_source(file).is_some()).count())
}

/// The files below a `src` that cannot be reached from the root of a library or a program.
fn orphans(files: &Files) -> Vec<&Path> {
    let mut reached = BTreeSet::new();
    let sources = files.keys().filter(|file| inside_source(file).is_some_and(is_root)).cloned();
    let crates: Vec<(&Path, &str)> =
        files.iter().filter_map(|(file, text)| names_its_tests(file, text)).collect();
    let tests = crates.iter().flat_map(|(crate_, manifest)| test_programs(crate_, manifest));
    let mut next: Vec<(PathBuf, PathBuf)> =
        sources.chain(tests).map(|root| (root.clone(), folder(&root))).collect();
    while let Some((file, children)) = next.pop() {
        if let Some(text) = files.get(&file)
            && reached.insert(file.clone())
        {
            next.extend(named(text, &folder(&file), &children));
        }
    }
    let is_test = |file: &Path, text: &str| {
        crates.iter().any(|(crate_, _)| file.starts_with(crate_.join("tests"))) && text.contains("test]\n")
    };
    let ours = files.iter().filter(|(file, text)| inside_source(file).is_some() || is_test(file, text));
    ours.filter(|(file, _)| !reached.contains(*file)).map(|(file, _)| file.as_path()).collect()
}

/// The folder of a crate and its manifest, if cargo does not look for test programs in it.
fn names_its_tests<'a>(file: &'a Path, text: &'a str) -> Option<(&'a Path, &'a str)> {
    let is_so = file.file_name()? == "Cargo.toml" && text.lines().any(|line| line == "autotests = false");
    is_so.then_some((file.parent()?, text))
}

/// Where the programs can begin that a manifest names below `[[test]]`.
fn test_programs(crate_: &Path, manifest: &str) -> Vec<PathBuf> {
    let named = manifest.split("[[test]]").skip(1).filter_map(|entry| quoted(entry.split_once("name")?.1));
    named
        .flat_map(|name| [format!("tests/{name}.rs"), format!("tests/{name}/main.rs")])
        .map(|file| crate_.join(file))
        .collect()
}

/// Behind `crates/<name>/src` or `xtask/src`.
fn inside_source(file: &Path) -> Option<&Path> {
    let depth = if file.starts_with("crates") { 2 } else { 1 };
    let mut parts = file.components();
    parts.by_ref().take(depth).for_each(drop);
    parts.as_path().strip_prefix("src").ok()
}

fn is_root(inside: &Path) -> bool {
    let parts: Vec<_> = inside.iter().filter_map(|part| part.to_str()).collect();
    matches!(parts.as_slice(), ["lib.rs" | "main.rs"] | ["bin", _] | ["bin", _, "main.rs"])
}

/// The files that a text names, if they exist, each with the folder in which its own modules are looked for.
fn named(text: &str, here: &Path, children: &Path) -> Vec<(PathBuf, PathBuf)> {
    let mut found = Vec::new();
    let mut path = None;
    for line in text.lines() {
        let line = line.trim_start();
        if let Some(attribute) = line.strip_prefix("#[path") {
            path = quoted(attribute);
        } else if let Some(name) = declared(line) {
            if let Some(path) = path.take() {
                let file = join(here, path);
                found.push((file.clone(), folder(&file)));
            } else {
                let own = children.join(name);
                found.push((children.join(format!("{name}.rs")), own.clone()));
                found.push((own.join("mod.rs"), own));
            }
        } else if !line.starts_with("//") {
            let included = line.split_once("include").and_then(|(_, rest)| quoted(rest));
            if let Some(path) = included.filter(|path| path.ends_with(".rs")) {
                let file = join(here, path);
                found.push((file.clone(), folder(&file)));
            }
        }
    }
    found
}

/// `name` of `mod name;`, `pub mod name;` and `pub(crate) mod name;`.
fn declared(line: &str) -> Option<&str> {
    let (before, rest) = line.split_once("mod ")?;
    let visibility = before.trim_end();
    let (name, _) = rest.split_once(';')?;
    let plain = name.chars().all(|letter| letter == '_' || letter.is_alphanumeric());
    (plain && (visibility.is_empty() || visibility == "pub" || visibility.starts_with("pub(")))
        .then_some(name)
}

fn quoted(text: &str) -> Option<&str> {
    text.split('"').nth(1)
}

fn folder(file: &Path) -> PathBuf {
    file.parent().unwrap_or(file).to_owned()
}

/// Without `..`, so that it is the path that git says.
fn join(folder: &Path, path: &str) -> PathBuf {
    let mut joined = folder.to_owned();
    for part in Path::new(path).components() {
        match part {
            Component::ParentDir => {
                joined.pop();
            }
            Component::CurDir => {}
            part => joined.push(part),
        }
    }
    joined
}

#[cfg(test)]
mod tests {
    use super::*;

    fn orphans_of(files: &[(&str, &str)]) -> Vec<String> {
        let files = files.iter().map(|(path, text)| (PathBuf::from(path), (*text).to_owned())).collect();
        orphans(&files).iter().map(|file| file.display().to_string()).collect()
    }

    #[test]
    fn a_file_that_no_module_declares_is_an_orphan_and_so_are_its_children() {
        let orphans = orphans_of(&[
            ("crates/http/src/lib.rs", "mod client;\n// mod said;\n"),
            ("crates/http/src/said.rs", ""),
            ("crates/http/src/client/mod.rs", "mod tls;\nuse http::address;\n"),
            ("crates/http/src/client/tls.rs", ""),
            ("crates/http/src/client/address.rs", "mod parts;\n"),
            ("crates/http/src/client/address/parts.rs", ""),
            // Another crate's declaration is not this one's.
            ("crates/url/src/lib.rs", "mod said;\nmod client;\n"),
            ("crates/url/src/client.rs", ""),
            ("xtask/src/main.rs", "mod bench;\n"),
            ("xtask/src/bench.rs", ""),
            ("xtask/src/old.rs", ""),
        ]);
        assert_eq!(
            orphans,
            [
                "crates/http/src/client/address/parts.rs",
                "crates/http/src/client/address.rs",
                "crates/http/src/said.rs",
                "xtask/src/old.rs",
            ]
        );
    }

    #[test]
    fn where_a_crate_names_its_test_programs_a_test_of_none_is_an_orphan() {
        let named = "[package]\nautotests = false\n\n[[test]]\nname = \"suite\"\n\n[[test]]\nname = \"apart\"\npath = \"tests/apart/main.rs\"\n";
        let orphans = orphans_of(&[
            ("crates/http/Cargo.toml", named),
            ("crates/http/tests/suite.rs", "mod cookies;\n"),
            ("crates/http/tests/cookies.rs", "#[test]\nfn runs() {}\n"),
            ("crates/http/tests/forgotten.rs", "#[tokio::test]\nasync fn never_runs() {}\n"),
            ("crates/http/tests/apart/main.rs", "#[test]\nfn runs() {}\n"),
            ("crates/http/tests/made.rs", "// Read by a test, and none itself.\n"),
            ("crates/url/Cargo.toml", "[package]\n"),
            ("crates/url/tests/alone.rs", "#[test]\nfn runs() {}\n"),
        ]);
        assert_eq!(orphans, ["crates/http/tests/forgotten.rs"]);
    }

    #[test]
    fn files_are_reached_in_every_way_that_the_compiler_knows() {
        let orphans = orphans_of(&[
            (
                "crates/cli/src/lib.rs",
                "pub mod a;\n#[cfg(test)]\n#[path = \"../tests/help.rs\"]\nmod help;\n",
            ),
            // Beside a file that is not called `mod.rs`, its modules are in a folder of its name.
            ("crates/cli/src/a.rs", "pub(crate) mod b;\n#[cfg(test)]\nmod tests;\n"),
            (
                "crates/cli/src/a/b.rs",
                "const TEXT: &str = include_str!(\"../seed.rs\");\ninclude!(\"made.rs\");\n",
            ),
            ("crates/cli/src/a/made.rs", ""),
            ("crates/cli/src/a/tests.rs", ""),
            ("crates/cli/src/seed.rs", ""),
            ("crates/cli/tests/help.rs", "#[path = \"../src/shared/mod.rs\"]\nmod shared;\n"),
            ("crates/cli/src/shared/mod.rs", "mod inner;\n"),
            ("crates/cli/src/shared/inner.rs", ""),
            ("crates/cli/src/main.rs", ""),
            ("crates/cli/src/bin/one.rs", ""),
            ("crates/cli/src/bin/two/main.rs", "mod part;\n"),
            ("crates/cli/src/bin/two/part.rs", ""),
            // What is not below `src` belongs to cargo.
            ("crates/cli/build.rs", ""),
            ("crates/cli/tests/alone.rs", ""),
        ]);
        assert!(orphans.is_empty(), "{orphans:?}");
    }
}
