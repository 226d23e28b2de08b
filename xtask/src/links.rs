//! Checks the links between our own Markdown pages: the file exists, and so does the heading.
//!
//! Addresses on the web are left alone: the suite must pass without a network.

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::path::{Component, Path, PathBuf};

use crate::workspace::Workspace;

/// Checks every page of ours, and that the guide's table of contents is whole. The number of links seen.
pub(crate) fn check(workspace: &Workspace) -> Result<usize, String> {
    let pages = pages(workspace)?;
    let mut broken = Vec::new();
    let mut seen = 0;
    for (page, text) in &pages {
        for link in links(text) {
            seen += 1;
            if let Some(why) = broken_because(workspace.root(), &pages, page, &link) {
                broken.push(format!("{}: [{link}] {why}", page.display()));
            }
        }
    }
    broken.extend(not_in_summary(&pages));
    let files = workspace.files()?;
    for page in ["ARCHITECTURE.md", "CONTRIBUTING.md"].map(Path::new) {
        let Some(text) = pages.get(page) else {
            broken.push(format!("{} does not exist", page.display()));
            continue;
        };
        let prose = without_blocks(text);
        let missing = missing_files(&files, &prose);
        broken.extend(missing.map(|name| format!("{}: no file is called `{name}`", page.display())));
    }
    if broken.is_empty() { Ok(seen) } else { Err(broken.join("\n")) }
}

type Pages = BTreeMap<PathBuf, String>;

/// Our Markdown, apart from what others check: rustdoc the pages that a crate includes, and the kits' pages make
/// sense only in a created app.
fn pages(workspace: &Workspace) -> Result<Pages, String> {
    let mut pages = BTreeMap::new();
    for file in workspace.files()? {
        let markdown = file.extension().is_some_and(|suffix| suffix == "md");
        let included = file.starts_with("crates") && file.components().any(|part| part.as_os_str() == "docs");
        if markdown && !included && !file.starts_with("kits") {
            let text = fs::read_to_string(workspace.root().join(&file))
                .map_err(|error| format!("cannot read {}: {error}", file.display()))?;
            pages.insert(file, text);
        }
    }
    Ok(pages)
}

fn broken_because(root: &Path, pages: &Pages, page: &Path, link: &str) -> Option<String> {
    if link.contains("://") || link.starts_with("mailto:") {
        return None;
    }
    let (file, anchor) = link.split_once('#').map_or((link, None), |(file, anchor)| (file, Some(anchor)));
    let target = if file.is_empty() { page.to_owned() } else { resolve(page, file)? };
    if !root.join(&target).exists() {
        return Some(format!("leads to {}, which does not exist", target.display()));
    }
    let anchor = anchor?;
    let text = pages.get(&target)?;
    let known = headings(text).iter().any(|heading| heading == anchor);
    (!known).then(|| format!("leads to a heading that {} does not have", target.display()))
}

/// `docs/routing.md` + `../README.md` → `README.md`.
fn resolve(page: &Path, file: &str) -> Option<PathBuf> {
    let mut path = page.parent()?.to_owned();
    for part in Path::new(file).components() {
        match part {
            Component::ParentDir => {
                path.pop();
            }
            Component::Normal(name) => path.push(name),
            _ => {}
        }
    }
    Some(path)
}

/// Chapters that the table of contents forgot.
fn not_in_summary(pages: &Pages) -> Vec<String> {
    let summary = Path::new("docs/SUMMARY.md");
    let Some(text) = pages.get(summary) else { return vec!["docs/SUMMARY.md does not exist".into()] };
    let listed: Vec<PathBuf> = links(text).iter().filter_map(|link| resolve(summary, link)).collect();
    let forgotten = |page: &&PathBuf| page.starts_with("docs") && *page != summary && !listed.contains(page);
    pages
        .keys()
        .filter(forgotten)
        .map(|page| format!("docs/SUMMARY.md does not list {}", page.display()))
        .collect()
}

/// Paths in inline code that are the end of no path here. A map that names rooms which were torn down leads astray.
fn missing_files<'a>(files: &[PathBuf], text: &'a str) -> impl Iterator<Item = &'a str> {
    let is_path = |name: &&str| {
        let letters = name.chars().all(|letter| letter.is_ascii_alphanumeric() || "_-./".contains(letter));
        let is_ours = !name.starts_with('/') && !name.starts_with("target/");
        letters && is_ours && (name.contains('/') || name.ends_with(".rs"))
    };
    let is_there = |name: &str| {
        // A module is named without the end of its file.
        let ends = [PathBuf::from(name.trim_end_matches('/')), PathBuf::from(format!("{name}.rs"))];
        files.iter().any(|file| file.ancestors().any(|place| ends.iter().any(|end| place.ends_with(end))))
    };
    text.split('`').skip(1).step_by(2).filter(is_path).filter(move |name| !is_there(name))
}

