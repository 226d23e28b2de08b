use housekey_core::{FieldErrors, Scope};
use serde_json::{Map, Value};

use super::back::{FORM, RefusedForm};
use crate::session::flashed;

/// The messages that were flashed to this request, for a form to show.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ErrorBag(FieldErrors);

impl ErrorBag {
    /// The messages that wait in a session's contents for the next page, for tests to look at.
    pub fn in_session(contents: &Map<String, Value>) -> Self {
        let form: Option<RefusedForm> =
            contents.get(FORM).and_then(|form| serde_json::from_value(form.clone()).ok());
        form.map_or_else(Self::default, |form| Self(form.errors()))
    }

    pub fn first(&self, field: &str) -> Option<String> {
        self.0.first(field).map(str::to_owned)
    }

    /// All messages of a field.
    pub fn of(&self, field: &str) -> Vec<String> {
        self.0.of(field).to_vec()
    }

    pub fn has(&self, field: &str) -> bool {
        self.0.has(field)
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Every message with its field, in the order of the rules: for a summary above a form.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0
            .iter()
            .flat_map(|(field, messages)| messages.iter().map(move |message| (field, message.as_str())))
    }
}

/// The messages for this page's form: what validation said about the input that was sent before. Empty when there
/// was none, and outside a request.
///
/// ```
/// use housekey_http::validation::errors;
///
/// let message: Option<String> = errors().first("email");
/// assert_eq!(message, None);
/// ```
pub fn errors() -> ErrorBag {
    refused().map_or_else(ErrorBag::default, |form| ErrorBag(form.errors()))
}

/// What was typed into a field before the form was refused; empty when there is nothing to give back. Passwords,
/// tokens and the like never come back.
///
/// ```
/// use housekey_http::validation::old;
///
/// assert_eq!(old("email"), "");
/// ```
pub fn old(field: &str) -> String {
    old_list(field).pop().unwrap_or_default()
}

/// What was typed into a field before the form was refused, or `otherwise` when the form is shown for the first
/// time: for a form that edits something there is. A page may have several forms; those that were not sent keep what
/// stands in them.
pub fn old_or(field: &str, otherwise: impl Into<String>) -> String {
    match refused() {
        Some(form) if form.old.contains_key(field) => old(field),
        _ => otherwise.into(),
    }
}

/// Whether a box was ticked before the form was refused, or `otherwise` when the form is shown for the first time. A form
/// says nothing of a box that is not ticked, so one that was left empty stays empty.
pub fn old_choice(field: &str, otherwise: bool) -> bool {
    match refused() {
        Some(form) if !form.old.is_empty() => !matches!(old(field).as_str(), "" | "0" | "false" | "off"),
        _ => otherwise,
    }
}

/// Everything that was chosen in a field of several values before the form was refused.
pub fn old_list(field: &str) -> Vec<String> {
    match refused().and_then(|mut form| form.old.remove(field)) {
        Some(Value::Array(items)) => items.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
        Some(Value::String(text)) => vec![text],
        _ => Vec::new(),
    }
}

/// Everything that was chosen in a field of several values before the form was refused, or `otherwise` when the form is shown
/// for the first time. A form says nothing of boxes that are not ticked, so none chosen stays none.
pub fn old_list_or<S: ToString>(field: &str, otherwise: impl IntoIterator<Item = S>) -> Vec<String> {
    match refused() {
        Some(form) if !form.old.is_empty() => old_list(field),
        _ => otherwise.into_iter().map(|value| value.to_string()).collect(),
    }
}

/// The form that is shown again: in this very answer, or after a redirect.
fn refused() -> Option<RefusedForm> {
    let here = Scope::read(Scope::get::<RefusedForm>).flatten();
    here.map_or_else(|| flashed(FORM), |form| Some((*form).clone()))
}
