use serde_json::Value;

use super::{Broken, FieldContext, text};
use crate::formats;
use crate::input::Source;
use crate::messages::Messages;
use crate::rules::Rule;

/// What counts as no value.
pub(super) fn is_blank(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::String(text) => text.is_empty(),
        Value::Array(items) => items.is_empty(),
        _ => false,
    }
}

/// Rules about whether there is a value.
pub(super) fn check(
    rule: &Rule,
    value: Option<&Value>,
    place: &FieldContext<'_>,
    messages: &Messages,
) -> Option<Broken> {
    let other_value = |other: &str| place.siblings.get(other).filter(|value| !is_blank(value));
    match rule {
        Rule::Required if value.is_none() => Some(("The :field is required.", Vec::new())),
        Rule::RequiredIf { other, value: wanted }
            if value.is_none() && other_value(other).and_then(text).as_deref() == Some(wanted) =>
        {
            let values = vec![("other", messages.label(place.rules, other)), ("value", wanted.clone())];
            Some(("The :field is required when the :other is :value.", values))
        }
        Rule::RequiredWith { other } if value.is_none() && other_value(other).is_some() => {
            let values = vec![("other", messages.label(place.rules, other))];
            Some(("The :field is required with the :other.", values))
        }
        Rule::Accepted if !value.is_some_and(is_yes) => Some(("The :field must be accepted.", Vec::new())),
        _ => None,
    }
}

fn is_yes(value: &Value) -> bool {
    match value {
        Value::String(text) => formats::boolean(text) == Some(true),
        Value::Number(number) => number.as_i64() == Some(1),
        other => *other == Value::Bool(true),
    }
}

/// Rules about the type of a value. In a form, text that reads as the type is of the type; an exact amount is text anywhere.
pub(super) fn check_kind(
    rule: &Rule,
    value: &Value,
    source: Source,
    place: &FieldContext<'_>,
) -> Option<Broken> {
    let written = value.as_str().filter(|_| source == Source::Form || place.is_decimal);
    let (is_met, sentence) = match rule {
        Rule::Text => (value.is_string(), "The :field must be text."),
        Rule::Integer => (
            value.is_i64() || value.is_u64() || written.is_some_and(formats::is_integer),
            "The :field must be a whole number.",
        ),
        Rule::Number => (
            value.is_number() || written.is_some_and(|text| formats::number(text).is_some()),
            "The :field must be a number.",
        ),
        Rule::Boolean => (
            value.is_boolean() || written.is_some_and(|text| formats::boolean(text).is_some()),
            "The :field must be yes or no.",
        ),
        Rule::Array | Rule::Each(_) => (value.is_array(), "The :field must be a list."),
        Rule::Nested(_) => (value.is_object(), "The :field must be an object."),
        _ => return None,
    };
    (!is_met).then_some((sentence, Vec::new()))
}
