//! Takes what a job carries out of what is said about its failure.

use serde_json::Value;

/// Shorter texts are words that would be missed, not secrets.
const SHORTEST: usize = 4;

/// A run of this many characters inside a text is likely a token: part of a link, say.
const TOKEN: usize = 12;

/// Longer sentences are cut.
const LONGEST: usize = 2000;

/// The text with everything that a job carries replaced: what may be said about its failure in a store or a log.
///
/// The queue does this itself with what it knows. A handler whose payload is sealed once more knows better.
///
/// ```
/// use housekey_queue::redact;
/// use serde_json::json;
///
/// let said = redact("550 ada@example.com refused", &json!({ "to": "ada@example.com" }));
/// assert_eq!(said, "550 […] refused");
/// ```
pub fn redact(text: &str, payload: &Value) -> String {
    let mut secrets = Vec::new();
    collect(payload, &mut secrets);
    // The longest first: a part must not spoil the whole.
    secrets.sort_by_key(|secret| std::cmp::Reverse(secret.len()));
    secrets.dedup();
    let mut text = text.to_owned();
    for secret in secrets {
        if text.contains(&secret) {
            text = text.replace(&secret, "[…]");
        }
    }
    if let Some((end, _)) = text.char_indices().nth(LONGEST) {
        text.truncate(end);
        text.push('…');
    }
    text
}

fn collect(value: &Value, secrets: &mut Vec<String>) {
    match value {
        Value::String(text) => {
            let token = |part: &&str| part.len() >= TOKEN;
            secrets.extend(
                text.split(|c: char| !c.is_ascii_alphanumeric() && c != '-' && c != '_')
                    .filter(token)
                    .map(str::to_owned),
            );
            // As it is, and as a message with quotes shows it.
            let quoted = format!("{text:?}");
            secrets.push(quoted.trim_matches('"').to_owned());
            secrets.push(text.clone());
        }
        Value::Number(number) => secrets.push(number.to_string()),
        Value::Array(values) => values.iter().for_each(|value| collect(value, secrets)),
        Value::Object(fields) => fields.values().for_each(|value| collect(value, secrets)),
        Value::Null | Value::Bool(_) => {}
    }
    secrets.retain(|secret| secret.len() >= SHORTEST);
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn nothing_that_the_job_carries_is_quoted() {
        let payload = json!({
            "to": "ada@example.com",
            "code": 481_516,
            "link": "https://shop.test/reset?token=9f8e7d6c5b4a3210&x=1",
            "nested": [{ "password": "line one\nline \"two\"" }],
            "id": 7,
        });
        let said = "smtp: 550 <ada@example.com> refused; code 481516; token 9f8e7d6c5b4a3210 for \"line one\\nline \\\"two\\\"\" (7 tries)";
        let text = redact(said, &payload);
        for secret in ["ada@", "481516", "9f8e7d6c5b4a3210", "line one"] {
            assert!(!text.contains(secret), "{text}");
        }
        assert!(text.contains("smtp: 550") && text.contains("7 tries"), "{text}");
    }

    #[test]
    fn a_long_sentence_is_cut_between_characters() {
        let text = redact(&"ä".repeat(5000), &Value::Null);
        assert_eq!(text.chars().count(), LONGEST + 1);
    }
}
