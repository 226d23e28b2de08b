//! The tutorial's code is the example's: every block of `docs/build-shelf.md` that names a file stands in that file of
//! `examples/shelf`, every file of the example is named in the tutorial, and the lines that it counts are counted right.

mod lines;

use std::fs;
use std::path::Path;

use crate::workspace::Workspace;

const CHAPTER: &str = "docs/build-shelf.md";
const EXAMPLE: &str = "examples/shelf";
/// Left to the reader's eye: they are read, not typed in.
const NOT_TOLD: [&str; 3] = ["README.md", "laravel/", "tests/"];

/// A block of code that says which file it is from: ` ```rust file=src/lib.rs `.
struct Block<'a> {
    line: usize,
    file: &'a str,
    /// What stands between its lines of nothing but `…`.
    parts: Vec<String>,
}

/// Compares them; gives the number of blocks.
pub(crate) fn check(workspace: &Workspace) -> Result<usize, String> {
    let read = |path: &Path| fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()));
    let chapter = read(&workspace.path(CHAPTER))?;
    let blocks = blocks(&chapter);
    for block in &blocks {
        let path = workspace.path(&format!("{EXAMPLE}/{}", block.file));
        let edit =
            path.with_file_name(format!("{}.edit", path.file_name().unwrap_or_default().to_string_lossy()));
        let text = read(if path.exists() { &path } else { &edit })?;
        if let Some(lost) = missing(block, &text) {
            return Err(format!(
                "{CHAPTER}:{}: this is not in {EXAMPLE}/{}:\n{lost}",
                block.line, block.file
            ));
        }
    }
    for file in workspace.files()? {
        let Ok(file) = file.strip_prefix(EXAMPLE) else { continue };
        let name = file.display().to_string();
        let name = name.strip_suffix(".edit").unwrap_or(&name);
        if !NOT_TOLD.iter().any(|about| name.starts_with(about)) && !chapter.contains(name) {
            return Err(format!("{EXAMPLE}/{name} is not named in {CHAPTER}"));
        }
    }
    let rows = lines::rows(&workspace.path(EXAMPLE))?;
    if rows.iter().any(|row| !chapter.contains(row.as_str())) {
        return Err(format!(
            "the lines of {EXAMPLE} changed; this is the table of {CHAPTER}:\n{}",
            rows.join("\n")
        ));
    }
    Ok(blocks.len())
}

/// Whether all Rust of a chapter is the example's: it is compiled there, and not as a doctest.
pub(crate) fn is_of_example(chapter: &str) -> bool {
    chapter.lines().filter(|line| line.starts_with("```rust")).all(|line| line.contains(" file="))
}

fn blocks(chapter: &str) -> Vec<Block<'_>> {
    let mut blocks = Vec::new();
    let mut open: Option<Block<'_>> = None;
    for (number, line) in chapter.lines().enumerate() {
        match &mut open {
            Some(_) if line.starts_with("```") => blocks.extend(open.take()),
            Some(block) if line.trim().trim_start_matches(['/', '#', ' ']) == "…" => {
                block.parts.push(String::new());
            }
            Some(block) => {
                if let Some(part) = block.parts.last_mut() {
                    part.push_str(line);
                    part.push('\n');
                }
            }
            None => {
                let file = line.strip_prefix("```").and_then(|info| info.split_once(" file="));
                open = file.map(|(_, file)| Block {
                    line: number + 1,
                    file: file.trim(),
                    parts: vec![String::new()],
                });
            }
        }
    }
    blocks
}

/// The first part that the file does not have behind the one before it.
fn missing<'a>(block: &'a Block<'_>, text: &str) -> Option<&'a str> {
    let mut rest = text;
    for part in &block.parts {
        match rest.find(part.as_str()) {
            Some(at) => rest = &rest[at + part.len()..],
            None => return Some(part),
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    const CHAPTER: &str = "words\n```rust file=src/a.rs\none\n    // …\nthree\n```\n```sh\nls\n```\n";

    #[test]
    fn a_block_is_in_its_file_in_order_and_may_leave_something_out() {
        let blocks = blocks(CHAPTER);
        assert_eq!((blocks.len(), blocks[0].line, blocks[0].file), (1, 2, "src/a.rs"));
        assert_eq!(missing(&blocks[0], "zero\none\ntwo\nthree\n"), None);
        assert_eq!(missing(&blocks[0], "three\none\n"), Some("three\n"));
        assert_eq!(missing(&blocks[0], "on\n"), Some("one\n"));
    }

    #[test]
    fn a_chapter_with_rust_of_its_own_is_compiled_as_a_doctest() {
        assert!(is_of_example(CHAPTER));
        assert!(!is_of_example("```rust\nfn main() {}\n```\n"));
    }
}
