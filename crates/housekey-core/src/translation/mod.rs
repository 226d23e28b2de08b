//! Translation: the English sentence is the key, and the text when there is no other.
//!
//! Catalogues are JSON files in the app's `lang/` folder, one per language: `lang/de.json` holds
//! `{ "Sign in": "Anmelden" }`. A sentence without a translation, or an app without catalogues, speaks English.

mod catalogue;
mod catalogues;
mod locale;
mod macros;
mod negotiation;
mod translator;

use serde::{Deserialize, Serialize};

use catalogues::Catalogues;
pub use locale::{Locale, LocaleDetector, chosen_locale, locale, with_locale};
pub use macros::{t, t_plural};
pub use negotiation::negotiate;
pub use translator::Translator;

use crate::Scope;

/// `config/lang.rs`: where translations lie.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct LangConfig {
    /// The folder of catalogues, below the app's root.
    pub folder: String,
    /// Whether a visitor's `Accept-Language` chooses the language.
    pub detect: bool,
}

impl Default for LangConfig {
    fn default() -> Self {
        Self { folder: "lang".into(), detect: true }
    }
}

/// A sentence in the language of the present request or recipient; English where there is no translator.
///
/// ```
/// use housekey_core::translation::t;
///
/// assert_eq!(t("Sign in"), "Sign in");
/// ```
///
/// Values go in by name, with [`t!`](macro@t): `t!("Hello, :name!", name = user.name)`.
pub fn t(sentence: &str) -> String {
    t_with(sentence, &[])
}

/// [`t()`] with values that are a list already.
pub fn t_with(sentence: &str, values: &[(&str, &str)]) -> String {
    translate(|catalogues| catalogues.text(sentence, values))
}

/// A sentence about a number in the language of the present request or recipient.
///
/// ```
/// use housekey_core::translation::t_plural;
///
/// assert_eq!(t_plural("one key|:count keys", 2), "2 keys");
/// ```
///
/// Values go in by name, with [`t_plural!`](macro@t_plural).
pub fn t_plural(sentence: &str, count: i64) -> String {
    t_plural_with(sentence, count, &[])
}

/// [`t_plural()`] with values that are a list already.
pub fn t_plural_with(sentence: &str, count: i64, values: &[(&str, &str)]) -> String {
    translate(|catalogues| catalogues.plural(sentence, count, values))
}

/// Asks the catalogues of the language spoken now; there are none outside an application.
fn translate(ask: impl Fn(&Catalogues) -> String) -> String {
    Scope::read(|scope| ask(&locale::of(scope).catalogues)).unwrap_or_else(|| ask(&Catalogues::default()))
}

#[cfg(test)]
mod tests {
    use super::*;

    // spec: NTF-6
    #[test]
    fn a_missing_translation_or_translator_speaks_english() {
        let translator = Translator::new("en").with("de", r#"{"Sign in": "Anmelden"}"#).unwrap();
        assert_eq!(translator.text("de", "Sign in", &[]), "Anmelden");
        assert_eq!(translator.text("de", "Sign out", &[]), "Sign out");
        assert_eq!(translator.text("fr", "Sign in", &[]), "Sign in");
        assert_eq!(t("Sign in"), "Sign in");
    }
}
