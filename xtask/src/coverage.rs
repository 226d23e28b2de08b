//! Which clauses of `docs/specification.md` does a test name, and which does none?
//!
//! A clause counts as named when a file that holds tests carries `spec: ID`, with several ids separated by
//! commas. This reads comments, not meaning: a named clause may still be untrue.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;

use crate::workspace::Workspace;
use crate::{evidence, ui};

/// Prints the number, and the clauses that no test names.
pub(crate) fn print(workspace: &Workspace, verbose: bool) -> Result<(), String> {
    let coverage = Coverage::of(workspace)?;
    if verbose {
        for clause in &coverage.wanted {
            let files: Vec<_> = coverage.named.get(clause).into_iter().flatten().cloned().collect();
            ui::line(format_args!(
                "{clause:8} {}",
                if files.is_empty() { "-".into() } else { files.join(", ") }
            ));
        }
    }
    let missing = coverage.missing();
    let named = coverage.wanted.len() - missing.len();
    ui::line(format_args!("{named} of {} clauses named by a test", coverage.wanted.len()));
    if !missing.is_empty() {
        ui::line(format_args!("without one: {}", missing.join(" ")));
    }
    let tests = evidence::check(workspace)?;
    ui::line(format_args!("{tests} tests named by the security assessment, and all of them exist"));
    Ok(())
}

/// The clauses in the order of the specification, and the files that name each.
struct Coverage {
    wanted: Vec<String>,
    named: BTreeMap<String, BTreeSet<String>>,
}

impl Coverage {
    fn of(workspace: &Workspace) -> Result<Self, String> {
        let specification = workspace.path("docs/specification.md");
        let text = fs::read_to_string(&specification)
            .map_err(|error| format!("cannot read {}: {error}", specification.display()))?;
        let mut coverage = Self { wanted: clauses(&text), named: BTreeMap::new() };
        for file in workspace.files()? {
            coverage.read(workspace, &file);
        }
        Ok(coverage)
    }

    fn read(&mut self, workspace: &Workspace, file: &PathBuf) {
        let suffix = file.extension().and_then(|suffix| suffix.to_str()).unwrap_or_default();
        if !["rs", "ts", "mjs", "vue"].contains(&suffix) {
            return;
        }
        let Ok(text) = fs::read_to_string(workspace.root().join(file)) else { return };
        if !holds_tests(&text) {
            return;
        }
        for clause in marked(&text) {
            self.named.entry(clause).or_default().insert(file.display().to_string());
        }
    }

    fn missing(&self) -> Vec<&str> {
        self.wanted.iter().filter(|clause| !self.named.contains_key(*clause)).map(String::as_str).collect()
    }
}

/// Every clause id of the specification, family by family: `SVC-1`, …, `CLI-1`, ….
///
/// A heading declares its families in parentheses, as in `## Command line (CLI)`. Other words with a dash and a
/// number (`UTF-8`, `RFC-7518`) are no clauses.
fn clauses(text: &str) -> Vec<String> {
    let families = families(text);
    let place = |id: &String| {
        let (family, number) = id.split_once('-')?;
        Some((families.iter().position(|known| *known == family)?, number.parse::<u32>().ok()?))
    };
    let mut found: Vec<String> = ids(text).into_iter().filter(|id| place(id).is_some()).collect();
    found.sort_by_key(place);
    found.dedup();
    found
}

/// The families that headings declare, in their order.
fn families(text: &str) -> Vec<&str> {
    text.lines()
        .filter(|line| line.starts_with('#'))
        .flat_map(|line| line.split('(').skip(1))
        .filter_map(|rest| rest.split_once(')'))
        .map(|(inside, _)| inside)
        .filter(|word| !word.is_empty() && word.chars().all(|letter| letter.is_ascii_uppercase()))
        .collect()
}

