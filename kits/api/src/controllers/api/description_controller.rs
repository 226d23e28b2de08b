use std::sync::LazyLock;

use housekey::prelude::*;
use housekey::serde_json::{self, Value};

use crate::views::description::{Operation, Section};

/// What the API offers, in the words of OpenAPI 3.1. Programs read it at `/api/openapi.json`, people at `/`.
static OPENAPI: LazyLock<Value> = LazyLock::new(|| {
    serde_json::from_str(include_str!("../../routes/openapi.json"))
        .expect("openapi.json is JSON: a test reads it")
});

/// `GET /api/openapi.json`
pub async fn show() -> Json<Value> {
    let app = service::<AppConfig>().unwrap_or_default();
    let mut description = OPENAPI.clone();
    description["info"]["title"] = app.name.clone().into();
    description["servers"][0]["url"] = app.url.clone().into();
    Json(description)
}

/// The same for the welcome page: the operations under the headings that openapi.json gives them.
pub fn sections() -> Vec<Section<'static>> {
    let tags = OPENAPI["tags"].as_array().into_iter().flatten();
    let section = |tag: &'static Value| Section {
        title: text(&tag["name"]),
        about: text(&tag["description"]),
        operations: operations().filter(|(in_tag, _)| **in_tag == tag["name"]).map(|(_, it)| it).collect(),
    };
    tags.map(section).collect()
}

fn operations() -> impl Iterator<Item = (&'static Value, Operation<'static>)> {
    let paths = OPENAPI["paths"].as_object().into_iter().flatten();
    paths.flat_map(|(path, methods)| {
        let methods = methods.as_object().into_iter().flatten();
        methods.map(|(method, about)| (&about["tags"][0], operation(path, method, about)))
    })
}

fn operation(path: &'static str, method: &str, about: &'static Value) -> Operation<'static> {
    let body = &about["requestBody"]["content"]["application/json"]["schema"]["properties"];
    let described = |of: &'static Value| {
        let entries = of.as_object().into_iter().flatten();
        entries.map(|(name, entry)| (name.as_str(), text(&entry["description"]))).collect()
    };
    Operation {
        method: method.to_uppercase(),
        path,
        summary: text(&about["summary"]),
        note: text(&about["description"]),
        needs_token: about.get("security").is_some(),
        fields: described(body),
        answers: described(&about["responses"]),
    }
}

fn text(value: &'static Value) -> &'static str {
    value.as_str().unwrap_or_default()
}
