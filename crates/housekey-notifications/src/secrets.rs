use serde_json::{Map, Value};

/// The data without what must not be kept. Leaving it out is the notification's duty; this is the net below it.
// spec: NTF-4, NTF-8
pub(crate) fn without_secrets(kind: &str, data: &Value) -> Value {
    match data {
        Value::Object(fields) => {
            let kept = fields.iter().filter(|(name, _)| {
                let is_secret = is_secret_name(name);
                if is_secret {
                    tracing::warn!(
                        target: "housekey::notifications",
                        "{kind}: to_array() holds `{name}`, which was left out; a stored notification must hold no secret"
                    );
                }
                !is_secret
            });
            Value::Object(
                kept.map(|(name, value)| (name.clone(), without_secrets(kind, value))).collect::<Map<_, _>>(),
            )
        }
        Value::Array(items) => Value::Array(items.iter().map(|item| without_secrets(kind, item)).collect()),
        Value::String(text) => Value::String(without_secret_parameters(text)),
        other => other.clone(),
    }
}

fn is_secret_name(name: &str) -> bool {
    let name: String =
        name.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_ascii_lowercase();
    name == "otp" || ["token", "password", "secret"].iter().any(|word| name.contains(word))
}

/// An address keeps its shape; the value of a parameter named like a secret goes.
fn without_secret_parameters(text: &str) -> String {
    let Some((before, query)) = text.split_once('?') else { return text.to_owned() };
    let (query, fragment) = match query.split_once('#') {
        Some((query, fragment)) => (query, Some(fragment)),
        None => (query, None),
    };
    let pairs: Vec<String> = query
        .split('&')
        .map(|pair| match pair.split_once('=') {
            Some((name, _)) if is_secret_name(name) => format!("{name}="),
            _ => pair.to_owned(),
        })
        .collect();
    let fragment = fragment.map(|fragment| format!("#{fragment}")).unwrap_or_default();
    format!("{before}?{}{fragment}", pairs.join("&"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    // spec: NTF-4, NTF-8
    #[test]
    fn a_token_is_never_kept_however_it_is_written() {
        let data = json!({
            "name": "Ada",
            "token": "t1",
            "resetToken": "t2",
            "nested": [{ "new_password": "t3", "ok": 1, "otp": "t4" }],
            "url": "https://a.example/reset?token=t5&next=%2Fhome#x",
            "relative": "/reset?reset_token=t6",
            "title": "Who? Me & you = us",
        });
        let kept = without_secrets("X", &data);
        assert_eq!(
            kept,
            json!({
                "name": "Ada",
                "nested": [{ "ok": 1 }],
                "url": "https://a.example/reset?token=&next=%2Fhome#x",
                "relative": "/reset?reset_token=",
                "title": "Who? Me & you = us",
            })
        );
    }
}
