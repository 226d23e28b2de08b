//! What a command says to the person at the terminal.
//!
//! Everything goes through here so that colour is decided once and a closed pipe (`… | head`) ends quietly
//! instead of in a panic.

use std::{
    env,
    ffi::OsStr,
    fmt::Display,
    io::{self, IsTerminal, Write},
};

/// Writes a command's answer: results to standard output, warnings and errors to standard error.
///
/// Colour appears only on a terminal, never when `NO_COLOR` is set or `TERM` is `dumb`.
///
/// ```
/// use housekey_console::Ui;
///
/// let ui = Ui::plain();
/// ui.success("42 invoices sent.");
/// ui.warn("3 customers have no address.");
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Ui {
    out: Paint,
    err: Paint,
}

impl Ui {
    /// Looks at the terminal and the environment.
    #[must_use]
    pub fn detect() -> Self {
        let wanted = colour_wanted(env::var_os("NO_COLOR").as_deref(), env::var_os("TERM").as_deref());
        Self {
            out: Paint(wanted && io::stdout().is_terminal()),
            err: Paint(wanted && io::stderr().is_terminal()),
        }
    }

    /// Never colours.
    #[must_use]
    pub fn plain() -> Self {
        Self { out: Paint(false), err: Paint(false) }
    }

    /// The colours of standard output, for lines put together by hand.
    #[must_use]
    pub fn paint(&self) -> Paint {
        self.out
    }

    /// Writes a line to standard output, without colour or mark.
    pub fn line(&self, text: impl Display) {
        write_line(io::stdout().lock(), text);
    }

    pub fn success(&self, text: impl Display) {
        self.line(format_args!("{} {text}", self.out.green("✓")));
    }

    /// Something the reader may want to know: not done, not wrong.
    pub fn note(&self, text: impl Display) {
        self.line(self.out.dim(&format!("  {text}")));
    }

    /// Something looks wrong but the command goes on.
    pub fn warn(&self, text: impl Display) {
        write_line(io::stderr().lock(), format_args!("{} {text}", self.err.yellow("warning:")));
    }

    pub fn error(&self, text: impl Display) {
        write_line(io::stderr().lock(), format_args!("{} {text}", self.err.red("error:")));
    }

    /// A second line below [`Ui::error`]: the cause or the remedy.
    pub fn explain(&self, text: impl Display) {
        write_line(io::stderr().lock(), format_args!("  {text}"));
    }

    /// Rows in columns, each column as wide as its widest cell; the last column is never padded.
    pub fn table(&self, head: &[&str], rows: &[Vec<String>]) {
        let mut widths: Vec<usize> = head.iter().map(|cell| width(cell)).collect();
        for row in rows {
            for (column, cell) in row.iter().enumerate() {
                widths[column] = widths[column].max(width(cell));
            }
        }
        self.line(self.out.bold(&joined(head.iter().copied(), &widths)));
        for row in rows {
            self.line(joined(row.iter().map(String::as_str), &widths));
        }
    }

    /// A name and its value, the values of equal `name_width` below each other.
    pub fn pair(&self, name: &str, value: impl Display, name_width: usize) {
        let gap = name_width.saturating_sub(width(name));
        self.line(format_args!("  {}{:gap$}  {value}", self.out.green(name), ""));
    }

    /// A heading above a block of lines.
    pub fn heading(&self, text: &str) {
        self.line(self.out.bold(text));
    }
}

/// Puts colour on a text, or leaves it alone.
#[derive(Clone, Copy, Debug)]
pub struct Paint(bool);

impl Paint {
    #[cfg(test)]
    pub(crate) fn plain() -> Self {
        Self(false)
    }

    /// Bold: headings.
    #[must_use]
    pub fn bold(self, text: &str) -> String {
        self.wrap("1", text)
    }

    /// Faint: asides.
    #[must_use]
    pub fn dim(self, text: &str) -> String {
        self.wrap("2", text)
    }

    /// Red: failures.
    #[must_use]
    pub fn red(self, text: &str) -> String {
        self.wrap("1;31", text)
    }

    /// Green: success and names.
    #[must_use]
    pub fn green(self, text: &str) -> String {
        self.wrap("32", text)
    }

    /// Yellow: warnings.
    #[must_use]
    pub fn yellow(self, text: &str) -> String {
        self.wrap("33", text)
    }

    fn wrap(self, code: &str, text: &str) -> String {
        if self.0 { format!("\u{1b}[{code}m{text}\u{1b}[0m") } else { text.to_owned() }
    }
}

/// `NO_COLOR` counts when it holds anything (no-color.org); `TERM=dumb` cannot show colour.
fn colour_wanted(no_color: Option<&OsStr>, term: Option<&OsStr>) -> bool {
    no_color.is_none_or(OsStr::is_empty) && term != Some(OsStr::new("dumb"))
}

/// A reader that went away is no error of ours.
fn write_line(mut target: impl Write, text: impl Display) {
    let _ = writeln!(target, "{text}");
    let _ = target.flush();
}

fn width(text: &str) -> usize {
    text.chars().count()
}

fn joined<'a>(cells: impl Iterator<Item = &'a str>, widths: &[usize]) -> String {
    let mut line = String::new();
    for (cell, wide) in cells.zip(widths) {
        line.push_str(cell);
        line.extend(std::iter::repeat_n(' ', wide - width(cell) + 2));
    }
    line.truncate(line.trim_end().len());
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_color_and_dumb_terminals_get_no_colour() {
        assert!(colour_wanted(None, Some(OsStr::new("xterm"))));
        assert!(colour_wanted(Some(OsStr::new("")), None));
        assert!(!colour_wanted(Some(OsStr::new("1")), None));
        assert!(!colour_wanted(None, Some(OsStr::new("dumb"))));
    }

    #[test]
    fn columns_line_up_and_lines_end_without_blanks() {
        let widths = [4, 6, 2];
        assert_eq!(joined(["GET", "/posts", ""].into_iter(), &widths), "GET   /posts");
        assert_eq!(joined(["POST", "/", "x"].into_iter(), &widths), "POST  /       x");
    }

    #[test]
    fn paint_wraps_only_when_it_may() {
        assert_eq!(Paint(true).red("x"), "\u{1b}[1;31mx\u{1b}[0m");
        assert_eq!(Paint::plain().red("x"), "x");
    }
}
