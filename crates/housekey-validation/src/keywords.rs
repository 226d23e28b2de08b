//! The rules of a field as keywords of JSON Schema, for the description of an API.

use serde_json::{Map, Value, json};

use crate::kind::Kind;
use crate::rules::{FieldRules, Rule, Rules};

/// What the rules of some input say about each of its fields, by name.
pub fn keywords(rules: &Rules) -> Vec<(String, Map<String, Value>)> {
    let fields = rules.fields.iter();
    fields
        .map(|field| (field.name.to_owned(), of_field(field, rules.is_secret(field.name))))
        .filter(|(_, keywords)| !keywords.is_empty())
        .collect()
}

fn of_field(field: &FieldRules, is_secret: bool) -> Map<String, Value> {
    let mut keywords = Map::new();
    if is_secret {
        keywords.insert("format".into(), "password".into());
    }
    // A required text has at least one letter: rules take an empty one for none.
    let is_text = !matches!(field.kind, Kind::Bool | Kind::File | Kind::Number) && !field.kind.is_list();
    if is_text && field.has(|rule| matches!(rule, Rule::Required)) && !is_other(field) {
        keywords.insert("minLength".into(), 1.into());
    }
    for entry in &field.entries {
        // An amount is text in JSON, and its range is not its length: no keyword says that.
        let is_range = matches!(entry.rule, Rule::Min(_) | Rule::Max(_) | Rule::Between(..) | Rule::Size(_));
        if field.kind != Kind::Decimal || !is_range {
            add(&mut keywords, &entry.rule, size_of(field));
        }
    }
    keywords
}

/// Whether a field is something else than text, by its rules.
fn is_other(field: &FieldRules) -> bool {
    field.has(|rule| {
        matches!(
            rule,
            Rule::Integer | Rule::Number | Rule::Boolean | Rule::Array | Rule::Nested(_) | Rule::Each(_)
        )
    })
}

/// What the size of a field is called: the length of a text, the items of a list, the number itself.
fn size_of(field: &FieldRules) -> (&'static str, &'static str) {
    let is_number =
        field.kind == Kind::Number || field.has(|rule| matches!(rule, Rule::Integer | Rule::Number));
    let is_list = field.is_list();
    match (is_number, is_list) {
        (true, _) => ("minimum", "maximum"),
        (_, true) => ("minItems", "maxItems"),
        _ => ("minLength", "maxLength"),
    }
}

fn add(keywords: &mut Map<String, Value>, rule: &Rule, (least, most): (&'static str, &'static str)) {
    let mut say = |name: &str, value: Value| drop(keywords.insert(name.to_owned(), value));
    match rule {
        Rule::Integer => say("type", "integer".into()),
        Rule::Min(min) => say(least, number(*min)),
        Rule::Max(max) => say(most, number(*max)),
        Rule::Between(min, max) => {
            say(least, number(*min));
            say(most, number(*max));
        }
        Rule::Size(size) => {
            say(least, number(*size));
            say(most, number(*size));
        }
        Rule::Length(length) => {
            say("minLength", json!(length));
            say("maxLength", json!(length));
        }
        Rule::OneOf(choices) => say("enum", json!(choices)),
        Rule::Email => say("format", "email".into()),
        Rule::Url => say("format", "uri".into()),
        Rule::Date => say("format", "date".into()),
        Rule::Uuid => say("format", "uuid".into()),
        _ => {}
    }
}

/// A whole number is written as one.
fn number(value: f64) -> Value {
    match format!("{value}").parse::<i64>() {
        Ok(whole) => whole.into(),
        Err(_) => value.into(),
    }
}
