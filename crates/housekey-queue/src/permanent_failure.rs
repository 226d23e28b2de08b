use std::fmt;

use housekey_core::Error;

/// Marks an error as final: the job goes to the failed ones at once, for trying again cannot help.
///
/// ```
/// use housekey_core::{Error, Result};
/// use housekey_queue::permanent_failure;
///
/// fn charge(card: &str) -> Result<()> {
///     if card.is_empty() {
///         return Err(permanent_failure(Error::internal("the customer has no card")));
///     }
///     Ok(())
/// }
/// # assert!(charge("").unwrap_err().to_string().contains("no card"));
/// ```
pub fn permanent_failure(error: Error) -> Error {
    Error::from(PermanentFailure(error))
}

#[derive(Debug)]
pub(crate) struct PermanentFailure(Error);

impl fmt::Display for PermanentFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

impl std::error::Error for PermanentFailure {}
