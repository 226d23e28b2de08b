//! What people see: headings, notes and the closing table.

use std::fmt::Display;
use std::io::{self, IsTerminal, Write};

/// Whether to paint: only for a terminal, and not when `NO_COLOR` asks for plain text.
pub(crate) fn colour() -> bool {
    io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none()
}

pub(crate) fn line(text: impl Display) {
    // A closed pipe (`cargo xtask coverage | head`) is the reader's choice, not our failure.
    let _ = writeln!(io::stdout().lock(), "{text}");
}

/// Opens a step: `── clippy ─────`.
pub(crate) fn heading(text: &str) {
    let rule = "─".repeat(72_usize.saturating_sub(text.chars().count() + 4));
    line(format_args!("\n{}", bold(&format!("── {text} {rule}"))));
}

pub(crate) fn note(text: impl Display) {
    line(format_args!("   {text}"));
}

pub(crate) fn error(text: impl Display) {
    let _ = writeln!(io::stderr().lock(), "{} {text}", red("error:"));
}

pub(crate) fn bold(text: &str) -> String {
    paint("1", text)
}

pub(crate) fn green(text: &str) -> String {
    paint("32", text)
}

pub(crate) fn red(text: &str) -> String {
    paint("31", text)
}

fn paint(code: &str, text: &str) -> String {
    if colour() { format!("\u{1b}[{code}m{text}\u{1b}[0m") } else { text.to_owned() }
}

/// A table with aligned columns: the first to the left, the others to the right.
///
/// Cells are measured before painting, so colour goes on afterwards with `paint_row`.
pub(crate) fn table(rows: &[Vec<String>], paint_row: impl Fn(usize, String) -> String) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| {
        rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let mut out = String::new();
    for (index, row) in rows.iter().enumerate() {
        let mut text = String::from("  ");
        for (column, cell) in row.iter().enumerate() {
            let gap = " ".repeat(widths[column] - cell.chars().count());
            text += &if column == 0 { format!("{cell}{gap}") } else { format!("  {gap}{cell}") };
        }
        out += &paint_row(index, text.trim_end().to_owned());
        out.push('\n');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_aligns_names_left_and_numbers_right() {
        let rows = vec![vec!["fmt".into(), "0.4 s".into()], vec!["clippy".into(), "12.0 s".into()]];
        assert_eq!(table(&rows, |_, row| row), "  fmt      0.4 s\n  clippy  12.0 s\n");
    }
}
