use std::sync::Arc;

use housekey_core::service;
use housekey_core::translation::{Translator, locale};

use super::rules::Rules;

/// Renders sentences in the language of the request. The English sentence, placeholders and all, is the key:
/// `The :field must be at least :min characters.`
pub(super) struct Messages {
    translator: Arc<Translator>,
    locale: String,
}

impl Messages {
    /// With the app's translator, or in English.
    pub(super) fn ambient() -> Self {
        let translator = service().unwrap_or_else(|| Arc::new(Translator::new("en")));
        Self { translator, locale: locale() }
    }

    /// Translates a sentence and fills its placeholders in.
    pub(super) fn render(&self, sentence: &str, values: &[(&str, &str)]) -> String {
        self.translator.text(&self.locale, sentence, values)
    }

    /// What people call a field.
    pub(super) fn label(&self, rules: &Rules, field: &str) -> String {
        let given = rules.of(field).and_then(|field| field.label.clone());
        let label = given.unwrap_or_else(|| words(field).join(" ").into());
        self.render(&label, &[])
    }
}

/// A field's name in lower-case words: `firstName` and `first_name` are `first name`.
pub(super) fn words(name: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    let mut after_lower = false;
    for char in name.chars() {
        let starts_word = char.is_uppercase() && after_lower;
        if (starts_word || !char.is_alphanumeric()) && !word.is_empty() {
            words.push(std::mem::take(&mut word));
        }
        if char.is_alphanumeric() {
            word.extend(char.to_lowercase());
        }
        after_lower = char.is_lowercase() || char.is_numeric();
    }
    if !word.is_empty() {
        words.push(word);
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_and_labels_are_translated_and_the_rest_stays_english() {
        let german = r#"{
            "The :field must be at least :min characters.": "Bei :field fehlen Zeichen: mindestens :min.",
            "password": "Passwort"
        }"#;
        let translator = Arc::new(Translator::new("en").with("de", german).unwrap());
        let messages = Messages { translator, locale: "de".into() };
        let label = messages.label(&Rules::default(), "password");
        let values = [("field", label.as_str()), ("min", "8")];
        let sentence = messages.render("The :field must be at least :min characters.", &values);
        assert_eq!(sentence, "Bei Passwort fehlen Zeichen: mindestens 8.");
        assert_eq!(messages.render("The :field is required.", &values), "The Passwort is required.");
    }

    #[test]
    fn names_become_words() {
        assert_eq!(words("firstName").join(" "), "first name");
        assert_eq!(words("_current-password").join(" "), "current password");
        assert_eq!(words("API_key").join(" "), "api key");
        assert_eq!(words("line2Text").join(" "), "line2 text");
    }
}
