//! Makes a new file known to its parent: the `mod` line, in its sorted place.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use housekey_core::Result;

use crate::Problem;

/// Declares every module on the way from the crate's root to `src/<path…>.rs` that is not declared yet, and
/// answers the files it changed.
pub(crate) fn declare(source: &Path, path: &[&str]) -> Result<Vec<PathBuf>> {
    let mut parent = crate_root(source)?;
    let mut folder = source.to_owned();
    let mut inline: Vec<&str> = Vec::new();
    let mut edits = Vec::new();

    for (depth, name) in path.iter().enumerate() {
        let text = read_or_empty(&parent)?;
        let last = depth + 1 == path.len();
        if !last && block(&text, &inline_and(&inline, name)).is_some() {
            inline.push(name);
            folder.push(name);
            continue;
        }
        if let Some(edited) = with_module(&text, &inline, name) {
            edits.push((parent.clone(), edited));
        }
        inline.clear();
        folder.push(name);
        parent = module_file(&folder);
    }
    // The innermost first: should one fail, nothing that is part of the build names a missing file.
    for (path, text) in edits.iter().rev() {
        fs::write(path, text)
            .map_err(|error| Problem::new(format!("cannot write {}: {error}", path.display())))?;
    }
    Ok(edits.into_iter().map(|(path, _)| path).collect())
}

fn crate_root(source: &Path) -> Result<PathBuf> {
    let found = ["lib.rs", "main.rs"].map(|name| source.join(name)).into_iter().find(|path| path.is_file());
    found.ok_or_else(|| {
        Problem::new(format!("there is neither lib.rs nor main.rs in {}", source.display()))
            .remedy("Run this in the root of a Housekey app.")
            .into()
    })
}

/// Where the module of this folder is written: `x.rs` beside it if that is the app's way, else `x/mod.rs`.
fn module_file(folder: &Path) -> PathBuf {
    let beside = folder.with_extension("rs");
    if beside.is_file() { beside } else { folder.join("mod.rs") }
}

fn read_or_empty(path: &Path) -> Result<String> {
    match fs::read_to_string(path) {
        Ok(text) => Ok(text),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(String::new()),
        Err(error) => Err(Problem::new(format!("cannot read {}: {error}", path.display())).into()),
    }
}

fn inline_and<'a>(inline: &[&'a str], name: &'a str) -> Vec<&'a str> {
    inline.iter().copied().chain([name]).collect()
}

/// `text` with `pub mod name;` added inside the inline module `inside`; `None` when it is there already.
fn with_module(text: &str, inside: &[&str], name: &str) -> Option<String> {
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let (first, end) = block(text, inside).unwrap_or((0, lines.len()));
    let body = &lines[first..end];
    let indent = "    ".repeat(inside.len());

    let mut place = None;
    let mut last = None;
    let mut depth = 0_i32;
    for (at, line) in body.iter().enumerate() {
        if depth == 0
            && let Some(declared) = declared_name(line)
        {
            if declared == name {
                return None;
            }
            if declared > name && place.is_none() {
                place = Some(first + above_attributes(body, at));
            }
            last = Some(first + at + 1);
        }
        depth += braces(line);
    }
    // A module that opens a block ends where the block ends; the new line goes after it.
    let place = place.or(last.map(|at| after_block(&lines, at))).unwrap_or_else(|| first + preamble(body));

    let newline = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let mut edited: String = lines[..place].concat();
    if !edited.is_empty() && !edited.ends_with('\n') {
        edited.push_str(newline);
    }
    let none_yet = last.is_none();
    if none_yet && place > first && !lines[place - 1].trim().is_empty() {
        edited.push_str(newline);
    }
    edited.push_str(&format!("{indent}pub mod {name};{newline}"));
    let rest = lines[place..].concat();
    if none_yet && !rest.trim().is_empty() && place < end && !rest.starts_with(['\n', '\r']) {
        edited.push_str(newline);
    }
    Some(edited + &rest)
}

/// The lines between the braces of `pub mod a { pub mod b { … } }` for `["a", "b"]`.
fn block(text: &str, path: &[&str]) -> Option<(usize, usize)> {
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let (mut first, mut end) = (0, lines.len());
    for name in path {
        let mut depth = 0;
        let opening = (first..end).find(|at| {
            let here = depth == 0 && declared_name(lines[*at]) == Some(name) && lines[*at].contains('{');
            depth += braces(lines[*at]);
            here
        })?;
        let mut depth = 0;
        let closing = (opening..end).find(|at| {
            depth += braces(lines[*at]);
            depth <= 0
        })?;
        if closing == opening {
            return None;
        }
        (first, end) = (opening + 1, closing);
    }
    Some((first, end))
}

/// The name in `mod x;`, `pub mod x;`, `pub(crate) mod x {`.
fn declared_name(line: &str) -> Option<&str> {
    let mut rest = line.trim_start();
    if let Some(public) = rest.strip_prefix("pub") {
        rest = match public.strip_prefix('(') {
            Some(scope) => scope.split_once(')')?.1,
            None => public,
        }
        .trim_start();
    }
    let name = rest.strip_prefix("mod ")?.trim_start();
    let end = name.find(|letter: char| !letter.is_alphanumeric() && letter != '_')?;
    matches!(name[end..].trim_start().chars().next(), Some(';' | '{')).then_some(&name[..end])
}

