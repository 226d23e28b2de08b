//! `like`, with one meaning on every engine: it does not tell upper from lower case, `%` is any text, `_` any one
//! character, and `\` makes the next one mean itself.
//!
//! The engines disagree about all of that, so the pattern is read here and written anew for each.

use sea_query::Expr;

use crate::{Driver, Value};

/// What [`Pattern::text`] puts before a character that means itself. Not the backslash, which MySQL and its settings have
/// their own thoughts about.
const ESCAPE: char = '!';

#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Pattern(Vec<Part>);

#[derive(Clone, Copy, Debug, PartialEq)]
enum Part {
    AnyText,
    AnyCharacter,
    Character(char),
}

impl Pattern {
    /// A pattern as it is written for `like`.
    pub(super) fn parse(text: &str) -> Self {
        let mut characters = text.chars();
        let mut parts = Vec::new();
        while let Some(character) = characters.next() {
            parts.push(match character {
                '%' => Part::AnyText,
                '_' => Part::AnyCharacter,
                // At the very end it means itself.
                '\\' => Part::Character(characters.next().unwrap_or('\\')),
                other => Part::Character(other),
            });
        }
        Self(parts)
    }

    pub(super) fn containing(text: &str) -> Self {
        Self::default().any_text().exactly(text).any_text()
    }

    pub(super) fn starting_with(text: &str) -> Self {
        Self::default().exactly(text).any_text()
    }

    pub(super) fn ending_with(text: &str) -> Self {
        Self::default().any_text().exactly(text)
    }

    fn any_text(mut self) -> Self {
        self.0.push(Part::AnyText);
        self
    }

    fn exactly(mut self, text: &str) -> Self {
        self.0.extend(text.chars().map(Part::Character));
        self
    }

    /// The characters of ASCII that every match begins with, in small letters.
    fn beginning(&self) -> String {
        let characters = self.0.iter().map_while(|part| match part {
            Part::Character(character) if character.is_ascii() => Some(character.to_ascii_lowercase()),
            _ => None,
        });
        characters.collect()
    }

    /// The pattern as the engine is to get it.
    fn text(&self, driver: Driver) -> String {
        let mut text = String::new();
        for part in &self.0 {
            match (driver, part) {
                (Driver::Sqlite, Part::AnyText) => text.push('*'),
                (Driver::Sqlite, Part::AnyCharacter) => text.push('?'),
                (Driver::Sqlite, Part::Character(character)) => glob(*character, &mut text),
                (_, Part::AnyText) => text.push('%'),
                (_, Part::AnyCharacter) => text.push('_'),
                (_, Part::Character(character)) => {
                    if ['%', '_', ESCAPE].contains(character) {
                        text.push(ESCAPE);
                    }
                    text.push(*character);
                }
            }
        }
        text
    }
}

/// SQLite's LIKE knows upper and lower case of ASCII only. GLOB takes every character as it is, but also a choice of them:
/// so each letter becomes the choice of its cases.
fn glob(character: char, text: &mut String) {
    let mut choice = vec![character];
    let upper: Vec<char> = character.to_uppercase().collect();
    let lower: Vec<char> = character.to_lowercase().collect();
    for case in [upper, lower] {
        if let [case] = case[..]
            && !choice.contains(&case)
        {
            choice.push(case);
        }
    }
    if choice.len() == 1 && !['*', '?', '['].contains(&character) {
        text.push(character);
        return;
    }
    text.push('[');
    text.extend(choice);
    text.push(']');
}

/// Whether a column matches a pattern.
pub(super) fn matches(driver: Driver, column: Expr, negated: bool, pattern: &Pattern) -> Expr {
    let beginning = pattern.beginning();
    let written = Value::Text(pattern.text(driver)).into_expr();
    if driver == Driver::Sqlite && !negated && !beginning.is_empty() {
        return between(column, &beginning, written);
    }
    let sql = match (driver, negated) {
        (Driver::Sqlite, false) => "? GLOB ?",
        (Driver::Sqlite, true) => "? NOT GLOB ?",
        // Not ILIKE: an index of `lower(column)` serves this, and none serves that.
        (Driver::Postgres, false) => "LOWER($1) LIKE LOWER($2) ESCAPE '!'",
        (Driver::Postgres, true) => "LOWER($1) NOT LIKE LOWER($2) ESCAPE '!'",
        // Its collations that do not tell upper from lower case do not tell é from e either.
        (Driver::MySql, false) => "LOWER(?) LIKE LOWER(?) COLLATE utf8mb4_bin ESCAPE '!'",
        (Driver::MySql, true) => "LOWER(?) NOT LIKE LOWER(?) COLLATE utf8mb4_bin ESCAPE '!'",
    };
    Expr::cust_with_exprs(sql, [column, written])
}

/// No index serves GLOB with a choice of cases. But whatever matches begins with the pattern's first characters, in small letters,
/// which [`search_index`](crate::Table::search_index) finds; GLOB has the last word about the few that are left.
fn between(column: Expr, beginning: &str, pattern: Expr) -> Expr {
    let bound = |text: String| Value::Text(text).into_expr();
    // No text goes on with a greater character.
    let (from, to) = (bound(beginning.to_owned()), bound(format!("{beginning}\u{10ffff}")));
    let values = [column.clone(), from, to, column, pattern];
    Expr::cust_with_exprs("(LOWER(?) BETWEEN ? AND ? AND ? GLOB ?)", values)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_is_written_in_the_words_of_each_engine() {
        let pattern = Pattern::parse(r"50\% o_f%!*\");
        assert_eq!(pattern.text(Driver::Postgres), r"50!% o_f%!!*\");
        assert_eq!(pattern.text(Driver::MySql), pattern.text(Driver::Postgres));
        assert_eq!(pattern.text(Driver::Sqlite), r"50% [oO]?[fF]*![*]\");
        assert_eq!(Pattern::containing("Ü").text(Driver::Sqlite), "*[Üü]*");
    }

    #[test]
    fn plain_text_has_no_signs_in_it() {
        assert_eq!(Pattern::containing(r"50%_\").text(Driver::Postgres), r"%50!%!_\%");
        assert_eq!(Pattern::starting_with("[a]").text(Driver::Sqlite), "[[][aA]]*");
        assert_eq!(Pattern::ending_with("a*").text(Driver::Sqlite), "*[aA][*]");
    }
}
