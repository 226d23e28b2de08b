use axum::body::Bytes;
use axum::extract::FromRequest;
use housekey_core::{Error, Result};
use housekey_validation::uploads::ReceivedFiles;
use housekey_validation::{RawInput, Rules};
use http::header::CONTENT_TYPE;
use http::{HeaderMap, StatusCode};
use serde_json::Value;

use super::form_body::{Field, FormBody};
use super::memory_limit::MemoryLimit;
use super::pairs;
use super::upload::Uploads;
use crate::{Request, uploads};

/// Reads a request's body: a form, with or without files, or JSON.
pub(super) async fn from_body(mut request: Request) -> Result<(RawInput, Uploads)> {
    if let Some(form) = FormBody::of(&mut request).await? {
        // With the form inside, which is not to be copied.
        drop(request);
        return Ok(from_form(form));
    }
    let is_json = is_json(request.headers());
    let body = read_body(request).await?;
    match (is_json, body.is_empty()) {
        (true, _) => Ok((read_json(&body)?, Uploads::default())),
        (false, true) => Ok((RawInput::Pairs(Vec::new()), Uploads::default())),
        (false, false) => Err(Error::unsupported_media_type()),
    }
}

/// The same, with files where the rules have a place for them. A large form is not in memory at any time.
pub(super) async fn receive(mut request: Request, rules: &Rules) -> Result<(RawInput, ReceivedFiles)> {
    if !FormBody::is_multipart_in(request.headers()) {
        // The route takes large bodies for the files that this one does not bring.
        if rules.take_files() {
            MemoryLimit::apply(&mut request);
        }
        return Ok((from_body(request).await?.0, ReceivedFiles::default()));
    }
    if !FormBody::is_read(&request) {
        let (pairs, files) = uploads::receive(request, |field| rules.file_limit(field)).await?;
        return Ok((RawInput::Pairs(pairs), files));
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
    Ok((RawInput::Pairs(pairs), files))
}

fn from_form(form: FormBody) -> (RawInput, Uploads) {
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
    (RawInput::Pairs(pairs), uploads)
}

pub(super) fn from_query(query: &str) -> Result<RawInput> {
    Ok(RawInput::Pairs(pairs::parse(query.as_bytes())?))
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
fn read_json(body: &[u8]) -> Result<RawInput> {
    let value: Value = serde_json::from_slice(body).map_err(|error| {
        Error::bad_request(format!(
            "The JSON is malformed at line {}, column {}.",
            error.line(),
            error.column()
        ))
    })?;
    match value {
        Value::Object(values) => Ok(RawInput::Json(values)),
        _ => Err(Error::bad_request("The JSON must be an object.")),
    }
}
