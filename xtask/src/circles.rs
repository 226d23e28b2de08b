//! Imports inside a crate: a circle of files must not span two of its top-level modules, for then neither can be read or
//! changed without the other.
//!
//! Files are compared by the paths in their text: `use crate::…`, `use super::…`, and such paths in the middle of the code.
//! A name that `lib.rs` or a `mod.rs` only hands on leads to the file that has it. Tests do not count, and a module may
//! know its own children and they it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use crate::workspace::Workspace;

/// Where a file stands in its crate: `["dev", "watch"]`; `lib.rs` is `[]`.
type Module = Vec<String>;

/// The files of a crate, without comments and tests.
type Files = BTreeMap<Module, Source>;

struct Source {
    path: PathBuf,
    text: String,
}

/// Which files each file uses.
type Arrows<'a> = BTreeMap<&'a Module, BTreeSet<&'a Module>>;

/// How many crates have no such circle.
pub(crate) fn check(workspace: &Workspace) -> Result<usize, String> {
    let mut free = 0;
    for folder in entries(&workspace.path("crates"))? {
        let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let files = read(&folder.join("src"))?;
        if let Some(circle) = circle_across(&files) {
            return Err(format!(
                "crates/{name}: these files import each other in a circle, across top-level modules:\n{}\n  \
                 Data flows one way here. Move what two of them share into a file that uses neither, or move an `impl` to the \
                 side that may know the other.",
                told(&circle, &files)
            ));
        }
        free += 1;
    }
    Ok(free)
}

/// A circle that spans two top-level modules, as the arrows between its files.
fn circle_across(files: &Files) -> Option<Arrows<'_>> {
    let arrows = arrows(files);
    let reached: Arrows<'_> = arrows.keys().map(|from| (*from, reached(from, &arrows))).collect();
    arrows.keys().find_map(|one| {
        let circle: BTreeSet<&Module> =
            reached[one].iter().copied().filter(|other| reached[other].contains(one)).collect();
        let tops: BTreeSet<&String> = circle.iter().filter_map(|module| module.first()).collect();
        let within = |from: &Module| arrows[from].intersection(&circle).copied().collect();
        (tops.len() > 1).then(|| circle.iter().map(|from| (*from, within(from))).collect())
    })
}

fn reached<'a>(from: &Module, arrows: &Arrows<'a>) -> BTreeSet<&'a Module> {
    let mut reached = BTreeSet::new();
    let mut next: Vec<&'a Module> = arrows[from].iter().copied().collect();
    while let Some(module) = next.pop() {
        if reached.insert(module) {
            next.extend(&arrows[module]);
        }
    }
    reached
}

fn arrows(files: &Files) -> Arrows<'_> {
    let handed_on: BTreeMap<Module, Module> =
        files.iter().flat_map(|(module, source)| handed_on(module, &source.text)).collect();
    let mut arrows = Arrows::new();
    for (from, source) in files {
        let used = used(from, &source.text).into_iter().filter_map(|path| resolve(path, files, &handed_on));
        let family = |to: &Module| to.starts_with(from) || from.starts_with(to);
        arrows.insert(from, used.filter(|to| !family(to)).collect());
    }
    arrows
}

/// The file that has what a path names.
fn resolve<'a>(
    mut path: Module,
    files: &'a Files,
    handed_on: &BTreeMap<Module, Module>,
) -> Option<&'a Module> {
    // Names are handed on a few times at most; two modules that hand on to each other must not keep us here.
    for _ in 0..6 {
        let depth = (0..=path.len()).rev().find(|depth| files.contains_key(&path[..*depth]))?;
        match path.get(..=depth).and_then(|name| handed_on.get(name)) {
            Some(real) => path.splice(..=depth, real.iter().cloned()).for_each(drop),
            None => return files.get_key_value(&path[..depth]).map(|(module, _)| module),
        }
    }
    None
}

/// The paths that begin with `crate` or `super`, seen from the root of the crate.
fn used(module: &Module, text: &str) -> Vec<Module> {
    let tokens = tokens(text);
    let mut paths = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        if matches!(tokens[at], "crate" | "super") {
            let mut found = Vec::new();
            at = read_path(&tokens, at, &[], &mut found);
            paths.extend(found.iter().map(|import| import.absolute(module)));
        } else {
            at += 1;
        }
    }
    paths
}

