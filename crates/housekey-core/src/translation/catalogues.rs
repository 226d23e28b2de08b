use std::sync::Arc;

use super::catalogue::{Catalogue, Entry, english_form};

/// The catalogues in which a sentence is looked for, one after the other. Without one of them it is what it says in English.
#[derive(Default)]
pub(super) struct Catalogues(Vec<Arc<Catalogue>>);

impl Catalogues {
    /// A sentence, `:name` replaced by its value.
    pub(super) fn text(&self, sentence: &str, values: &[(&str, &str)]) -> String {
        let text = self.entry(sentence).map_or(sentence, |(entry, _)| entry.text());
        fill(text, values)
    }

    /// A sentence about a number, which is its `:count`.
    pub(super) fn plural(&self, sentence: &str, count: i64, values: &[(&str, &str)]) -> String {
        let text = match self.entry(sentence) {
            Some((entry, rules)) => entry.form(rules, count),
            None => english_form(sentence, count),
        };
        let number = count.to_string();
        let mut values = values.to_vec();
        values.push(("count", &number));
        fill(text, &values)
    }

    /// The entry, with the catalogue whose plural rules fit it.
    fn entry(&self, sentence: &str) -> Option<(&Entry, &Catalogue)> {
        self.0.iter().find_map(|catalogue| Some((catalogue.entry(sentence)?, &**catalogue)))
    }
}

impl FromIterator<Arc<Catalogue>> for Catalogues {
    fn from_iter<I: IntoIterator<Item = Arc<Catalogue>>>(catalogues: I) -> Self {
        Self(catalogues.into_iter().collect())
    }
}

/// Replaces `:name` by its value, once: a value that looks like a placeholder stays as it is.
fn fill(text: &str, values: &[(&str, &str)]) -> String {
    if values.is_empty() {
        return text.to_owned();
    }
    let mut filled = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(':') {
        let (before, after) = rest.split_at(at);
        filled.push_str(before);
        let end = after[1..]
            .find(|char: char| !char.is_ascii_alphanumeric() && char != '_')
            .map_or(after.len(), |end| end + 1);
        let (placeholder, remaining) = after.split_at(end);
        match values.iter().find(|(name, _)| *name == &placeholder[1..]) {
            Some((_, value)) => filled.push_str(value),
            None => filled.push_str(placeholder),
        }
        rest = remaining;
    }
    filled.push_str(rest);
    filled
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_never_read_as_a_placeholder() {
        assert_eq!(
            fill(":a and :b, :unknown: 10:30", &[("a", ":b"), ("b", "x")]),
            ":b and x, :unknown: 10:30"
        );
    }
}
