//! What a made file begins as: a text with placeholders, the framework's own or one that the app keeps in `stubs/`.
//!
//! A kit that has its own way of writing a page ships a `stubs/view.stub`, and whoever changes that way changes the stub.

use std::{fs, io, path::Path};

use housekey_core::Result;

use crate::Problem;

/// The app's own stub, if it has this one.
pub(crate) fn read(root: &Path, stub: &Path) -> Result<Option<String>> {
    match fs::read_to_string(root.join(stub)) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(Problem::new(format!("cannot read {}: {error}", stub.display())).into()),
    }
}

/// Puts the words in the place of `{{ title }}` and the others. A placeholder that nobody knows is an error: it would
/// end up in the code. `origin` says where the text is from.
pub(crate) fn fill(text: &str, words: &[(&'static str, String)], origin: &str) -> Result<String> {
    let mut filled = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, word, after)) = placeholder(rest) {
        let Some((_, value)) = words.iter().find(|(key, _)| *key == word) else {
            let known: Vec<String> = words.iter().map(|(key, _)| format!("{{{{ {key} }}}}")).collect();
            return Err(Problem::new(format!("{origin}: nothing is known as {{{{ {word} }}}}"))
                .remedy(format!("There are {}.", known.join(", ")))
                .into());
        };
        filled.push_str(before);
        filled.push_str(value);
        rest = after;
    }
    Ok(filled + rest)
}

/// The first `{{ word }}`, between what is before and after it. Other double braces are code.
fn placeholder(text: &str) -> Option<(&str, &str, &str)> {
    text.match_indices("{{ ").find_map(|(at, opening)| {
        let (word, after) = text[at + opening.len()..].split_once(" }}")?;
        let is_word = !word.is_empty() && word.chars().all(|letter| letter.is_ascii_lowercase());
        is_word.then_some((&text[..at], word, after))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn placeholders_are_filled_and_other_braces_are_code() {
        let words = [("title", "About us".to_owned())];
        let text = "<h1>\"{{ title }}\"</h1> format!(\"{{{x}}}\") {{ A }} {{ title }}";
        let filled = fill(text, &words, "stubs/view.stub").unwrap();
        assert_eq!(filled, "<h1>\"About us\"</h1> format!(\"{{{x}}}\") {{ A }} About us");
    }

    #[test]
    fn an_unknown_placeholder_is_named_with_the_file_and_the_known_ones() {
        let problem = fill("{{ titel }}", &[("title", String::new())], "stubs/view.stub").unwrap_err();
        let said = problem.to_string();
        assert!(said.contains("stubs/view.stub") && said.contains("{{ titel }}"), "{said}");
        assert!(said.contains("{{ title }}"), "{said}");
    }
}