/// What the module offers under a name of its own, and where that is: `pub use job::Job` and the like.
fn handed_on(module: &Module, text: &str) -> Vec<(Module, Module)> {
    let tokens = tokens(text);
    let mut found = Vec::new();
    for at in 0..tokens.len() {
        let start = match &tokens[at..] {
            ["pub", "use", ..] => at + 2,
            ["pub", "(", _, ")", "use", ..] => at + 5,
            _ => continue,
        };
        read_path(&tokens, start, &[], &mut found);
    }
    let below = |names: &[&str]| -> Module {
        module.iter().cloned().chain(names.iter().map(|name| (*name).to_owned())).collect()
    };
    let mut offered = Vec::new();
    for Import { path, name } in &found {
        let path = path.strip_prefix(&["self"]).unwrap_or(path);
        if path.len() > 1 && !matches!(path[0], "crate" | "super") {
            offered.push((below(&[name]), below(path)));
        }
    }
    offered
}

/// One name out of a path or a `use`.
struct Import<'a> {
    path: Vec<&'a str>,
    /// What it is called here: the last of the path, or what stands behind `as`.
    name: &'a str,
}

impl Import<'_> {
    /// Seen from the root of the crate.
    fn absolute(&self, module: &Module) -> Module {
        let ups = self.path.iter().take_while(|name| **name == "super").count();
        let base = if ups == 0 { &[][..] } else { &module[..module.len().saturating_sub(ups)] };
        let names = self.path.iter().filter(|name| !matches!(**name, "crate" | "super" | "self"));
        base.iter().cloned().chain(names.map(|name| (*name).to_owned())).collect()
    }
}

/// Reads `a::b`, `a::{b, c::d as e}` and the like from here on; the answer is where it ends.
fn read_path<'a>(
    tokens: &[&'a str],
    mut at: usize,
    before: &[&'a str],
    found: &mut Vec<Import<'a>>,
) -> usize {
    let mut path = before.to_vec();
    while let Some(&token) = tokens.get(at) {
        if token == "{" {
            while tokens.get(at).is_some_and(|token| *token != "}") {
                at = read_path(tokens, at + 1, &path, found);
                // Over a `*`, and whatever a macro has put here.
                while tokens.get(at).is_some_and(|token| !matches!(*token, "," | "}")) {
                    at += 1;
                }
            }
            return at + 1;
        }
        if !is_name(token) {
            break;
        }
        path.push(token);
        at += 1;
        if tokens.get(at) != Some(&"::") {
            break;
        }
        at += 1;
    }
    let alias = if tokens.get(at) == Some(&"as") { tokens.get(at + 1) } else { None };
    // Nothing follows the last comma of a group.
    if path.len() > before.len()
        && let Some(name) = alias.or(path.last()).copied()
    {
        found.push(Import { name, path });
    }
    at
}

fn tokens(text: &str) -> Vec<&str> {
    let mut tokens = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let end = if rest.starts_with("::") {
            2
        } else if first == '_' || first.is_alphanumeric() {
            rest.find(|next: char| next != '_' && !next.is_alphanumeric()).unwrap_or(rest.len())
        } else {
            first.len_utf8()
        };
        tokens.push(&rest[..end]);
        rest = rest[end..].trim_start();
    }
    tokens
}

fn is_name(token: &str) -> bool {
    token.starts_with(|first: char| first == '_' || first.is_alphanumeric())
}

fn told(circle: &Arrows<'_>, files: &Files) -> String {
    let path = |module: &Module| files[module].path.display().to_string();
    let lines = circle.iter().map(|(from, used)| {
        let used: Vec<String> = used.iter().map(|to| path(to)).collect();
        format!("    {} uses {}", path(from), used.join(", "))
    });
    lines.collect::<Vec<_>>().join("\n")
}

fn read(src: &Path) -> Result<Files, String> {
    let mut files = Files::new();
    let mut next = vec![src.to_owned()];
    while let Some(path) = next.pop() {
        if path.is_dir() {
            next.extend(entries(&path)?);
            continue;
        }
        let inside = path.strip_prefix(src).unwrap_or(&path);
        if let Some(module) = module(inside) {
            let text = fs::read_to_string(&path)
                .map_err(|error| format!("cannot read {}: {error}", path.display()))?;
            files.insert(module, Source { path: Path::new("src").join(inside), text: code(&text) });
        }
    }
    Ok(files)
}

