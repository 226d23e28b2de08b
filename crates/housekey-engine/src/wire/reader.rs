use std::borrow::Cow;

use http::StatusCode;
use serde_json::{Map, Value};

use super::body::Body;
use crate::{Result, Secret, codes};

/// Reads fields one by one, remembers everything that is wrong, and says it all at once.
///
/// The messages are those of the reference's validation, which clients may show: `[body.email] Invalid email address`.
/// A field that is wrong reads as empty; [`finish`](Self::finish) must be called before any of them is used.
pub struct Reader<'a> {
    place: &'static str,
    fields: Option<Cow<'a, Map<String, Value>>>,
    /// What was there instead of an object.
    instead: &'static str,
    /// A form has texts only, so `true` is a text in it.
    is_form: bool,
    /// What the whole must be, in the words of the messages.
    shapes: &'static [&'static str],
    /// Whether a missing body is the same as one without fields.
    optional: bool,
    wrong: Vec<String>,
}

impl<'a> Reader<'a> {
    pub(super) fn of_body(body: &'a Body) -> Self {
        let (fields, is_form, instead) = match body {
            Body::Absent => (None, false, "undefined"),
            Body::Form(fields) => (Some(fields), true, ""),
            Body::Json(Value::Object(fields)) => (Some(fields), false, ""),
            Body::Json(other) => (None, false, type_of(Some(other))),
        };
        Self {
            place: "body",
            fields: fields.map(Cow::Borrowed),
            instead,
            is_form,
            shapes: &["object"],
            optional: false,
            wrong: Vec::new(),
        }
    }

    pub(super) fn of_query(fields: Map<String, Value>) -> Self {
        let fields = Some(Cow::Owned(fields));
        Self {
            place: "query",
            fields,
            instead: "",
            is_form: true,
            shapes: &["object"],
            optional: false,
            wrong: Vec::new(),
        }
    }

    /// Reads the fields of an object inside a body, which `place` names.
    pub fn of_fields(place: &'static str, fields: Map<String, Value>) -> Reader<'static> {
        Reader { place, is_form: false, ..Reader::of_query(fields) }
    }

    /// Says `record` where the endpoint takes any fields, as the reference does.
    #[must_use]
    pub fn shaped(mut self, shapes: &'static [&'static str]) -> Self {
        self.shapes = shapes;
        self
    }

    /// Takes no body for an empty one.
    #[must_use]
    pub fn or_empty(mut self) -> Self {
        self.optional = true;
        self
    }

    /// Text that must be there; it may be empty.
    pub fn text(&mut self, field: &str) -> String {
        let text = self.link(field);
        // No database keeps a NUL in a text, and no person types one.
        if text.contains('\0') {
            self.add_error(field, "Invalid input");
            return String::new();
        }
        text
    }

    /// An address that must be there, and that is judged as an address afterwards.
    pub(crate) fn link(&mut self, field: &str) -> String {
        match self.get(field) {
            Some(Value::String(text)) => text.clone(),
            other => {
                let received = type_of(other);
                self.add_error(field, &format!("Invalid input: expected string, received {received}"));
                String::new()
            }
        }
    }

    /// Text of at least one character.
    pub fn some_text(&mut self, field: &str) -> String {
        let text = self.text(field);
        match self.get(field) {
            Some(Value::String(_)) if text.is_empty() => {
                self.add_error(field, "Too small: expected string to have >=1 characters");
            }
            // The reference asks for one of anything that has a length.
            Some(Value::Array(items)) if items.is_empty() => {
                self.add_error(field, "Too small: expected array to have >=1 items");
            }
            _ => {}
        }
        text
    }

    /// Text that is a secret and must be there.
    pub fn secret(&mut self, field: &str) -> Secret {
        self.text(field).into()
    }

    pub fn email(&mut self, field: &str) -> String {
        let text = self.text(field);
        if matches!(self.get(field), Some(Value::String(_))) && !housekey_base::is_email(&text) {
            self.add_error(field, "Invalid email address");
        }
        text
    }