/// The ids that follow `spec:` markers.
fn marked(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for (position, _) in text.match_indices("spec:") {
        let mut rest = text[position + "spec:".len()..].trim_start_matches([' ', '\t']);
        while let Some((id, after)) = leading_id(rest) {
            found.push(id.to_owned());
            let after = after.trim_start_matches([' ', '\t']);
            let Some(next) = after.strip_prefix(',') else { break };
            rest = next.trim_start_matches([' ', '\t']);
        }
    }
    found
}

/// Everything shaped like an id, wherever a word begins.
fn ids(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut before = ' ';
    for (position, letter) in text.char_indices() {
        if letter.is_ascii_uppercase() && !before.is_alphanumeric() {
            found.extend(leading_id(&text[position..]).map(|(id, _)| id.to_owned()));
        }
        before = letter;
    }
    found
}

/// `AAA-3 and more` → (`AAA-3`, ` and more`).
fn leading_id(text: &str) -> Option<(&str, &str)> {
    let letters = text.bytes().take_while(u8::is_ascii_uppercase).count();
    let rest = text[letters..].strip_prefix('-')?;
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let end = letters + 1 + digits;
    let ends_a_word = !text[end..].starts_with(|letter: char| letter.is_alphanumeric());
    (letters > 0 && digits > 0 && ends_a_word).then(|| text.split_at(end))
}

fn holds_tests(text: &str) -> bool {
    let attribute = |line: &str| {
        let Some(inside) = line.trim_start().strip_prefix("#[") else { return false };
        let path = inside.split(['(', ']', ' ']).next().unwrap_or_default();
        path.rsplit("::").next().is_some_and(|name| name.starts_with("test"))
            || inside.starts_with("cfg(test)")
    };
    let call = |line: &str| {
        ["test(", "it(", "describe("].iter().any(|call| {
            line.match_indices(call)
                .any(|(at, _)| !line[..at].ends_with(|l: char| l.is_alphanumeric() || l == '_'))
        })
    };
    text.lines().any(|line| attribute(line) || call(line))
        || ["proptest!", "on_every_engine!(", "on_servers!("].iter().any(|made| text.contains(made))
}

#[cfg(test)]
mod tests {
    use super::*;

    // The families here are invented: an id of the real specification would count as named by this file.
    const SPECIFICATION: &str = "# All of it\nAs in BBB-2.\n## First (AAA)\n| AAA-10 | see RFC-7518 |\n| AAA-2 | and AAA-10 |\n\
         ## Second (BBB) and third (CCC)\n| BBB-1 | one |\nCCC-1: one. UTF-8 is no clause.";

    #[test]
    fn clauses_are_the_ids_whose_family_a_heading_declares_in_its_order() {
        assert_eq!(clauses(SPECIFICATION), ["AAA-2", "AAA-10", "BBB-1", "BBB-2", "CCC-1"]);
    }

    #[test]
    fn a_marker_may_carry_several_ids() {
        assert_eq!(
            marked("// spec: AAA-1, BBB-3,CCC-2 and AAA-9\n// spec:DDD-4"),
            ["AAA-1", "BBB-3", "CCC-2", "DDD-4"]
        );
        assert!(marked("// specification: AAA-1").is_empty());
    }

    #[test]
    fn an_id_is_a_whole_word() {
        assert_eq!(leading_id("AAA-12)"), Some(("AAA-12", ")")));
        assert_eq!(leading_id("AAA-12b"), None);
        assert_eq!(leading_id("AAA-"), None);
        assert!(ids("xAAA-1 aBB-2").is_empty());
    }

    #[test]
    fn only_files_with_tests_count() {
        assert!(holds_tests("#[test]\nfn works() {}"));
        assert!(holds_tests("    #[tokio::test(flavor = \"multi_thread\")]"));
        assert!(holds_tests("#[housekey::test]"));
        assert!(holds_tests("#[cfg(test)]\nmod tests;"));
        assert!(holds_tests("test('a page opens', async () => {})"));
        assert!(!holds_tests("let it = latest(1); // #[allow(test)]"));
    }
}
