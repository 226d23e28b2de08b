use std::fmt;

use housekey_core::Result;
use lettre::message::Mailbox;
use serde::{Deserialize, Serialize};

use crate::MailError;

/// Somebody's mail address, with a name if there is one.
///
/// It is checked when the mail is rendered, not when it is written down, so that a message reads as one chain.
///
/// ```
/// use housekey_mail::Address;
///
/// assert_eq!(Address::from("Ada <ada@example.com>"), Address::named("ada@example.com", "Ada"));
/// assert_eq!(Address::new("ada@example.com").to_string(), "ada@example.com");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Address {
    /// `ada@example.com`
    pub email: String,
    /// The name shown beside it; empty for none.
    pub name: String,
}

impl Address {
    pub fn new(email: impl Into<String>) -> Self {
        Self { email: email.into(), name: String::new() }
    }

    pub fn named(email: impl Into<String>, name: impl Into<String>) -> Self {
        Self { email: email.into(), name: name.into() }
    }

    pub fn is_empty(&self) -> bool {
        self.email.trim().is_empty()
    }

    /// Whether both are the same mailbox. Capitals make no difference: no mail provider in use tells them apart.
    pub fn is_same_mailbox(&self, other: &Self) -> bool {
        self.email.trim().eq_ignore_ascii_case(other.email.trim())
    }

    pub(crate) fn checked(&self) -> Result<Mailbox> {
        let email = self.email.trim().parse().map_err(|_| {
            MailError::invalid(format!("{:?} is no mail address a message can go to", self.email))
        })?;
        let name = one_line(&self.name);
        Ok(Mailbox::new((!name.is_empty()).then_some(name), email))
    }
}

/// Text for a header: whatever could end the line becomes a space. With that a visitor's name or title can never
/// start a header of its own.
pub(crate) fn one_line(text: &str) -> String {
    // U+2028 and U+2029 end a line for some readers, U+0085 for old ones (it counts as control).
    let is_break = |char: char| char.is_control() || matches!(char, '\u{2028}' | '\u{2029}');
    let words: Vec<&str> =
        text.split(|char: char| is_break(char) || char == ' ').filter(|word| !word.is_empty()).collect();
    words.join(" ")
}

impl From<&str> for Address {
    /// Reads `ada@example.com` and `Ada <ada@example.com>`.
    fn from(text: &str) -> Self {
        match text.trim().strip_suffix('>').and_then(|text| text.rsplit_once('<')) {
            Some((name, email)) => Self::named(email.trim(), name.trim().trim_matches('"')),
            None => Self::new(text.trim()),
        }
    }
}

impl From<String> for Address {
    fn from(text: String) -> Self {
        text.as_str().into()
    }
}

impl From<&String> for Address {
    fn from(text: &String) -> Self {
        text.as_str().into()
    }
}

impl<E: Into<String>, N: Into<String>> From<(E, N)> for Address {
    /// The address, then the name.
    fn from((email, name): (E, N)) -> Self {
        Self::named(email, name)
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.name.as_str() {
            "" => f.write_str(&self.email),
            name => write!(f, "{name} <{}>", self.email),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_that_would_smuggle_a_second_one_in_is_refused() {
        for bad in [
            "",
            "ada",
            "ada@",
            "@example.com",
            "ada@example.com, eve@example.com",
            "ada@example.com\r\nBcc: eve@example.com",
            "ada@example.com>\r\nRCPT TO:<eve@example.com",
            "ada@exam ple.com",
        ] {
            assert!(Address::new(bad).checked().is_err(), "{bad:?}");
        }
    }

    #[test]
    fn a_name_stays_on_its_line() {
        let name = one_line("Ada\r\nBcc: eve@example.com\u{2028}X\u{85}Y\0Z");
        assert_eq!(name, "Ada Bcc: eve@example.com X Y Z");
    }

    #[test]
    fn an_international_domain_is_an_address() {
        assert!(Address::new("ada@bücher.example").checked().is_ok());
    }
}
