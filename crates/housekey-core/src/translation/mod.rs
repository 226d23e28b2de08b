//! Translation: the English sentence is the key, and the text when there is no other.
//!
//! Catalogues are JSON files in the app's `lang/` folder, one per language: `lang/de.json` holds
//! `{ "Sign in": "Anmelden" }`. A sentence without a translation, or an app without catalogues, speaks English.

mod catalogue;
mod locale;
mod macros;
mod negotiation;

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;

use serde::{Deserialize, Serialize};

use catalogue::{Catalogue, Entry};
pub use locale::{Locale, LocaleDetector, chosen_locale, locale, with_locale};
pub use macros::{t, t_plural};
pub use negotiation::negotiate;

use crate::{Result, Scope};

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

/// All catalogues of an app.
///
/// ```
/// use housekey_core::translation::Translator;
///
/// let translator = Translator::new("en")
///     .with("de", r#"{
///         "Hello, :name!": "Hallo, :name!",
///         ":count keys": { "one": "ein Schlüssel", "other": ":count Schlüssel" }
///     }"#)
///     .unwrap();
///
/// assert_eq!(translator.text("de", "Hello, :name!", &[("name", "Ada")]), "Hallo, Ada!");
/// assert_eq!(translator.text("fr", "Hello, :name!", &[("name", "Ada")]), "Hello, Ada!");
/// assert_eq!(translator.plural("de", ":count keys", 1, &[]), "ein Schlüssel");
/// assert_eq!(translator.plural("de", ":count keys", 3, &[]), "3 Schlüssel");
/// ```
#[derive(Clone)]
pub struct Translator {
    catalogues: BTreeMap<String, Catalogue>,
    /// Spoken when a sentence has no translation in the language asked for; then English.
    fallback: String,
}

impl Translator {
    /// A translator without catalogues.
    pub fn new(fallback: impl Into<String>) -> Self {
        Self { catalogues: BTreeMap::new(), fallback: fallback.into() }
    }

    /// Reads every `<language>.json` of a folder, which may be absent.
    pub fn load(folder: &Path, fallback: impl Into<String>) -> Result<Self> {
        let mut translator = Self::new(fallback);
        let Ok(entries) = std::fs::read_dir(folder) else { return Ok(translator) };
        for path in entries.filter_map(|entry| entry.ok().map(|entry| entry.path())) {
            let Some(language) = path.file_stem().and_then(|stem| stem.to_str()) else { continue };
            if path.extension().is_some_and(|extension| extension == "json") {
                let naming = |error: crate::Error| error.context(format!("reading {}", path.display()));
                let text = std::fs::read_to_string(&path).map_err(|error| naming(error.into()))?;
                translator = translator.with(language, &text).map_err(naming)?;
            }
        }
        Ok(translator)
    }

    /// Adds a catalogue. Sentences of an earlier one in the same language stay unless this one has them too.
    pub fn with(mut self, language: &str, json: &str) -> Result<Self> {
        let catalogue = Catalogue::parse(language, json)?;
        match self.catalogues.get_mut(language) {
            Some(present) => present.extend(catalogue),
            None => drop(self.catalogues.insert(language.to_owned(), catalogue)),
        }
        Ok(self)
    }

    /// Adds a catalogue *below* what is there: what a package ships gives way to what the app wrote.
    pub fn with_defaults(mut self, language: &str, json: &str) -> Result<Self> {
        let mut catalogue = Catalogue::parse(language, json)?;
        if let Some(present) = self.catalogues.remove(language) {
            catalogue.extend(present);
        }
        self.catalogues.insert(language.to_owned(), catalogue);
        Ok(self)
    }

    /// The languages there are catalogues for, English always among them.
    pub fn languages(&self) -> Vec<&str> {
        let mut languages: Vec<&str> = self.catalogues.keys().map(String::as_str).collect();
        if !languages.contains(&"en") {
            languages.push("en");
        }
        languages
    }

    /// A sentence in a language, `:name` replaced by its value.
    pub fn text(&self, language: &str, sentence: &str, values: &[(&str, &str)]) -> String {
        let text = self.entry(language, sentence).map_or(sentence, |(entry, _)| entry.text());
        fill(text, values)
    }

