//! One endpoint as an operation.

use std::collections::BTreeMap;

use http::StatusCode;
use serde_json::{Map, Value as Json, json};

use super::{OpenApi, example, has_body, schema};
use crate::api::is_handled;
use crate::schema::Column;
use crate::{Columns, Description, Endpoint, Media};

pub(super) fn operation(api: &OpenApi<'_>, endpoint: &Endpoint) -> Json {
    let description = endpoint.description();
    let (summary, more) = in_two(&description.about);
    let mut operation = Map::new();
    let mut say = |name: &str, value: Json| drop(operation.insert(name.to_owned(), value));
    say("operationId", id(api, endpoint).into());
    say("tags", json!([api.tag(endpoint)]));
    say("summary", summary.into());
    if !more.is_empty() {
        say("description", more.into());
    }
    let parameters = parameters(api, endpoint);
    if !parameters.is_empty() {
        say("parameters", parameters.into());
    }
    if let Some(body) = body(api, endpoint) {
        say("requestBody", body);
    }
    say("responses", responses(api, endpoint));
    if description.needs_session {
        say("security", api.security());
    }
    operation.into()
}

/// The first sentence, and what follows it.
fn in_two(about: &str) -> (&str, &str) {
    match about.split_once(". ") {
        Some((first, rest)) => (first, rest),
        None => (about.trim_end_matches('.'), ""),
    }
}

/// `signInEmail`, and the method behind it where a path has several.
fn id(api: &OpenApi<'_>, endpoint: &Endpoint) -> String {
    let mut id = String::new();
    for part in endpoint.path().split(['/', '-', ':', '_', '.']).filter(|part| !part.is_empty()) {
        let mut letters = part.chars();
        match letters.next() {
            Some(first) if !id.is_empty() => id.extend(first.to_uppercase()),
            first => id.extend(first),
        }
        id.push_str(letters.as_str());
    }
    let is_twin = |other: &&Endpoint| other.path() == endpoint.path();
    if has_body(endpoint.method()) && api.engine.endpoints().iter().filter(is_twin).count() > 1 {
        let method = endpoint.method().as_str();
        id.push_str(method.get(..1).unwrap_or_default());
        id.push_str(&method.get(1..).unwrap_or_default().to_lowercase());
    }
    id
}

fn parameters(api: &OpenApi<'_>, endpoint: &Endpoint) -> Vec<Json> {
    let description = endpoint.description();
    let in_path = endpoint.path().split_once("/:").map(|(_, name)| {
        json!({
            "name": name,
            "in": "path",
            "required": true,
            "description": description.parameter,
            "schema": { "type": "string" },
        })
    });
    let in_query = description.query.iter().map(|field| {
        let mut schema = schema::of_field(field, api.engine);
        let about = schema.as_object_mut().and_then(|schema| schema.remove("description"));
        let mut parameter = json!({
            "name": field.name(),
            "in": "query",
            "required": field.is_required(),
            "schema": schema,
        });
        if let (Some(parameter), Some(about)) = (parameter.as_object_mut(), about) {
            parameter.insert("description".into(), about);
        }
        parameter
    });
    in_path.into_iter().chain(in_query).collect()
}

fn body(api: &OpenApi<'_>, endpoint: &Endpoint) -> Option<Json> {
    let description = endpoint.description();
    let takes = !description.body.is_empty() || description.columns.is_some();
    if !takes || !has_body(endpoint.method()) {
        return None;
    }
    let mut fields = schema::object(&description.body, api.engine);
    let mut example = example::of_fields(&description.body);
    for (column, is_required) in columns(api, description) {
        add(&mut fields, &mut example, column, is_required);
    }
    let content = json!({ "schema": fields, "example": example });
    let mut media = Map::new();
    media.insert("application/json".into(), content.clone());
    if endpoint.media() == Media::JsonOrForm {
        media.insert("application/x-www-form-urlencoded".into(), content);
    }
    Some(json!({ "required": !description.is_body_optional, "content": media }))
}

