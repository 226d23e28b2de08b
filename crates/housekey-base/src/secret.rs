use std::fmt;

use serde::{Deserialize, Serialize};
use subtle::ConstantTimeEq;

/// Text that must not be printed: keys, passwords, tokens.
///
/// `Debug` and `Display` show a placeholder; comparison takes the same time wherever the difference is. It
/// serialises as its real value, because a cached configuration has to hold it.
///
/// ```
/// use housekey_base::Secret;
///
/// let password = Secret::from("correct horse");
/// assert_eq!(format!("{password} {password:?}"), "[secret] [secret]");
/// assert_eq!(password.reveal(), "correct horse");
/// ```
// Not `serde(transparent)`: by the name of the newtype whoever shows a configuration, or a form again, knows that this
// must not be shown.
#[derive(Clone, Default, Eq, Serialize, Deserialize)]
pub struct Secret(String);

impl Secret {
    /// The text itself. The name is long on purpose: it should stand out where it is read.
    pub fn reveal(&self) -> &str {
        &self.0
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The text's length in bytes.
    pub fn len(&self) -> usize {
        self.0.len()
    }
}

impl PartialEq for Secret {
    fn eq(&self, other: &Self) -> bool {
        constant_time_eq(self.0.as_bytes(), other.0.as_bytes())
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

impl fmt::Display for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[secret]")
    }
}

/// Text for a client, which has to send it.
#[cfg(feature = "types")]
impl ts_rs::TS for Secret {
    type WithoutGenerics = Self;
    type OptionInnerType = Self;

    fn name(_: &ts_rs::Config) -> String {
        "string".into()
    }

    fn inline(config: &ts_rs::Config) -> String {
        Self::name(config)
    }
}

/// Compares two byte strings in a time that depends on their lengths only, so that the time of an answer does not tell
/// how much of a guess was right.
///
/// ```
/// use housekey_base::constant_time_eq;
///
/// assert!(constant_time_eq(b"token", b"token"));
/// assert!(!constant_time_eq(b"token", b"tokem"));
/// ```
pub fn constant_time_eq(a: &[u8], b: &[u8]) -> bool {
    a.ct_eq(b).into()
}
