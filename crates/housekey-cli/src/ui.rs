//! Everything this command says. Colours are dropped by `anstream` where the output is not a terminal.
//!
//! A failed write is ignored on purpose: it means that nobody reads any more (`housekey … | head`).

use std::io::{IsTerminal, Write};

const BOLD: &str = "\x1b[1m";
const DIM: &str = "\x1b[2m";
const RED: &str = "\x1b[1;31m";
const GREEN: &str = "\x1b[1;32m";
const YELLOW: &str = "\x1b[1;33m";
const CYAN: &str = "\x1b[36m";
const RESET: &str = "\x1b[0m";

/// A line of output as it is.
pub(crate) fn line(text: &str) {
    let _ = writeln!(anstream::stdout().lock(), "{text}");
}

/// Something was done: the verb stands out, as in cargo's own output.
pub(crate) fn done(verb: &str, text: &str) {
    line(&format!("{GREEN}{verb:>12}{RESET} {text}"));
}

/// Something was left for a person to look at.
pub(crate) fn attention(verb: &str, text: &str) {
    line(&format!("{YELLOW}{verb:>12}{RESET} {text}"));
}

/// Something worth knowing that is no problem.
pub(crate) fn note(text: &str) {
    line(&format!("{DIM}{:>12} {text}{RESET}", ""));
}

/// Something is missing or odd, and the work goes on without it.
pub(crate) fn warning(text: &str) {
    let _ = writeln!(anstream::stderr().lock(), "{YELLOW}warning{RESET}: {text}");
}

/// The work stops here.
pub(crate) fn error(message: &str, help: Option<&str>) {
    let mut out = anstream::stderr().lock();
    let _ = writeln!(out, "{RED}error{RESET}: {message}");
    if let Some(help) = help {
        let _ = writeln!(out, "\n{help}");
    }
}

/// Text that may hold the colours of another program (a compiler message), on the error stream.
pub(crate) fn foreign(text: &str) {
    let _ = writeln!(anstream::stderr().lock(), "{}", text.trim_end());
}

/// A line of a child process, marked with where it comes from.
pub(crate) fn from_child(label: &str, text: &str) {
    line(&format!("{CYAN}{label:>6} │{RESET} {text}"));
}

/// One line that replaces itself. Only for terminals; ask [`is_live`] first.
pub(crate) fn transient(text: &str) {
    let mut out = anstream::stdout().lock();
    let _ = write!(out, "\r\x1b[K{text}");
    let _ = out.flush();
}

/// Removes the transient line before something lasting is printed.
pub(crate) fn clear_transient() {
    if is_live() {
        transient("");
    }
}

/// A command or an address inside a sentence.
pub(crate) fn strong(text: &str) -> String {
    format!("{BOLD}{text}{RESET}")
}

/// True when a person watches the output as it comes.
pub(crate) fn is_live() -> bool {
    std::io::stdout().is_terminal()
}

/// True when questions can be asked and answered.
pub(crate) fn can_ask() -> bool {
    std::io::stdin().is_terminal() && is_live()
}