/// The first of the attribute and doc lines that belong to the item at `at`.
fn above_attributes(body: &[&str], at: usize) -> usize {
    let attached = body[..at].iter().rev().take_while(|line| {
        let line = line.trim_start();
        line.starts_with("#[") || line.starts_with("///")
    });
    at - attached.count()
}

fn after_block(lines: &[&str], after: usize) -> usize {
    let mut depth = braces(lines[after - 1]);
    let mut at = after;
    while depth > 0 && at < lines.len() {
        depth += braces(lines[at]);
        at += 1;
    }
    at
}

/// How many lines at the top must stay there: inner docs, inner attributes and the comments among them.
fn preamble(body: &[&str]) -> usize {
    let inner = |line: &&str| {
        let line = line.trim_start();
        line.starts_with("//!") || line.starts_with("#![")
    };
    body.iter().rposition(inner).map_or(0, |last| last + 1)
}

fn braces(line: &str) -> i32 {
    let code = line.split("//").next().unwrap_or(line);
    code.chars().map(|letter| i32::from(letter == '{') - i32::from(letter == '}')).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn adding(name: &str, text: &str, expected: &str) {
        assert_eq!(with_module(text, &[], name).as_deref(), Some(expected));
    }

    #[test]
    fn the_line_takes_its_sorted_place() {
        adding("b", "pub mod a;\npub mod c;\n", "pub mod a;\npub mod b;\npub mod c;\n");
        adding("a", "pub mod b;\n", "pub mod a;\npub mod b;\n");
        adding("z", "pub mod b;\n\nuse x;\n", "pub mod b;\npub mod z;\n\nuse x;\n");
        adding("z", "pub mod b;", "pub mod b;\npub mod z;\n");
    }

    #[test]
    fn docs_and_attributes_stay_with_their_module() {
        let text = "//! Controllers.\n\npub mod a;\n#[cfg(unix)]\n/// Doc.\npub mod d;\n";
        let expected = "//! Controllers.\n\npub mod a;\npub mod b;\n#[cfg(unix)]\n/// Doc.\npub mod d;\n";
        adding("b", text, expected);
    }

    #[test]
    fn a_file_without_modules_gets_the_line_below_its_opening() {
        adding("a", "", "pub mod a;\n");
        adding("a", "//! Middleware.\n", "//! Middleware.\n\npub mod a;\n");
        adding("a", "//! Docs.\n\nuse x;\n", "//! Docs.\n\npub mod a;\n\nuse x;\n");
        adding("a", "use x;\n", "pub mod a;\n\nuse x;\n");
    }

    #[test]
    fn a_declared_module_is_left_alone() {
        assert_eq!(with_module("pub(crate) mod a;\n", &[], "a"), None);
        assert_eq!(with_module("mod a {\n}\n", &[], "a"), None);
    }

    #[test]
    fn modules_inside_other_modules_do_not_count() {
        let text = "pub mod layouts {\n    pub mod base;\n}\npub mod pages {\n    pub mod welcome;\n}\n";
        let expected =
            "pub mod layouts {\n    pub mod base;\n}\npub mod pages {\n    pub mod welcome;\n}\npub mod z;\n";
        adding("z", text, expected);
        let inside = with_module(text, &["pages"], "about").unwrap();
        assert!(
            inside.contains("pub mod pages {\n    pub mod about;\n    pub mod welcome;\n}\n"),
            "{inside}"
        );
        assert_eq!(with_module(text, &["pages"], "welcome"), None);
    }

    #[test]
    fn windows_line_ends_stay() {
        adding("b", "pub mod a;\r\n", "pub mod a;\r\npub mod b;\r\n");
    }

    #[test]
    fn every_module_on_the_way_is_declared() {
        let folder = tempfile::tempdir().unwrap();
        let source = folder.path();
        fs::write(source.join("lib.rs"), "pub mod routes;\n").unwrap();
        fs::create_dir_all(source.join("controllers/admin")).unwrap();

        let changed = declare(source, &["controllers", "admin", "user_controller"]).unwrap();

        assert_eq!(changed.len(), 3);
        let read = |path: &str| fs::read_to_string(source.join(path)).unwrap();
        assert_eq!(read("lib.rs"), "pub mod controllers;\npub mod routes;\n");
        assert_eq!(read("controllers/mod.rs"), "pub mod admin;\n");
        assert_eq!(read("controllers/admin/mod.rs"), "pub mod user_controller;\n");
        assert!(declare(source, &["controllers", "admin", "user_controller"]).unwrap().is_empty());
    }

    #[test]
    fn the_apps_own_way_of_writing_modules_is_kept() {
        let folder = tempfile::tempdir().unwrap();
        let source = folder.path();
        fs::write(source.join("main.rs"), "mod controllers;\nmod views;\n").unwrap();
        fs::write(source.join("controllers.rs"), "").unwrap();
        fs::create_dir_all(source.join("views/pages/team")).unwrap();
        fs::write(source.join("views/mod.rs"), "pub mod pages {\n    pub mod home;\n}\n").unwrap();

        declare(source, &["controllers", "user_controller"]).unwrap();
        declare(source, &["views", "pages", "team", "list"]).unwrap();

        let read = |path: &str| fs::read_to_string(source.join(path)).unwrap();
        assert_eq!(read("controllers.rs"), "pub mod user_controller;\n");
        assert_eq!(read("views/mod.rs"), "pub mod pages {\n    pub mod home;\n    pub mod team;\n}\n");
        assert_eq!(read("views/pages/team/mod.rs"), "pub mod list;\n");
    }
}
