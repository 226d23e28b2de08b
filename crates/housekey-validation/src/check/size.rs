use serde_json::Value;

use super::{Broken, FieldContext};
use crate::formats;
use crate::rules::Rule;

/// Rules about how long, how large or how many.
pub(super) fn check(rule: &Rule, value: &Value, place: &FieldContext<'_>) -> Option<Broken> {
    let is_measured = matches!(rule, Rule::Min(_) | Rule::Max(_) | Rule::Between(..) | Rule::Size(_));
    // A `Decimal` reads more than we do as a number, such as `1_000`: what is not measured must not get through.
    if is_measured && place.is_decimal && value.as_str().is_some_and(|text| formats::number(text).is_none()) {
        return Some(("The :field must be a number.", Vec::new()));
    }
    let (amount, unit) = amount(value, place.is_number)?;
    let (is_met, sentences, values) = match rule {
        Rule::Min(min) => (
            amount >= *min,
            [
                "The :field must be at least :min characters.",
                "The :field must be at least :min.",
                "The :field must have at least :min items.",
            ],
            vec![("min", min.to_string())],
        ),
        Rule::Max(max) => (
            amount <= *max,
            [
                "The :field must be at most :max characters.",
                "The :field must be at most :max.",
                "The :field must have at most :max items.",
            ],
            vec![("max", max.to_string())],
        ),
        Rule::Between(min, max) => (
            (*min..=*max).contains(&amount),
            [
                "The :field must be between :min and :max characters.",
                "The :field must be between :min and :max.",
                "The :field must have between :min and :max items.",
            ],
            vec![("min", min.to_string()), ("max", max.to_string())],
        ),
        Rule::Size(size) => (
            (amount - size).abs() < f64::EPSILON,
            [
                "The :field must be exactly :size characters.",
                "The :field must be exactly :size.",
                "The :field must have exactly :size items.",
            ],
            vec![("size", size.to_string())],
        ),
        _ => return None,
    };
    (!is_met).then(|| (sentences[unit as usize], values))
}

#[derive(Clone, Copy)]
enum Unit {
    Characters = 0,
    Amount = 1,
    Items = 2,
}

fn amount(value: &Value, is_number: bool) -> Option<(f64, Unit)> {
    match value {
        Value::Array(items) => Some((items.len() as f64, Unit::Items)),
        Value::Number(number) => Some((number.as_f64()?, Unit::Amount)),
        // What does not read as a number is refused by its type; nothing to measure here.
        Value::String(text) if is_number => Some((formats::number(text)?, Unit::Amount)),
        Value::String(text) => Some((text.chars().count() as f64, Unit::Characters)),
        _ => None,
    }
}
