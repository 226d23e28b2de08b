use housekey_core::{Error, Result};

/// The longest name of a channel, in bytes.
const LONGEST: usize = 200;

/// What a channel is called where it is defined: `books.{book}`.
#[derive(Clone, Debug)]
pub(super) struct Pattern {
    text: String,
    parts: Vec<Part>,
}

#[derive(Clone, Debug)]
enum Part {
    Word(String),
    Parameter(String),
}

impl Pattern {
    pub(super) fn parse(text: &str) -> Result<Self> {
        let wrong = |why: &str| Error::internal(format!("the channel `{text}` {why}"));
        let mut parts = Vec::new();
        for part in text.split('.') {
            let name = part.strip_prefix('{').and_then(|rest| rest.strip_suffix('}'));
            if !is_word(name.unwrap_or(part)) {
                return Err(wrong(
                    "is not a name: write words of letters, digits, `-` and `_` with dots between, and parameters as `{book}`",
                ));
            }
            parts.push(match name {
                Some(name) => Part::Parameter(name.to_owned()),
                None => Part::Word(part.to_owned()),
            });
        }
        if matches!(parts.first(), Some(Part::Parameter(_))) {
            return Err(wrong("would be any: begin it with a word, `books.{book}`"));
        }
        let pattern = Self { text: text.to_owned(), parts };
        let names: Vec<&str> = pattern.names().collect();
        match names.iter().enumerate().find(|(at, name)| names[..*at].contains(*name)) {
            Some((_, name)) => Err(wrong(&format!("has two parameters `{{{name}}}`"))),
            None => Ok(pattern),
        }
    }

    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// The parameters of a name that fits.
    pub(super) fn matches(&self, name: &str) -> Option<Vec<(String, String)>> {
        let words: Vec<&str> = name.split('.').collect();
        if words.len() != self.parts.len() {
            return None;
        }
        let mut parameters = Vec::new();
        for (part, word) in self.parts.iter().zip(words) {
            match part {
                Part::Word(own) if own == word => {}
                Part::Word(_) => return None,
                Part::Parameter(name) => parameters.push((name.clone(), word.to_owned())),
            }
        }
        Some(parameters)
    }

    /// Words come before parameters: `books.new` is not a book.
    pub(super) fn rank(&self) -> Vec<bool> {
        self.parts.iter().map(|part| matches!(part, Part::Parameter(_))).collect()
    }

    /// Whether the same names fit both, in the same places.
    pub(super) fn is_like(&self, other: &Self) -> bool {
        self.parts.len() == other.parts.len()
            && self.parts.iter().zip(&other.parts).all(|pair| match pair {
                (Part::Word(one), Part::Word(other)) => one == other,
                (Part::Parameter(_), Part::Parameter(_)) => true,
                _ => false,
            })
    }

    fn names(&self) -> impl Iterator<Item = &str> {
        self.parts.iter().filter_map(|part| match part {
            Part::Parameter(name) => Some(name.as_str()),
            Part::Word(_) => None,
        })
    }
}

/// Whether something can be the name of a channel. One spelling for one channel: no spaces, no control characters, nothing that
/// another script spells the same, nothing that Redis, PostgreSQL or a stream of events reads as more than a letter.
pub(super) fn is_name(name: &str) -> bool {
    name.len() <= LONGEST && name.split('.').all(is_word)
}

fn is_word(word: &str) -> bool {
    !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_has_one_spelling() {
        for good in ["news", "books.1", "books.1.loans", "people.kQ3-_"] {
            assert!(is_name(good), "{good}");
        }
        let long = "a".repeat(LONGEST + 1);
        let bad = [
            "",
            ".",
            "books.",
            ".1",
            "books..1",
            "books.*",
            "books.{book}",
            "bo oks",
            "news\n",
            "nëws",
            "a:b",
            &long,
        ];
        for bad in bad {
            assert!(!is_name(bad), "{bad:?}");
        }
    }

    #[test]
    fn a_pattern_fits_whole_names_only() {
        let pattern = Pattern::parse("books.{book}.loans").unwrap();
        assert_eq!(pattern.matches("books.7.loans").unwrap(), [("book".to_owned(), "7".to_owned())]);
        for other in ["books.7", "books.7.loans.1", "books.7.Loans", "books.loans"] {
            assert!(pattern.matches(other).is_none(), "{other}");
        }
    }

    #[test]
    fn a_pattern_that_cannot_be_meant_says_why() {
        for (text, why) in [
            ("{anything}", "begin it with a word"),
            ("books.{book}.{book}", "two parameters"),
            ("books.*", "is not a name"),
            ("books.{}", "is not a name"),
            ("", "is not a name"),
        ] {
            let error = Pattern::parse(text).unwrap_err().to_string();
            assert!(error.contains(why), "{text}: {error}");
        }
    }
}
