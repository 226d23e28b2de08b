use housekey_core::{Error, Result};
use serde_json::Value;

use super::{Broken, FieldContext, size, text};
use crate::formats;
use crate::messages::Messages;
use crate::rules::Rule;

/// Rules about what a value says.
pub(super) fn check(
    rule: &Rule,
    value: &Value,
    place: &FieldContext<'_>,
    messages: &Messages,
) -> Result<Option<Broken>> {
    let is_text = |check: fn(&str) -> bool| value.as_str().is_some_and(check);
    let every_text = |check: &dyn Fn(&str) -> bool| match value {
        Value::Array(items) => items.iter().all(|item| text(item).is_some_and(|text| check(&text))),
        single => text(single).is_some_and(|text| check(&text)),
    };
    let other = |name: &str| vec![("other", messages.label(place.rules, name))];
    let listed = |list: &[String]| vec![("values", list.join(", "))];
    let sibling = |name: &str| place.siblings.get(name);

    let (is_met, sentence, values) = match rule {
        Rule::Min(_) | Rule::Max(_) | Rule::Between(..) | Rule::Size(_) => {
            return Ok(size::check(rule, value, place));
        }
        Rule::Length(length) => (
            text(value).is_some_and(|text| text.chars().count() == *length),
            "The :field must be exactly :length characters.",
            vec![("length", length.to_string())],
        ),
        Rule::OneOf(list) => {
            let is_listed = |text: &str| list.iter().any(|choice| choice == text);
            (every_text(&is_listed), "The :field must be one of: :values.", listed(list))
        }
        Rule::NotOneOf(list) => {
            let is_other = |text: &str| list.iter().all(|choice| choice != text);
            (every_text(&is_other), "The :field must not be one of: :values.", listed(list))
        }
        Rule::Email => {
            (is_text(housekey_base::is_email), "The :field must be an e-mail address.", Vec::new())
        }
        Rule::Url => (is_text(formats::is_url), "The :field must be a web address.", Vec::new()),
        Rule::Date => (is_text(formats::is_date), "The :field must be a date.", Vec::new()),
        Rule::Uuid => (is_text(formats::is_uuid), "The :field must be a UUID.", Vec::new()),
        Rule::Ip => (is_text(formats::is_ip), "The :field must be an IP address.", Vec::new()),
        Rule::Alpha => {
            let is_met = is_text(|text| text.chars().all(char::is_alphabetic));
            (is_met, "The :field may have letters only.", Vec::new())
        }
        Rule::AlphaDash => {
            let is_met =
                is_text(|text| text.chars().all(|char| char.is_alphanumeric() || "-_".contains(char)));
            (is_met, "The :field may have letters, digits, dashes and underscores only.", Vec::new())
        }
        Rule::StartsWith(list) => {
            let starts = |text: &str| list.iter().any(|prefix| text.starts_with(prefix.as_str()));
            (every_text(&starts), "The :field must start with one of: :values.", listed(list))
        }
        Rule::Regex(pattern) => {
            let regex = formats::regex(pattern).map_err(|error| {
                let place = &place.path;
                Error::internal(format!("the regular expression of the field `{place}` is wrong: {error}"))
            })?;
            let is_met = text(value).is_some_and(|text| regex.is_match(&text));
            (is_met, "The :field does not have the right form.", Vec::new())
        }
        Rule::Confirmed => {
            let name = place.path.rsplit('.').next().unwrap_or_default();
            let twice =
                sibling(&format!("{name}_confirmation")).or_else(|| sibling(&format!("{name}Confirmation")));
            (twice == Some(value), "The :field and its confirmation do not match.", Vec::new())
        }
        Rule::Same(name) => (sibling(name) == Some(value), "The :field must match the :other.", other(name)),
        Rule::Different(name) => {
            (sibling(name) != Some(value), "The :field must differ from the :other.", other(name))
        }
        _ => return Ok(None),
    };
    Ok((!is_met).then_some((sentence, values)))
}
