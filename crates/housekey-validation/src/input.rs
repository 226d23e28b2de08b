use housekey_core::{Error, FieldErrors, Result};
use serde_json::{Map, Value};

use crate::kind::Kind;
use crate::messages::Messages;
use crate::rules::Rules;
use crate::secrets::is_secret_name;
use crate::uploads::ReceivedFiles;

/// What a client sent, as one tree of values.
#[derive(Debug)]
pub struct Input {
    pub(crate) source: Source,
    pub(crate) values: Map<String, Value>,
    /// What the handles among the values stand for.
    pub(crate) files: ReceivedFiles,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Source {
    /// Names and texts: forms and queries.
    Form,
    /// Typed values.
    Json,
}

/// Input before anybody knows what it should look like.
#[derive(Debug)]
pub enum RawInput {
    /// The fields of a form or of a query, in their order. A file stands among them by its handle, see [`ReceivedFiles`].
    Pairs(Vec<(String, String)>),
    Json(Map<String, Value>),
}

/// Fields of the framework's own; no app asks for them.
pub const FRAMEWORK_FIELDS: [&str; 2] = ["_token", "_method"];

impl RawInput {
    /// Gives pairs their form: a repeated key is a list where the type has one, else its last value counts.
    pub fn arrange(self, rules: &Rules) -> Result<Input> {
        let pairs = match self {
            Self::Json(values) => return Ok(Input::json(values)),
            Self::Pairs(pairs) => pairs,
        };
        let mut values = Map::new();
        let mut errors = FieldErrors::new();
        for (name, value) in pairs.into_iter().filter(|(name, _)| !FRAMEWORK_FIELDS.contains(&name.as_str()))
        {
            match bracketed(&name).filter(|field| rules.is_list(field)) {
                // Not guessed at: half the world means one thing by brackets and half another.
                Some(field) if errors.of(field).is_empty() => {
                    errors.add(field, bracket_message(rules, field));
                }
                Some(_) => {}
                None if rules.is_list(&name) => match values.get_mut(&name) {
                    Some(Value::Array(list)) => list.push(value.into()),
                    _ => drop(values.insert(name, vec![Value::from(value)].into())),
                },
                None => drop(values.insert(name, value.into())),
            }
        }
        match errors.is_empty() {
            true => Ok(Input { source: Source::Form, values, files: ReceivedFiles::default() }),
            false => Err(Error::invalid(errors)),
        }
    }
}

impl Input {
    pub(crate) fn json(values: Map<String, Value>) -> Self {
        Self { source: Source::Json, values, files: ReceivedFiles::default() }
    }

    /// The same with the files that its handles stand for.
    #[must_use]
    pub fn with_files(self, files: ReceivedFiles) -> Self {
        Self { files, ..self }
    }

    /// What was sent, by the names of the fields.
    pub fn values(&self) -> &Map<String, Value> {
        &self.values
    }

    /// Whether a file came in a field.
    pub fn has_file(&self, field: &str) -> bool {
        self.files.is_of_field(field)
    }

    /// Cuts spaces off the ends of texts, secrets excepted: nobody means them, and an address with one behind it
    /// finds nobody.
    pub(crate) fn trim(&mut self, rules: &Rules) {
        for (name, value) in &mut self.values {
            let is_untrimmed = rules.of(name).is_some_and(|field| field.is_untrimmed);
            if !is_untrimmed && !rules.is_secret(name) {
                trim(value);
            }
        }
    }

    /// A form says nothing of boxes that are not ticked and lists that have no items: that means no, and none.
    pub(crate) fn fill_gaps(&mut self, rules: &Rules) {
        if self.source == Source::Json {
            return;
        }
        for field in &rules.fields {
            let gap = match field.kind {
                Kind::Bool => Value::Bool(false),
                Kind::List => Value::Array(Vec::new()),
                _ => continue,
            };
            self.values.entry(field.name).or_insert(gap);
        }
    }
}

fn trim(value: &mut Value) {
    match value {
        Value::String(text) => {
            let trimmed = text.trim();
            if trimmed.len() != text.len() {
                *text = trimmed.to_owned();
            }
        }
        Value::Array(items) => items.iter_mut().for_each(trim),
        Value::Object(map) => {
            map.iter_mut().filter(|(name, _)| !is_secret_name(name)).for_each(|(_, value)| trim(value));
        }
        _ => {}
    }
}

/// `ids` of `ids[]` and of `ids[3]`.
fn bracketed(name: &str) -> Option<&str> {
    name.split_once('[').filter(|(_, rest)| rest.ends_with(']')).map(|(field, _)| field)
}

fn bracket_message(rules: &Rules, field: &str) -> String {
    let messages = Messages::ambient();
    let label = messages.label(rules, field);
    messages.render("The :field must be sent by repeating its name, without brackets.", &[("field", &label)])
}
