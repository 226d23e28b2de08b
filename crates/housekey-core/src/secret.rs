use std::fmt;
use std::ops::Deref;

use serde::{Deserialize, Serialize, Serializer};
use subtle::ConstantTimeEq;

use crate::config::rendering::{self, Mode};

/// Text that must not be printed: keys, passwords, tokens.
///
/// `Debug` and `Display` show a placeholder; comparison takes the same time wherever the difference is. It
/// serialises as its real value, because a cached configuration has to hold it.
///
/// ```
/// use housekey_core::Secret;
///
/// let password = Secret::from("correct horse");
/// assert_eq!(format!("{password} {password:?}"), "[secret] [secret]");
/// assert_eq!(password.reveal(), "correct horse");
/// ```
// Not `serde(transparent)`: by the newtype's name a reader of forms knows that the field must not be shown again.
#[derive(Clone, Default, Deserialize, Eq)]
pub struct Secret(String);

impl Secret {
    /// The text itself. The name is long on purpose: it should stand out where it is read.
    pub fn reveal(&self) -> &str {
        &self.0
    }

    /// Whether there is no text.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The text's length in bytes.
    pub fn len(&self) -> usize {
        self.0.len()
    }
}

impl Serialize for Secret {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let shown = rendering::mode() == Mode::Show && !self.is_empty();
        serializer.serialize_str(if shown { "[secret]" } else { &self.0 })
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

impl PartialEq for Secret {
    fn eq(&self, other: &Self) -> bool {
        constant_time_eq(self.0.as_bytes(), other.0.as_bytes())
    }
}

impl From<String> for Secret {
    fn from(text: String) -> Self {
        Self(text)
    }
}

impl From<&str> for Secret {
    fn from(text: &str) -> Self {
        Self(text.to_owned())
    }
}

impl Deref for Secret {
    type Target = str;

    fn deref(&self) -> &str {
        self.reveal()
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

/// Compares two byte strings in a time that depends on their lengths only.
///
/// ```
/// use housekey_core::constant_time_eq;
///
/// assert!(constant_time_eq(b"token", b"token"));
/// assert!(!constant_time_eq(b"token", b"tokem"));
/// ```
pub fn constant_time_eq(a: &[u8], b: &[u8]) -> bool {
    a.ct_eq(b).into()
}
