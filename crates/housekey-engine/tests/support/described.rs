//! Looks at every answer that the tests get: it must be what its endpoint says of itself, no field less and none more.

use housekey_engine::{Endpoint, Engine};
use http::{Method, StatusCode};
use serde_json::Value;

use super::Answer;

/// What a plugin asks for in place of a session is the plugin's own; the document names what is known of it.
const OPEN: &str = "#/components/schemas/AuthChallenge";

// spec: KEY-6
pub(crate) fn check(engine: &Engine, method: &Method, path: &str, answer: &Answer) {
    let path = path.split('?').next().unwrap_or_default();
    let is_asked = |endpoint: &&Endpoint| endpoint.method() == method && endpoint.path() == path;
    let Some(endpoint) = engine.endpoints().iter().find(is_asked) else { return };
    if answer.status != StatusCode::OK || endpoint.description().answer.is_none() {
        return;
    }
    // Hooks may answer in another way; what they say is theirs.
    let Ok(body) = serde_json::from_slice::<Value>(&answer.body) else { return };
    let openapi = engine.openapi();
    let (operation, components) = (openapi.operation(endpoint), openapi.components());
    let schema = &operation["responses"]["200"]["content"]["application/json"]["schema"];
    let problem = Checker { components: &components }.problem(schema, &body, "the answer");
    assert!(problem.is_none(), "{method} {path}: {}\n{body:#}\n{schema:#}", problem.unwrap_or_default());
}

struct Checker<'a> {
    components: &'a Value,
}

impl Checker<'_> {
    fn problem(&self, schema: &Value, value: &Value, place: &str) -> Option<String> {
        if let Some(name) = schema["$ref"].as_str() {
            if name == OPEN {
                let is_challenge = value.is_object() && value.get("token").is_none();
                return (!is_challenge).then(|| format!("{place} is no challenge"));
            }
            let name = name.rsplit('/').next().unwrap_or_default();
            return self.problem(&self.components["schemas"][name], value, place);
        }
        if let Some(choices) = schema["anyOf"].as_array() {
            let problems: Vec<_> = choices.iter().map(|choice| self.problem(choice, value, place)).collect();
            return match problems.iter().any(Option::is_none) {
                true => None,
                false => Some(problems.into_iter().flatten().collect::<Vec<_>>().join("; or ")),
            };
        }
        if let Some(choices) = schema["enum"].as_array() {
            return (!choices.contains(value)).then(|| format!("{place} is {value}"));
        }
        let kinds: Vec<&str> = match &schema["type"] {
            Value::Array(kinds) => kinds.iter().filter_map(Value::as_str).collect(),
            kind => kind.as_str().into_iter().collect(),
        };
        if kinds.is_empty() {
            return None;
        }
        if !kinds.iter().any(|kind| is(value, kind)) {
            return Some(format!("{place} is {value}, not {}", kinds.join(" or ")));
        }
        match value {
            Value::Array(items) => items
                .iter()
                .enumerate()
                .find_map(|(at, item)| self.problem(&schema["items"], item, &format!("{place}[{at}]"))),
            Value::Object(fields) => self.fields(schema, fields, place),
            _ => None,
        }
    }

    fn fields(&self, schema: &Value, fields: &serde_json::Map<String, Value>, place: &str) -> Option<String> {
        let required = schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str);
        if let Some(missing) = required.into_iter().find(|name| !fields.contains_key(*name)) {
            return Some(format!("{place} has no {missing}"));
        }
        let any = schema.get("additionalProperties");
        fields.iter().find_map(|(name, value)| {
            let place = format!("{place}.{name}");
            match schema["properties"].get(name).or(any) {
                Some(field) => self.problem(field, value, &place),
                None => Some(format!("{place} is not described")),
            }
        })
    }
}

fn is(value: &Value, kind: &str) -> bool {
    match kind {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "string" => value.is_string(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        _ => false,
    }
}
