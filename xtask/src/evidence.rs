//! Does every test that `docs/security-assessment.md` names exist?
//!
//! A name in backquotes that looks like a sentence (`four_words_or_more`) is a test's.

use std::collections::BTreeSet;
use std::fs;

use crate::workspace::Workspace;

const PAGE: &str = "docs/security-assessment.md";

/// How many tests are named; fails with the names that belong to none.
pub(crate) fn check(workspace: &Workspace) -> Result<usize, String> {
    let page = workspace.path(PAGE);
    let text =
        fs::read_to_string(&page).map_err(|error| format!("cannot read {}: {error}", page.display()))?;
    let named = names(&text);
    let mut unknown = named.clone();
    for file in workspace.files()? {
        if file.extension().is_some_and(|suffix| suffix == "rs")
            && let Ok(source) = fs::read_to_string(workspace.root().join(&file))
        {
            unknown.retain(|name| !source.contains(&format!("fn {name}(")));
        }
    }
    match unknown.is_empty() {
        true => Ok(named.len()),
        false => Err(format!(
            "{PAGE} names tests that do not exist: {}. A test that was renamed is named anew there; one that is gone takes its \
             line with it, or the line says that nothing proves it",
            unknown.into_iter().collect::<Vec<_>>().join(", ")
        )),
    }
}

fn names(text: &str) -> BTreeSet<String> {
    let quoted = text.split('`').skip(1).step_by(2);
    let is_sentence = |word: &&str| {
        word.matches('_').count() >= 3
            && word.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_')
    };
    quoted.filter(is_sentence).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_a_sentence_in_backquotes() {
        let text =
            "met | `a_door_that_is_shut`, `end_sessions_of`; `base-uri` | `a_key_is_kept`\n`__Host-a_b_c`";
        assert_eq!(names(text), BTreeSet::from(["a_door_that_is_shut", "a_key_is_kept"].map(str::to_owned)));
    }
}
