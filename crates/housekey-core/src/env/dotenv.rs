//! The `.env` format: `KEY=value`, `export KEY=value`, `# comments`, 'literal' and "escaped" quotes, `${OTHER}`.

use std::collections::BTreeMap;
use std::iter::Peekable;
use std::str::Chars;

/// Why a line cannot be read. The line's text is not part of it: it may hold a secret.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Problem {
    pub(super) line: usize,
    pub(super) what: &'static str,
}

/// Reads a whole file. `outer` answers `${NAME}` for names the file has not set before.
pub(super) fn parse(
    text: &str,
    outer: impl Fn(&str) -> Option<String>,
) -> Result<BTreeMap<String, String>, Problem> {
    let mut values = BTreeMap::new();
    for (index, line) in text.trim_start_matches('\u{feff}').lines().enumerate() {
        let at = |what| Problem { line: index + 1, what };
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let line = line.strip_prefix("export ").map_or(line, str::trim_start);
        let (key, rest) = line.split_once('=').ok_or_else(|| at("a line must read KEY=value"))?;
        let key = key.trim_end();
        if !is_name(key) {
            return Err(at("a name may hold letters, digits and _ and must not start with a digit"));
        }
        let lookup = |name: &str| values.get(name).cloned().or_else(|| outer(name)).unwrap_or_default();
        let value = value(rest.trim_start(), lookup).map_err(at)?;
        values.insert(key.to_owned(), value);
    }
    Ok(values)
}

fn is_name(key: &str) -> bool {
    let mut chars = key.chars();
    chars.next().is_some_and(|first| first.is_ascii_alphabetic() || first == '_')
        && chars.all(|char| char.is_ascii_alphanumeric() || char == '_')
}

/// What stands behind the `=`.
pub(super) fn value(text: &str, lookup: impl Fn(&str) -> String) -> Result<String, &'static str> {
    let mut chars = text.chars().peekable();
    match chars.peek() {
        Some('\'') => quoted(&mut chars, '\'', |_| None).and_then(|value| end(chars, value)),
        Some('"') => quoted(&mut chars, '"', |name| Some(lookup(name))).and_then(|value| end(chars, value)),
        _ => unquoted(chars, lookup),
    }
}

/// `expand` answers a `${NAME}`; single quotes answer nothing, and then `\` is an ordinary letter too.
fn quoted(
    chars: &mut Peekable<Chars<'_>>,
    quote: char,
    expand: impl Fn(&str) -> Option<String>,
) -> Result<String, &'static str> {
    const OPEN: &str = "a quote is opened and not closed on the same line (write \\n for a line break)";
    chars.next();
    let mut value = String::new();
    loop {
        match chars.next().ok_or(OPEN)? {
            char if char == quote => return Ok(value),
            '\\' if quote == '"' => match chars.next().ok_or(OPEN)? {
                'n' => value.push('\n'),
                'r' => value.push('\r'),
                't' => value.push('\t'),
                other => value.push(other),
            },
            '$' if quote == '"' && chars.peek() == Some(&'{') => {
                value.push_str(&expand(&reference(chars)?).unwrap_or_default());
            }
            char => value.push(char),
        }
    }
}

fn unquoted(mut chars: Peekable<Chars<'_>>, lookup: impl Fn(&str) -> String) -> Result<String, &'static str> {
    let mut value = String::new();
    while let Some(char) = chars.next() {
        match char {
            // A `#` glued to the value belongs to it (colours, passwords); after a space it starts a comment.
            '#' if value.is_empty() || value.ends_with(char::is_whitespace) => break,
            '$' if chars.peek() == Some(&'{') => value.push_str(&lookup(&reference(&mut chars)?)),
            char => value.push(char),
        }
    }
    value.truncate(value.trim_end().len());
    Ok(value)
}

fn reference(chars: &mut Peekable<Chars<'_>>) -> Result<String, &'static str> {
    chars.next();
    let mut name = String::new();
    loop {
        match chars.next() {
            Some('}') if is_name(&name) => return Ok(name),
            Some('}') | None => return Err("a ${NAME} is not closed or names nothing"),
            Some(char) => name.push(char),
        }
    }
}

fn end(chars: Peekable<Chars<'_>>, value: String) -> Result<String, &'static str> {
    let rest: String = chars.collect();
    match rest.trim_start() {
        "" => Ok(value),
        comment if comment.starts_with('#') => Ok(value),
        _ => Err("there is text after the closing quote"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn read(text: &str) -> Result<Vec<(String, String)>, Problem> {
        let outer = |name: &str| (name == "HOME").then(|| "/root".to_owned());
        parse(text, outer).map(|values| values.into_iter().collect())
    }

    fn one(text: &str) -> String {
        read(text).unwrap().remove(0).1
    }

    #[test]
    fn values_come_as_written() {
        assert_eq!(one("A=plain text # note"), "plain text");
        assert_eq!(one("A=pass#word"), "pass#word");
        assert_eq!(one("export A = 'it is $HOME \\n' # note"), "it is $HOME \\n");
        assert_eq!(one("A=\"two\\nlines \\\"quoted\\\"\""), "two\nlines \"quoted\"");
        assert_eq!(one("A=${HOME}/x"), "/root/x");
        assert_eq!(one("\u{feff}A=\r\n"), "");
    }

    #[test]
    fn a_later_value_may_use_an_earlier_one() {
        assert_eq!(read("A=1\nB=\"${A}2\"").unwrap()[1].1, "12");
    }

    #[test]
    fn broken_lines_are_named() {
        for text in ["JUST_TEXT", "1A=x", "A=\"open", "A='x' y", "A=${", "=x"] {
            assert_eq!(read(&format!("OK=1\n{text}")).unwrap_err().line, 2, "{text}");
        }
    }

    proptest! {
        #[test]
        fn no_text_makes_it_panic(text in ".*") {
            let _ = read(&text);
        }

        #[test]
        fn single_quotes_keep_everything(value in "[^'\r\n]*") {
            prop_assert_eq!(one(&format!("A='{value}'")), value);
        }
    }
}
