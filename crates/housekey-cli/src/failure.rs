//! What went wrong, told to the person at the terminal: what happened, and what to do about it.

use std::fmt;
use std::process::ExitCode;

use crate::ui;

/// The command was typed wrongly or cannot be meant: nothing was tried.
const USAGE: u8 = 2;
/// The command was understood, tried, and did not succeed.
const FAILED: u8 = 1;

#[derive(Debug)]
pub(crate) struct Failure {
    code: u8,
    message: String,
    help: Option<String>,
}

impl Failure {
    pub(crate) fn usage(message: impl Into<String>) -> Self {
        Self { code: USAGE, message: message.into(), help: None }
    }

    pub(crate) fn failed(message: impl Into<String>) -> Self {
        Self { code: FAILED, message: message.into(), help: None }
    }

    pub(crate) fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    pub(crate) fn report(&self) -> ExitCode {
        ui::error(&self.message, self.help.as_deref());
        ExitCode::from(self.code)
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        self.help.as_ref().map_or(Ok(()), |help| write!(f, "\n{help}"))
    }
}
