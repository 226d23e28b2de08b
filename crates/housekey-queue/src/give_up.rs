use std::fmt;

use housekey_core::Error;

/// Marks an error as final: the job goes to the failed ones at once, for trying again cannot help.
///
/// ```
/// use housekey_core::{Error, Result};
/// use housekey_queue::give_up;
///
/// fn charge(card: &str) -> Result<()> {
///     if card.is_empty() {
///         return Err(give_up(Error::internal("the customer has no card")));
///     }
///     Ok(())
/// }
/// # assert!(charge("").unwrap_err().to_string().contains("no card"));
/// ```
pub fn give_up(error: Error) -> Error {
    Error::from(GivenUp(error))
}

#[derive(Debug)]
pub(crate) struct GivenUp(Error);

impl fmt::Display for GivenUp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

impl std::error::Error for GivenUp {}
