use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;
use std::sync::Arc;

use super::catalogue::Catalogue;
use super::catalogues::Catalogues;
use crate::Result;

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
    catalogues: BTreeMap<String, Arc<Catalogue>>,
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
            Some(present) => Arc::make_mut(present).extend(catalogue),
            None => drop(self.catalogues.insert(language.to_owned(), Arc::new(catalogue))),
        }
        Ok(self)
    }

    /// Adds a catalogue *below* what is there: what a package ships gives way to what the app wrote.
    pub fn with_defaults(mut self, language: &str, json: &str) -> Result<Self> {
        let mut catalogue = Catalogue::parse(language, json)?;
        if let Some(present) = self.catalogues.remove(language) {
            catalogue.extend(Arc::unwrap_or_clone(present));
        }
        self.catalogues.insert(language.to_owned(), Arc::new(catalogue));
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
        self.catalogues_for(language).text(sentence, values)
    }

    /// A sentence about a number. The catalogue may hold one form per plural category; `:count` is the number.
    ///
    /// Without a translation the key itself may hold both English forms: `"one key|:count keys"`.
    pub fn plural(&self, language: &str, sentence: &str, count: i64, values: &[(&str, &str)]) -> String {
        self.catalogues_for(language).plural(sentence, count, values)
    }

    /// Where sentences in a language are looked for: `de-AT`, then `de`, then the fallback.
    pub(super) fn catalogues_for(&self, language: &str) -> Catalogues {
        let general = language.split(['-', '_']).next().filter(|general| *general != language);
        let fallback = (self.fallback != language).then_some(self.fallback.as_str());
        let languages = [Some(language), general, fallback].into_iter().flatten();
        languages.filter_map(|language| self.catalogues.get(language)).cloned().collect()
    }
}

impl fmt::Debug for Translator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Translator").field(&self.languages()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
