use std::fmt;

use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Messages by field, in the order the fields were checked.
///
/// ```
/// use housekey_core::FieldErrors;
///
/// let mut errors = FieldErrors::new();
/// errors.add("email", "The email is required.");
/// errors.add("email", "The email must be an e-mail address.");
///
/// assert_eq!(errors.first("email"), Some("The email is required."));
/// assert_eq!(errors.first("name"), None);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FieldErrors {
    fields: Vec<(String, Vec<String>)>,
}

impl FieldErrors {
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a message behind those that the field has already.
    pub fn add(&mut self, field: impl Into<String>, message: impl Into<String>) {
        let field = field.into();
        match self.fields.iter_mut().find(|(name, _)| *name == field) {
            Some((_, messages)) => messages.push(message.into()),
            None => self.fields.push((field, vec![message.into()])),
        }
    }

    pub fn first(&self, field: &str) -> Option<&str> {
        self.of(field).first().map(String::as_str)
    }

    /// All messages of a field; empty when it has none.
    pub fn of(&self, field: &str) -> &[String] {
        self.fields.iter().find(|(name, _)| name == field).map_or(&[], |(_, messages)| messages)
    }

    pub fn has(&self, field: &str) -> bool {
        !self.of(field).is_empty()
    }

    /// Whether there is no error at all.
    pub fn is_empty(&self) -> bool {
        self.fields.is_empty()
    }

    /// How many fields have errors.
    pub fn len(&self) -> usize {
        self.fields.len()
    }

    /// Fields with their messages, in order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &[String])> {
        self.fields.iter().map(|(name, messages)| (name.as_str(), messages.as_slice()))
    }

    /// One sentence for all: the first message, and how many more there are.
    pub fn summary(&self) -> String {
        let mut messages = self.fields.iter().flat_map(|(_, messages)| messages);
        let first = messages.next().map_or("The given data was invalid.", String::as_str);
        match messages.count() {
            0 => first.to_owned(),
            1 => format!("{first} (and 1 more error)"),
            more => format!("{first} (and {more} more errors)"),
        }
    }
}

impl Serialize for FieldErrors {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.fields.iter().map(|(name, messages)| (name, messages)))
    }
}

impl<'de> Deserialize<'de> for FieldErrors {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(InOrder)
    }
}

/// Reads the fields in the order they stand, which a map type would lose.
struct InOrder;

impl<'de> Visitor<'de> for InOrder {
    type Value = FieldErrors;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("messages by field")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<FieldErrors, A::Error> {
        let mut fields = Vec::new();
        while let Some(field) = map.next_entry()? {
            fields.push(field);
        }
        Ok(FieldErrors { fields })
    }
}

impl<F: Into<String>, M: Into<String>> FromIterator<(F, M)> for FieldErrors {
    fn from_iter<I: IntoIterator<Item = (F, M)>>(pairs: I) -> Self {
        let mut errors = Self::new();
        for (field, message) in pairs {
            errors.add(field, message);
        }
        errors
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_keep_their_order_through_json() {
        let errors: FieldErrors =
            [("name", "a"), ("email", "b"), ("age", "c"), ("email", "d")].into_iter().collect();
        let json = serde_json::to_string(&errors).unwrap();
        assert_eq!(json, r#"{"name":["a"],"email":["b","d"],"age":["c"]}"#);
        assert_eq!(serde_json::from_str::<FieldErrors>(&json).unwrap(), errors);
    }
}