    /// A sentence about a number. The catalogue may hold one form per plural category; `:count` is the number.
    ///
    /// Without a translation the key itself may hold both English forms: `"one key|:count keys"`.
    pub fn plural(&self, language: &str, sentence: &str, count: i64, values: &[(&str, &str)]) -> String {
        let text = match self.entry(language, sentence) {
            Some((entry, rules)) => entry.form(rules, count),
            None => catalogue::english_form(sentence, count),
        };
        let number = count.to_string();
        let mut values = values.to_vec();
        values.push(("count", &number));
        fill(text, &values)
    }

    /// The entry, with the catalogue whose plural rules fit it: `de-AT`, then `de`, then the fallback.
    fn entry(&self, language: &str, sentence: &str) -> Option<(&Entry, &Catalogue)> {
        let look = |language: &str| {
            let catalogue = self.catalogues.get(language)?;
            Some((catalogue.entry(sentence)?, catalogue))
        };
        let general = language.split(['-', '_']).next().filter(|general| *general != language);
        let fallback = (self.fallback != language).then_some(self.fallback.as_str());
        look(language).or_else(|| look(general?)).or_else(|| look(fallback?))
    }
}

impl fmt::Debug for Translator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Translator").field(&self.languages()).finish()
    }
}

/// Replaces `:name` by its value, once: a value that looks like a placeholder stays as it is.
fn fill(text: &str, values: &[(&str, &str)]) -> String {
    if values.is_empty() {
        return text.to_owned();
    }
    let mut filled = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(':') {
        let (before, after) = rest.split_at(at);
        filled.push_str(before);
        let end = after[1..]
            .find(|char: char| !char.is_ascii_alphanumeric() && char != '_')
            .map_or(after.len(), |end| end + 1);
        let (placeholder, remaining) = after.split_at(end);
        match values.iter().find(|(name, _)| *name == &placeholder[1..]) {
            Some((_, value)) => filled.push_str(value),
            None => filled.push_str(placeholder),
        }
        rest = remaining;
    }
    filled.push_str(rest);
    filled
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
    translated(|translator, language| translator.text(language, sentence, values))
        .unwrap_or_else(|| fill(sentence, values))
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
    translated(|translator, language| translator.plural(language, sentence, count, values))
        .unwrap_or_else(|| Translator::new("en").plural("en", sentence, count, values))
}

/// Asks the application's translator in the language spoken now, if there is one.
fn translated(ask: impl Fn(&Translator, &str) -> String) -> Option<String> {
    let ask = |scope: &Scope| {
        let translator = scope.services().get::<Translator>()?;
        Some(ask(&translator, locale::of(scope).as_str()))
    };
    Scope::read(ask).flatten()
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

    #[test]
    fn a_region_falls_back_to_its_language() {
        let translator = Translator::new("en").with("de", r#"{"Sign in": "Anmelden"}"#).unwrap();
        assert_eq!(translator.text("de-AT", "Sign in", &[]), "Anmelden");
    }

    #[test]
    fn plural_forms_follow_the_language() {
        let polish =
            r#"{":count keys": {"one": ":count klucz", "few": ":count klucze", "other": ":count kluczy"}}"#;
        let translator = Translator::new("en").with("pl", polish).unwrap();
        let keys = |count| translator.plural("pl", ":count keys", count, &[]);
        assert_eq!((keys(1), keys(3), keys(5)), ("1 klucz".into(), "3 klucze".into(), "5 kluczy".into()));
        assert_eq!(translator.plural("en", "one key|:count keys", 1, &[]), "one key");
    }

    #[test]
    fn a_value_is_never_read_as_a_placeholder() {
        assert_eq!(
            fill(":a and :b, :unknown: 10:30", &[("a", ":b"), ("b", "x")]),
            ":b and x, :unknown: 10:30"
        );
    }

    #[test]
    fn what_the_app_wrote_wins_over_what_a_package_ships() {
        let translator = Translator::new("en").with("de", r#"{"Hi": "Moin"}"#).unwrap();
        let translator = translator.with_defaults("de", r#"{"Hi": "Hallo", "Bye": "Tschüss"}"#).unwrap();
        assert_eq!(translator.text("de", "Hi", &[]), "Moin");
        assert_eq!(translator.text("de", "Bye", &[]), "Tschüss");
    }

    #[test]
    fn a_broken_catalogue_is_named() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("de.json"), "{").unwrap();
        let error = Translator::load(folder.path(), "en").unwrap_err().to_string();
        assert!(error.contains("de.json"), "{error}");
        assert!(Translator::load(&folder.path().join("none"), "en").is_ok());
    }
}
