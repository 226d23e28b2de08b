use std::fmt::{self, Debug};

use tracing::field::{Field, Visit};
use tracing_subscriber::field::RecordFields;
use tracing_subscriber::fmt::FormatFields;
use tracing_subscriber::fmt::format::Writer;

/// The fields of a line for people. What a visitor typed may stand in one, and cannot be taken for another field, another line
/// or a command for the terminal.
pub(super) struct PrettyFields;

impl<'writer> FormatFields<'writer> for PrettyFields {
    fn format_fields<R: RecordFields>(&self, writer: Writer<'writer>, fields: R) -> fmt::Result {
        let mut line = Line { writer, is_begun: false, outcome: Ok(()) };
        fields.record(&mut line);
        line.outcome
    }
}

struct Line<'writer> {
    writer: Writer<'writer>,
    is_begun: bool,
    outcome: fmt::Result,
}

impl Line<'_> {
    fn add(&mut self, field: &Field, value: &str) -> fmt::Result {
        let name = field.name().trim_start_matches("r#");
        // The bridge from the crate `log` puts the place in there, which the line has already.
        if name.starts_with("log.") {
            return Ok(());
        }
        if self.is_begun {
            self.writer.write_char(' ')?;
        }
        self.is_begun = true;
        match (name, self.writer.has_ansi_escapes()) {
            (MESSAGE, _) => self.writer.write_str(value),
            (_, true) => write!(self.writer, "\x1b[3m{name}\x1b[0m\x1b[2m=\x1b[0m{value}"),
            (_, false) => write!(self.writer, "{name}={value}"),
        }
    }
}

const MESSAGE: &str = "message";

impl Visit for Line<'_> {
    fn record_str(&mut self, field: &Field, value: &str) {
        let value = match field.name() {
            MESSAGE => without_commands(value),
            _ => format!("{value:?}"),
        };
        self.outcome = self.outcome.and_then(|()| self.add(field, &value));
    }

    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        let text = format!("{value:?}");
        let value = match field.name() {
            MESSAGE => without_commands(&text),
            _ => contained(text),
        };
        self.outcome = self.outcome.and_then(|()| self.add(field, &value));
    }
}

/// A value between quotes where it could be taken for something else.
fn contained(value: String) -> String {
    let is_plain = !value.is_empty() && !value.contains(|letter: char| letter == '=' || letter.is_control());
    if is_plain { value } else { format!("{value:?}") }
}

/// Words as they are, but for what a terminal obeys.
fn without_commands(words: &str) -> String {
    let mut text = String::with_capacity(words.len());
    for letter in words.chars() {
        if letter.is_control() && !matches!(letter, '\n' | '\t') {
            text.extend(letter.escape_default());
        } else {
            text.push(letter);
        }
    }
    text
}
