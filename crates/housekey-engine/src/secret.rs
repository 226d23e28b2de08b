use std::fmt;

use serde::{Deserialize, Serialize};
use subtle::ConstantTimeEq;

/// Text that must not be printed: the engine's secret, a password, a token.
///
/// `Debug` shows a placeholder and comparison does not tell by its time where two texts differ. It serialises as
/// its real value, because a cached configuration has to hold it; whoever shows a configuration knows it by the name of
/// the newtype.
///
/// ```
/// use housekey_engine::Secret;
///
/// let secret = Secret::from("correct horse");
/// assert_eq!(format!("{secret:?}"), "[secret]");
/// assert_eq!(secret.reveal(), "correct horse");
/// ```
#[derive(Clone, Default, Eq, Serialize, Deserialize)]
pub struct Secret(String);

impl Secret {
    /// The text itself.
    pub fn reveal(&self) -> &str {
        &self.0
    }

    /// Whether there is no text.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl PartialEq for Secret {
    fn eq(&self, other: &Self) -> bool {
        same(self.0.as_bytes(), other.0.as_bytes())
    }
}

impl<T: Into<String>> From<T> for Secret {
    fn from(text: T) -> Self {
        Self(text.into())
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[secret]")
    }
}

/// Compares two byte strings in a time that depends on their lengths only, so that the time of an answer does not tell
/// how much of a guess was right.
///
/// ```
/// assert!(housekey_engine::same_secret(b"123456", b"123456"));
/// assert!(!housekey_engine::same_secret(b"123456", b"123457"));
/// ```
pub fn same(a: &[u8], b: &[u8]) -> bool {
    a.ct_eq(b).into()
}
