//! A failure told to a person: what happened, and what to do next.

use std::{borrow::Cow, error::Error, fmt};

/// What a command could not do, and how the reader gets out of it.
///
/// Converts into [`housekey_core::Error`] by `?`; the console prints the two on lines of their own.
///
/// ```
/// use housekey_console::Problem;
///
/// fn import(path: &str) -> housekey_core::Result<()> {
///     Err(Problem::new(format!("{path} does not exist")).remedy("Pass the path of a CSV file."))?
/// }
///
/// assert!(import("missing.csv").is_err());
/// ```
#[derive(Debug)]
pub struct Problem {
    what: Cow<'static, str>,
    remedy: Option<Cow<'static, str>>,
}

impl Problem {
    /// What happened, and where.
    pub fn new(what: impl Into<Cow<'static, str>>) -> Self {
        Self { what: what.into(), remedy: None }
    }

    /// What the reader can do about it.
    #[must_use]
    pub fn remedy(mut self, remedy: impl Into<Cow<'static, str>>) -> Self {
        self.remedy = Some(remedy.into());
        self
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.what)?;
        if let Some(remedy) = &self.remedy {
            write!(f, "\n{remedy}")?;
        }
        Ok(())
    }
}

impl Error for Problem {}