/// The columns that are taken beside the fields, and whether each has to be there.
fn columns<'a>(
    api: &OpenApi<'a>,
    description: &'a Description,
) -> impl Iterator<Item = (&'a Column, bool)> + use<'a> {
    let named = description.columns.as_ref();
    let table = named.and_then(|(table, how)| Some((api.engine.schema().table(table)?, *how)));
    table.into_iter().flat_map(|(table, how)| {
        let taken = table.columns.iter().filter(|column| column.input && !is_handled(&column.field));
        taken.map(move |column| {
            (column, how == Columns::Create && !column.nullable && column.default.is_none())
        })
    })
}

fn add(fields: &mut Json, example: &mut Json, column: &Column, is_required: bool) {
    let schema = schema::of_column(column);
    let sample = match schema.get("type").and_then(Json::as_str) {
        Some("boolean") => json!(true),
        Some("integer") => json!(1),
        _ if schema.get("format").is_some() => json!("2026-01-02T03:04:05.678Z"),
        _ => json!("text"),
    };
    if let Some(Json::Object(properties)) = fields.get_mut("properties") {
        properties.insert(column.field.to_string(), schema);
    }
    let Some(fields) = fields.as_object_mut().filter(|_| is_required) else { return };
    if let Json::Array(required) = fields.entry("required").or_insert_with(|| json!([])) {
        required.push(column.field.clone().into());
    }
    if let Some(example) = example.as_object_mut() {
        example.insert(column.field.to_string(), sample);
    }
}

fn responses(api: &OpenApi<'_>, endpoint: &Endpoint) -> Json {
    let description = endpoint.description();
    let mut responses = Map::new();
    if let Some(done) = done(api, description) {
        responses.insert("200".into(), done);
    }
    if description.redirects {
        responses.insert(
            "302".into(),
            json!({
                "description": "The browser is sent elsewhere.",
                "headers": { "location": { "schema": { "type": "string", "format": "uri-reference" } } },
            }),
        );
    }
    for (status, sentences) in refusals(api, endpoint) {
        responses.insert(
            status.as_str().to_owned(),
            json!({
                "description": sentences.join(" "),
                "content": { "application/json": { "schema": schema::reference(schema::ERROR) } },
            }),
        );
    }
    responses.into()
}

fn done(api: &OpenApi<'_>, description: &Description) -> Option<Json> {
    let mut content = Map::new();
    if let Some(answer) = &description.answer {
        let mut answer = schema::of(answer, api.engine);
        if description.may_challenge && api.challenges() {
            answer = json!({ "anyOf": [answer, schema::reference(schema::CHALLENGE)] });
        }
        content.insert("application/json".into(), json!({ "schema": answer }));
    }
    if description.has_page {
        content.insert("text/html".into(), json!({ "schema": { "type": "string" } }));
    }
    match content.is_empty() {
        true if description.redirects => None,
        true => Some(json!({ "description": "Done." })),
        false => Some(json!({ "description": "Done.", "content": content })),
    }
}

/// What every endpoint of its kind may refuse, and what this one says besides: sentences by status.
fn refusals(api: &OpenApi<'_>, endpoint: &Endpoint) -> BTreeMap<StatusCode, Vec<String>> {
    let description = endpoint.description();
    let mut refusals = BTreeMap::<_, Vec<String>>::new();
    let mut say = |status, sentence: String| refusals.entry(status).or_default().push(sentence);
    let takes_something =
        !description.body.is_empty() || !description.query.is_empty() || description.columns.is_some();
    if takes_something {
        let sentence = "`VALIDATION_ERROR`: what was sent is not what is described.";
        say(StatusCode::BAD_REQUEST, sentence.into());
    }
    if description.needs_session {
        say(StatusCode::UNAUTHORIZED, "Nobody is signed in.".into());
    }
    if has_body(endpoint.method()) {
        say(StatusCode::FORBIDDEN, "The request comes from a page of another site.".into());
    }
    for (status, code) in &description.refusals {
        say(*status, format!("`{}`: {}.", code.code, code.message.trim_end_matches(['.', '!'])));
    }
    if api.engine.core.limiter.is_some() {
        say(
            StatusCode::TOO_MANY_REQUESTS,
            "Too many requests; `x-retry-after` tells when to try again.".into(),
        );
    }
    refusals
}
