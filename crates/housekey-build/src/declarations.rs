//! The `mod` lines of a file, read and written as text. What a person writes stays as it is, comments and all.

/// `text` with `pub mod name;` added inside the inline module `inside`; `None` when it is there already.
pub fn with_module(text: &str, inside: &[impl AsRef<str>], name: &str) -> Option<String> {
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
pub fn block(text: &str, path: &[impl AsRef<str>]) -> Option<(usize, usize)> {
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let (mut first, mut end) = (0, lines.len());
    for name in path {
        let mut depth = 0;
        let opening = (first..end).find(|at| {
            let here =
                depth == 0 && declared_name(lines[*at]) == Some(name.as_ref()) && lines[*at].contains('{');
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

/// The line that declares the module `name` inside the inline module `inside`.
pub fn declaration<'a>(text: &'a str, inside: &[impl AsRef<str>], name: &str) -> Option<&'a str> {
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    declared_at(&lines, block(text, inside)?, name).map(|at| lines[at])
}

/// Whether the module `name` is declared inside the inline module `inside`, or commented out there: `// pub mod name;`.
pub fn declared(text: &str, inside: &[impl AsRef<str>], name: &str) -> bool {
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let Some((first, end)) = block(text, inside) else { return false };
    let is_commented = |line: &&str| {
        line.trim_start().strip_prefix("//").is_some_and(|line| declared_name(line) == Some(name))
    };
    declared_at(&lines, (first, end), name).is_some() || lines[first..end].iter().any(is_commented)
}

/// What `#[path = "…"]` above a declaration says.
pub fn path_attribute<'a>(text: &'a str, inside: &[impl AsRef<str>], name: &str) -> Option<&'a str> {
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let at = declared_at(&lines, block(text, inside)?, name)?;
    lines[above_attributes(&lines, at)..at].iter().find_map(|line| {
        let value = line.trim().strip_prefix("#[path")?.trim_start().strip_prefix('=')?.trim_start();
        value.strip_prefix('"')?.split_once('"').map(|(path, _)| path)
    })
}

fn declared_at(lines: &[&str], (first, end): (usize, usize), name: &str) -> Option<usize> {
    let mut depth = 0;
    (first..end).find(|at| {
        let here = depth == 0 && declared_name(lines[*at]) == Some(name);
        depth += braces(lines[*at]);
        here
    })
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
        assert_eq!(with_module(text, &[""; 0], name).as_deref(), Some(expected));
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
        assert_eq!(with_module("pub(crate) mod a;\n", &[""; 0], "a"), None);
        assert_eq!(with_module("mod a {\n}\n", &[""; 0], "a"), None);
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
    fn a_module_that_is_commented_out_counts_as_declared() {
        let text = "// pub mod drafts;\npub mod pages {\n    // mod old;\n}\n// The mod of others.\n";
        assert!(declared(text, &[""; 0], "drafts") && declared(text, &["pages"], "old"));
        assert!(!declared(text, &[""; 0], "others") && !declared(text, &["pages"], "drafts"));
        assert!(!declared(text, &["layouts"], "base"));
    }
}
