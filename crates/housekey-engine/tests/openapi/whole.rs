use std::collections::BTreeSet;

use serde_json::Value;

use crate::openapi::everything;

// spec: KEY-6
#[test]
fn every_endpoint_is_in_the_document_and_nothing_else() {
    let engine = everything::engine();
    let document = engine.openapi().document("Test", "1.0.0");
    let mut described = BTreeSet::new();
    for (path, methods) in document["paths"].as_object().unwrap() {
        for method in methods.as_object().unwrap().keys() {
            described.insert(format!("{} {path}", method.to_uppercase()));
        }
    }
    let served = engine.endpoints().iter().map(|endpoint| {
        let path = endpoint.path().split('/').map(|part| match part.strip_prefix(':') {
            Some(name) => format!("{{{name}}}"),
            None => part.to_owned(),
        });
        format!("{} {}", endpoint.method(), path.collect::<Vec<_>>().join("/"))
    });
    assert_eq!(described, served.collect());
}

// spec: KEY-6
#[test]
fn every_endpoint_says_what_it_is_for_and_what_it_answers() {
    let engine = everything::engine();
    for endpoint in engine.endpoints() {
        let (path, description) = (endpoint.path(), endpoint.description());
        assert!(description.about.ends_with('.'), "{path} does not say what it is for");
        let answers = description.answer.is_some() || description.redirects || description.has_page;
        assert!(answers, "{path} does not say what it answers");
        assert_eq!(path.contains(':'), !description.parameter.is_empty(), "{path}: its parameter");
    }
}

#[test]
fn no_two_operations_have_the_same_id() {
    let engine = everything::engine();
    let document = engine.openapi().document("Test", "1.0.0");
    let paths = document["paths"].as_object().unwrap().values();
    let ids: Vec<&str> = paths
        .flat_map(|methods| methods.as_object().unwrap().values())
        .map(|operation| operation["operationId"].as_str().unwrap())
        .collect();
    assert_eq!(ids.iter().collect::<BTreeSet<_>>().len(), ids.len());
}

#[test]
fn every_reference_leads_somewhere() {
    let document = everything::engine().openapi().document("Test", "1.0.0");
    let mut references = Vec::new();
    collect(&document, &mut references);
    assert!(references.contains(&"#/components/schemas/AuthUser".to_owned()));
    for reference in references {
        let pointer = reference.trim_start_matches('#');
        assert!(document.pointer(pointer).is_some(), "{reference}");
    }
}

fn collect(value: &Value, references: &mut Vec<String>) {
    match value {
        Value::Object(fields) => {
            references.extend(fields.get("$ref").and_then(Value::as_str).map(str::to_owned));
            fields.values().for_each(|value| collect(value, references));
        }
        Value::Array(items) => items.iter().for_each(|item| collect(item, references)),
        _ => {}
    }
}