/// Every target: `[text](target)`, `![picture](target "title")`, `href="target"`, `src="target"`.
fn links(text: &str) -> Vec<String> {
    let prose = without_code(text);
    let mut found = Vec::new();
    for (open, close) in [("](", ')'), ("href=\"", '"'), ("src=\"", '"'), ("srcset=\"", '"')] {
        for (position, _) in prose.match_indices(open) {
            let rest = &prose[position + open.len()..];
            let Some((target, _)) = rest.split_once(close) else { continue };
            let target = target.split_whitespace().next().unwrap_or_default();
            found.extend((!target.is_empty()).then(|| target.to_owned()));
        }
    }
    found
}

/// The anchors of a page's headings, as GitHub and mdBook name them.
fn headings(text: &str) -> Vec<String> {
    let mut times: HashMap<String, usize> = HashMap::new();
    // Inline code belongs to a heading's name, so only the blocks go.
    without_blocks(text)
        .lines()
        .filter_map(|line| line.trim_start_matches('#').strip_prefix(' ').filter(|_| line.starts_with('#')))
        .map(|title| {
            let slug = slug(title);
            let count = times.entry(slug.clone()).or_default();
            *count += 1;
            if *count == 1 { slug } else { format!("{slug}-{}", *count - 1) }
        })
        .collect()
}

fn slug(title: &str) -> String {
    let kept = |letter: &char| letter.is_alphanumeric() || matches!(letter, ' ' | '-' | '_');
    let letters = title.trim().chars().filter(kept);
    letters.flat_map(char::to_lowercase).map(|letter| if letter == ' ' { '-' } else { letter }).collect()
}

/// The text without fenced blocks and inline code: what looks like a link there is not one.
fn without_code(text: &str) -> String {
    let prose = without_blocks(text);
    prose.split('`').step_by(2).collect::<Vec<_>>().join(" ")
}

fn without_blocks(text: &str) -> String {
    let mut inside = false;
    let mut out = String::new();
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            inside = !inside;
        } else if !inside {
            out += line;
            out.push('\n');
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_found_in_markdown_and_in_html_but_not_in_code() {
        let text = "See [routing](routing.md#names) and ![a picture](images/a.png \"title\").\n\
                    <img src=\"images/b.png\"> `[not](one.md)`\n```rust\n[nor](two.md)\n```\n";
        assert_eq!(links(text), ["routing.md#names", "images/a.png", "images/b.png"]);
    }

    #[test]
    fn headings_become_anchors() {
        let text =
            "# Getting started\n## `APP_KEY`, and why\n## Names\n```\n# not a heading\n```\n## Names\n#hash";
        assert_eq!(headings(text), ["getting-started", "app_key-and-why", "names", "names-1"]);
    }

    #[test]
    fn a_link_up_and_over_is_resolved() {
        assert_eq!(resolve(Path::new("docs/a/b.md"), "../../README.md"), Some(PathBuf::from("README.md")));
        assert_eq!(resolve(Path::new("docs/b.md"), "./c.md"), Some(PathBuf::from("docs/c.md")));
    }

    #[test]
    fn a_missing_file_and_a_missing_heading_are_told_apart() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("docs")).unwrap();
        fs::write(folder.path().join("docs/a.md"), "# Here").unwrap();
        let pages: Pages = [(PathBuf::from("docs/a.md"), "# Here".to_owned())].into();
        let broken = |link| broken_because(folder.path(), &pages, Path::new("docs/a.md"), link);
        assert_eq!(broken("#here"), None);
        assert_eq!(broken("a.md#here"), None);
        assert_eq!(broken("https://example.com/none"), None);
        assert!(broken("b.md").unwrap().contains("docs/b.md, which does not exist"));
        assert!(broken("#there").unwrap().contains("a heading"));
    }

    #[test]
    fn a_file_that_was_moved_is_missed_where_a_map_names_it() {
        let files = ["crates/http/src/kernel/walk.rs", "kits/auth/README.md"].map(PathBuf::from);
        let text = "`kernel/walk.rs`, `kits/auth/`, `/api/auth` and `Api::emit` are there; `kernel/gone.rs` and `kits/old/` are not";
        assert_eq!(missing_files(&files, text).collect::<Vec<_>>(), ["kernel/gone.rs", "kits/old/"]);
    }

    #[test]
    fn a_chapter_outside_the_table_of_contents_is_named() {
        let pages: Pages = [
            (PathBuf::from("docs/SUMMARY.md"), "- [One](one.md)".to_owned()),
            (PathBuf::from("docs/one.md"), String::new()),
            (PathBuf::from("docs/two.md"), String::new()),
            (PathBuf::from("README.md"), String::new()),
        ]
        .into();
        assert_eq!(not_in_summary(&pages), ["docs/SUMMARY.md does not list docs/two.md"]);
    }
}
