use axum::body::Bytes;
use axum::extract::FromRequest;
use housekey_core::{Error, FieldErrors, Result};
use http::header::CONTENT_TYPE;
use http::{HeaderMap, StatusCode};
use serde_json::{Map, Value};

use super::form_body::{Field, FormBody};
use super::kind::Kind;
use super::memory_limit::MemoryLimit;
use super::messages::Messages;
use super::pairs;
use super::rules::Rules;
use super::secrets::is_secret_name;
use super::upload::Uploads;
use crate::Request;
use crate::uploads::{self, ReceivedFiles};

/// What a client sent, as one tree of values.
#[derive(Debug)]
pub(super) struct Input {
    pub(super) source: Source,
    pub(super) values: Map<String, Value>,
    /// What the handles among the values stand for.
    pub(super) files: ReceivedFiles,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Source {
    /// Names and texts: forms and queries.
    Form,
    /// Typed values.
    Json,
}

/// Input before anybody knows what it should look like.
#[derive(Debug)]
pub(super) enum Raw {
    Pairs(Vec<(String, String)>),
    Json(Map<String, Value>),
}

/// Fields of the framework's own; no app asks for them.
pub(super) const OURS: [&str; 2] = ["_token", "_method"];

impl Raw {
    /// Reads a request's body: a form, with or without files, or JSON.
    pub(super) async fn from_body(mut request: Request) -> Result<(Self, Uploads)> {
        if let Some(form) = FormBody::of(&mut request).await? {
            // With the form inside, which is not to be copied.
            drop(request);
            return Ok(Self::from_form(form));
        }
        let is_json = is_json(request.headers());
        let body = read_body(request).await?;
        match (is_json, body.is_empty()) {
            (true, _) => Ok((read_json(&body)?, Uploads::default())),
            (false, true) => Ok((Self::Pairs(Vec::new()), Uploads::default())),
            (false, false) => Err(Error::unsupported_media_type()),
        }
    }

    /// The same, with files where the rules have a place for them. A large form is not in memory at any time.
    pub(super) async fn receive(mut request: Request, rules: &Rules) -> Result<(Self, ReceivedFiles)> {
        if !FormBody::is_multipart_in(request.headers()) {
            // The route takes large bodies for the files that this one does not bring.
            if rules.take_files() {
                MemoryLimit::apply(&mut request);
            }
            return Ok((Self::from_body(request).await?.0, ReceivedFiles::default()));
        }
        if !FormBody::is_read(&request) {
            let (pairs, files) = uploads::receive(request, |field| rules.file_limit(field)).await?;
            return Ok((Self::Pairs(pairs), files));
        }
        let form = FormBody::of(&mut request).await?;
        drop(request);
        let (mut pairs, mut files) = (Vec::new(), ReceivedFiles::default());
        for (name, field) in form.map(FormBody::into_fields).unwrap_or_default() {
            let value = match field {
                Field::Text(text) => text,
                Field::File(file) => match rules.file_limit(&name) {
                    Some(limit) => {
                        files.expect_another()?;
                        files.add(&name, uploads::from_memory(file.name, file.bytes, limit).await?)
                    }
                    None => file.name().to_owned(),
                },
            };
            pairs.push((name, value));
        }
        Ok((Self::Pairs(pairs), files))
    }

    fn from_form(form: FormBody) -> (Self, Uploads) {
        let (mut pairs, mut uploads) = (Vec::new(), Uploads::default());
        for (name, field) in form.into_fields() {
            match field {
                Field::Text(text) => pairs.push((name, text)),
                Field::File(file) => {
                    // Among the values a file is its name, so that `required()` is met by a file as by a text.
                    pairs.push((name.clone(), file.name().to_owned()));
                    uploads.0.push((name, file));
                }
            }
        }
        (Self::Pairs(pairs), uploads)
    }

    pub(super) fn from_query(query: &str) -> Result<Self> {
        Ok(Self::Pairs(pairs::parse(query.as_bytes())?))
    }

    /// Gives pairs their form: a repeated key is a list where the type has one, else its last value counts.
    pub(super) fn arrange(self, rules: &Rules) -> Result<Input> {
        let pairs = match self {
            Self::Json(values) => return Ok(Input::json(values)),
            Self::Pairs(pairs) => pairs,
        };
        let mut values = Map::new();
        let mut errors = FieldErrors::new();
        for (name, value) in pairs.into_iter().filter(|(name, _)| !OURS.contains(&name.as_str())) {
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
    pub(super) fn json(values: Map<String, Value>) -> Self {
        Self { source: Source::Json, values, files: ReceivedFiles::default() }
    }

    /// Cuts spaces off the ends of texts, secrets excepted: nobody means them, and an address with one behind it
    /// finds nobody.
    pub(super) fn trim(&mut self, rules: &Rules) {
        for (name, value) in &mut self.values {
            let is_untrimmed = rules.of(name).is_some_and(|field| field.is_untrimmed);
            if !is_untrimmed && !rules.is_secret(name) {
                trim(value);
            }
        }
    }

    /// A form says nothing of boxes that are not ticked and lists that have no items: that means no, and none.
    pub(super) fn fill_gaps(&mut self, rules: &Rules) {
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

fn is_json(headers: &HeaderMap) -> bool {
    let header = headers.get(CONTENT_TYPE).and_then(|header| header.to_str().ok()).unwrap_or_default();
    let kind = header.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    kind == "application/json" || (kind.starts_with("application/") && kind.ends_with("+json"))
}

async fn read_body(request: Request) -> Result<Bytes> {
    Bytes::from_request(request, &()).await.map_err(|rejection| match rejection.status() {
        StatusCode::PAYLOAD_TOO_LARGE => Error::payload_too_large(),
        _ => Error::bad_request("The request's body could not be read to its end."),
    })
}

/// Nesting deeper than 128 levels counts as malformed: the parser refuses it before the stack would.
fn read_json(body: &[u8]) -> Result<Raw> {
    let value: Value = serde_json::from_slice(body).map_err(|error| {
        Error::bad_request(format!(
            "The JSON is malformed at line {}, column {}.",
            error.line(),
            error.column()
        ))
    })?;
    match value {
        Value::Object(values) => Ok(Raw::Json(values)),
        _ => Err(Error::bad_request("The JSON must be an object.")),
    }
}