/// What lies in a folder, in order.
fn entries(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let tell = |error| format!("cannot read {}: {error}", folder.display());
    let listed = fs::read_dir(folder).map_err(tell)?;
    let mut found =
        listed.map(|entry| Ok(entry.map_err(tell)?.path())).collect::<Result<Vec<_>, String>>()?;
    found.sort();
    Ok(found)
}

/// `None` for what is not part of the library.
fn module(path: &Path) -> Option<Module> {
    let stem = path.to_str()?.strip_suffix(".rs")?;
    let mut module: Module = stem.split(['/', '\\']).map(str::to_owned).collect();
    if module == ["main"] || module.iter().any(|name| name == "tests") {
        return None;
    }
    if matches!(module.last()?.as_str(), "mod" | "lib") {
        module.pop();
    }
    Some(module)
}

/// The text without comments, and up to its tests.
fn code(text: &str) -> String {
    let lines = text.lines().map(|line| line.split_once("//").map_or(line, |(code, _)| code));
    let text = lines.collect::<Vec<_>>().join("\n");
    let tests = ["#[cfg(test)]\nmod", "#[cfg(all(test"].iter().filter_map(|mark| text.find(mark)).min();
    text[..tests.unwrap_or(text.len())].to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn crate_of(files: &[(&str, &str)]) -> Files {
        let files = files.iter().filter_map(|(path, text)| {
            Some((module(Path::new(path))?, Source { path: PathBuf::from(path), text: code(text) }))
        });
        files.collect()
    }

    #[test]
    fn a_circle_across_modules_is_seen_through_names_that_are_handed_on() {
        let files = crate_of(&[
            (
                "lib.rs",
                "mod job;\nmod queue;\nmod id;\npub use id::JobId;\npub use job::Job;\npub use queue::Queue;\n",
            ),
            ("id.rs", "pub struct JobId;\n"),
            ("job.rs", "use crate::{JobId, Queue};\n"),
            ("queue/mod.rs", "mod push;\nmod inner;\npub use push::Push as Queue;\n"),
            ("queue/inner.rs", "use super::Queue;\n"),
            ("queue/push.rs", "fn push(id: crate::JobId) -> crate::Job { todo!() }\n"),
        ]);
        let circle = circle_across(&files).unwrap();
        assert_eq!(told(&circle, &files), "    job.rs uses queue/push.rs\n    queue/push.rs uses job.rs");
    }

    #[test]
    fn arrows_that_lead_one_way_are_no_circle() {
        let files = crate_of(&[
            ("lib.rs", "mod app;\nmod dev;\nmod ui;\npub(crate) use ui::{Colour, Line};\n"),
            ("main.rs", "use crate::dev;\n"),
            ("ui.rs", "pub struct Colour;\n"),
            (
                "app.rs",
                "// use crate::dev;\nuse crate::ui;\n#[cfg(test)]\nmod tests {\n    use crate::dev::Session;\n}\n",
            ),
            ("dev/mod.rs", "mod session;\nmod watch;\nuse self::session::Session;\nuse crate::Colour;\n"),
            // Inside one module two files may know each other.
            ("dev/session.rs", "use super::super::app;\nuse super::watch::{self, Watch};\n"),
            ("dev/watch.rs", "use super::session::Event;\nuse crate::{Line, app::*};\n"),
        ]);
        assert!(circle_across(&files).is_none());
        let arrows = arrows(&files);
        let told: Vec<String> = arrows.iter().map(|(from, to)| format!("{from:?} {to:?}")).collect();
        assert_eq!(
            told,
            [
                r#"[] {}"#,
                r#"["app"] {["ui"]}"#,
                r#"["dev"] {["ui"]}"#,
                r#"["dev", "session"] {["app"], ["dev", "watch"]}"#,
                r#"["dev", "watch"] {["app"], ["dev", "session"], ["ui"]}"#,
                r#"["ui"] {}"#,
            ]
        );
    }
}