    pub fn optional_text(&mut self, field: &str) -> Option<String> {
        self.get(field)?;
        Some(self.text(field))
    }

    /// An address that may be left out, and that is judged as an address afterwards
    /// ([`Api::check_callback`](crate::Api::check_callback)).
    pub fn optional_link(&mut self, field: &str) -> Option<String> {
        self.get(field)?;
        Some(self.link(field))
    }

    /// Text that may be left out or null.
    pub fn nullable_text(&mut self, field: &str) -> Option<String> {
        match self.get(field) {
            Some(Value::Null) | None => None,
            Some(_) => Some(self.text(field)),
        }
    }

    /// Yes or no; may be left out.
    pub fn optional_bool(&mut self, field: &str) -> Option<bool> {
        match self.get(field)? {
            Value::Bool(value) => return Some(*value),
            Value::String(text) if self.is_form => match text.as_str() {
                "true" | "on" | "1" => return Some(true),
                "false" | "off" | "0" | "" => return Some(false),
                _ => {}
            },
            _ => {}
        }
        let received = type_of(self.get(field));
        self.add_error(field, &format!("Invalid input: expected boolean, received {received}"));
        None
    }

    /// One of some texts; may be left out.
    pub fn optional_choice(&mut self, field: &str, choices: &[&'static str]) -> Option<&'static str> {
        self.get(field)?;
        self.choice(field, choices)
    }

    /// One of some texts, which must be there.
    pub fn choice(&mut self, field: &str, choices: &[&'static str]) -> Option<&'static str> {
        let given = self.get(field).and_then(Value::as_str);
        let chosen = choices.iter().find(|&&choice| Some(choice) == given);
        if chosen.is_none() {
            let quoted: Vec<_> = choices.iter().map(|choice| format!("\"{choice}\"")).collect();
            self.add_error(field, &format!("Invalid option: expected one of {}", quoted.join("|")));
        }
        chosen.copied()
    }

    /// An object with any fields, which must be there.
    pub fn record(&mut self, field: &str) -> Map<String, Value> {
        match self.get(field) {
            Some(Value::Object(fields)) => fields.clone(),
            other => {
                let received = type_of(other);
                self.add_error(field, &format!("Invalid input: expected record, received {received}"));
                Map::new()
            }
        }
    }

    /// An object with any fields; may be left out.
    pub fn optional_record(&mut self, field: &str) -> Option<Map<String, Value>> {
        self.get(field)?;
        Some(self.record(field))
    }

    /// A list of texts; may be left out.
    pub fn optional_texts(&mut self, field: &str) -> Option<Vec<String>> {
        let Value::Array(items) = self.get(field)?.clone() else {
            let received = type_of(self.get(field));
            self.add_error(field, &format!("Invalid input: expected array, received {received}"));
            return None;
        };
        let mut texts = Vec::new();
        for (position, item) in items.into_iter().enumerate() {
            match item {
                Value::String(text) => texts.push(text),
                other => {
                    let received = type_of(Some(&other));
                    let what = format!("Invalid input: expected string, received {received}");
                    self.add_error(&format!("{field}.{position}"), &what);
                }
            }
        }
        Some(texts)
    }

    /// Texts by name; may be left out.
    pub fn optional_text_map(&mut self, field: &str) -> Option<Vec<(String, String)>> {
        let mut texts = Vec::new();
        for (name, value) in self.optional_record(field)? {
            match value {
                Value::String(text) => texts.push((name, text)),
                other => {
                    let received = type_of(Some(&other));
                    let what = format!("Invalid input: expected string, received {received}");
                    self.add_error(&format!("{field}.{name}"), &what);
                }
            }
        }
        Some(texts)
    }

    /// Any value, which must be there. It may be `null`, and is for something else to judge.
    pub fn value(&mut self, field: &str) -> Value {
        match self.get(field) {
            Some(value) => value.clone(),
            None => {
                self.add_error(field, "Invalid input: expected nonoptional, received undefined");
                Value::Null
            }
        }
    }

    /// All fields, for endpoints whose fields the options decide.
    pub fn all(&self) -> Map<String, Value> {
        self.fields.as_deref().cloned().unwrap_or_default()
    }

    /// Refuses the request if anything was wrong.
    pub fn finish(self) -> Result<()> {
        let missing = self.fields.is_none() && !(self.optional && self.instead == "undefined");
        let message = if missing {
            let (place, instead) = (self.place, self.instead);
            let expected = self.shapes.iter();
            let messages: Vec<_> = expected
                .map(|shape| format!("[{place}] Invalid input: expected {shape}, received {instead}"))
                .collect();
            messages.join("; ")
        } else if self.wrong.is_empty() {
            return Ok(());
        } else {
            self.wrong.join("; ")
        };
        Err(codes::VALIDATION_ERROR.saying(StatusCode::BAD_REQUEST, message))
    }

    /// Remembers something that is wrong with the whole, and nothing else.
    #[cfg(feature = "social")]
    pub(crate) fn fail_with(&mut self, what: &str) {
        self.wrong = vec![format!("[{}] {what}", self.place)];
    }

    /// Fields besides these, each in quotes.
    #[cfg(feature = "social")]
    pub(crate) fn others(&self, known: &[&str]) -> Vec<String> {
        let names = self.fields.iter().flat_map(|fields| fields.keys());
        names.filter(|name| !known.contains(&name.as_str())).map(|name| format!("{name:?}")).collect()
    }

    fn get(&self, field: &str) -> Option<&Value> {
        self.fields.as_deref().and_then(|fields| fields.get(field))
    }

    /// Remembers something else that is wrong with the whole.
    pub fn add_overall_error(&mut self, what: &str) {
        self.wrong.push(format!("[{}] {what}", self.place));
    }

    /// Remembers something else that is wrong with a field.
    pub fn add_error(&mut self, field: &str, what: &str) {
        self.wrong.push(format!("[{}.{field}] {what}", self.place));
    }
}

/// What JavaScript calls the type of a value, as far as messages do.
pub fn type_of(value: Option<&Value>) -> &'static str {
    match value {
        None => "undefined",
        Some(Value::Null) => "null",
        Some(Value::Bool(_)) => "boolean",
        Some(Value::Number(_)) => "number",
        Some(Value::String(_)) => "string",
        Some(Value::Array(_)) => "array",
        Some(Value::Object(_)) => "object",
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn everything_wrong_is_said_at_once() {
        let body =
            Body::Json(json!({ "email": "nobody", "password": 5, "rememberMe": "yes", "method": "sms" }));
        let mut reader = Reader::of_body(&body);
        reader.text("name");
        reader.email("email");
        reader.secret("password");
        reader.optional_bool("rememberMe");
        reader.optional_choice("method", &["otp", "totp"]);
        let error = reader.finish().unwrap_err();
        assert_eq!(
            error.message(),
            "[body.name] Invalid input: expected string, received undefined; [body.email] Invalid email address; \
             [body.password] Invalid input: expected string, received number; \
             [body.rememberMe] Invalid input: expected boolean, received string; \
             [body.method] Invalid option: expected one of \"otp\"|\"totp\""
        );
        assert_eq!(error.code(), Some("VALIDATION_ERROR"));
    }

    #[test]
    fn a_body_that_is_no_object_is_named() {
        for (body, instead) in
            [(Body::Absent, "undefined"), (Body::Json(json!([])), "array"), (Body::Json(json!(1)), "number")]
        {
            let message = Reader::of_body(&body).finish().unwrap_err().message().to_owned();
            assert_eq!(message, format!("[body] Invalid input: expected object, received {instead}"));
        }
        assert!(Reader::of_body(&Body::Absent).or_empty().finish().is_ok());
    }

    #[test]
    fn a_form_s_texts_can_mean_yes() {
        let fields = [("rememberMe".to_owned(), json!("true"))].into_iter().collect();
        let body = Body::Form(fields);
        assert_eq!(Reader::of_body(&body).optional_bool("rememberMe"), Some(true));
    }
}
