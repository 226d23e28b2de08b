use std::sync::Arc;

use housekey_core::service;
use housekey_core::translation::{Translator, locale};

use crate::rules::Rules;
use crate::words::words;

/// Renders sentences in the language of the request. The English sentence, placeholders and all, is the key:
/// `The :field must be at least :min characters.`
pub(crate) struct Messages {
    translator: Arc<Translator>,
    locale: String,
}

impl Messages {
    /// With the app's translator, or in English.
    pub(crate) fn ambient() -> Self {
        let translator = service().unwrap_or_else(|| Arc::new(Translator::new("en")));
        Self { translator, locale: locale() }
    }

    /// Translates a sentence and fills its placeholders in.
    pub(crate) fn render(&self, sentence: &str, values: &[(&str, &str)]) -> String {
        self.translator.text(&self.locale, sentence, values)
    }

    /// What people call a field.
    pub(crate) fn label(&self, rules: &Rules, field: &str) -> String {
        let given = rules.of(field).and_then(|field| field.label.clone());
        let label = given.unwrap_or_else(|| words(field).join(" ").into());
        self.render(&label, &[])
    }
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
}
