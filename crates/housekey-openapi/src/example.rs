//! A body that a route takes, made from its schema.

use serde_json::{Map, Value, json};

use crate::schemas::Schemas;

/// A value of this schema, with nothing in it that may be left out.
pub(crate) fn of(schema: &Value, name: &str, schemas: &Schemas) -> Value {
    let schema = schemas.resolved(schema);
    if let Some(choice) = schema["enum"].get(0).or(schema.get("const")) {
        return choice.clone();
    }
    if let Some(first) = schema["anyOf"].get(0).or(schema["allOf"].get(0)) {
        return of(first, name, schemas);
    }
    let kind = schema["type"].as_str().or(schema["type"][0].as_str());
    match kind {
        Some("object") => {
            let required = schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str);
            let fields = required.map(|name| {
                let field = schema["properties"].get(name).cloned().unwrap_or_default();
                (name.to_owned(), of(&field, name, schemas))
            });
            fields.collect::<Map<_, _>>().into()
        }
        Some("array") => json!([]),
        Some("boolean") => json!(true),
        Some("integer" | "number") => schema.get("minimum").cloned().unwrap_or(json!(1)),
        Some("null") | None => Value::Null,
        Some(_) => text(&schema, name).into(),
    }
}

fn text(schema: &Value, name: &str) -> &'static str {
    match (schema["format"].as_str(), name) {
        (Some("email"), _) | (None, "email") => "ada@example.com",
        (Some("password"), name) if name.contains("token") => "the token of the mail",
        (Some("password"), _) => "correct horse battery staple",
        (Some("uri"), _) => "https://example.com",
        (Some("date"), _) => "2026-01-02",
        (Some("date-time"), _) => "2026-01-02T03:04:05Z",
        (Some("uuid"), _) => "0198c6b0-7f00-7000-8000-000000000000",
        (_, "name") => "Ada",
        _ => "text",
    }
}
