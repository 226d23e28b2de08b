use std::collections::HashMap;

use foldhash::fast::RandomState;
use intl_pluralrules::{PluralCategory, PluralRuleType, PluralRules};
use serde::Deserialize;
use unic_langid::LanguageIdentifier;

use crate::{Error, Result};

/// The sentences of one language.
#[derive(Clone)]
pub(super) struct Catalogue {
    sentences: Sentences,
    rules: Option<PluralRules>,
}

/// A page looks dozens of them up. Who wrote the app wrote them, so the hash need not withstand chosen ones.
type Sentences = HashMap<String, Entry, RandomState>;

/// One sentence, or its plural forms by category (`zero`, `one`, `two`, `few`, `many`, `other`).
#[derive(Clone, Deserialize)]
#[serde(untagged)]
pub(super) enum Entry {
    Text(String),
    Forms(HashMap<String, String>),
}

impl Catalogue {
    pub(super) fn parse(language: &str, json: &str) -> Result<Self> {
        let sentences: Sentences = serde_json::from_str(json).map_err(|error| {
            Error::from(error)
                .context("a catalogue is one JSON object: sentence to sentence, or to its plural forms")
        })?;
        let lacking = sentences
            .iter()
            .find(|(_, entry)| matches!(entry, Entry::Forms(forms) if !forms.contains_key("other")));
        if let Some((sentence, _)) = lacking {
            return Err(Error::internal(format!("the plural of \"{sentence}\" needs the form \"other\"")));
        }
        let rules = language
            .parse::<LanguageIdentifier>()
            .ok()
            .and_then(|language| PluralRules::create(language, PluralRuleType::CARDINAL).ok());
        Ok(Self { sentences, rules })
    }

    pub(super) fn extend(&mut self, other: Self) {
        self.sentences.extend(other.sentences);
    }

    pub(super) fn entry(&self, sentence: &str) -> Option<&Entry> {
        self.sentences.get(sentence)
    }

    fn category(&self, count: i64) -> &'static str {
        let category = self.rules.as_ref().and_then(|rules| rules.select(count.unsigned_abs()).ok());
        match category {
            Some(PluralCategory::ZERO) => "zero",
            Some(PluralCategory::ONE) => "one",
            Some(PluralCategory::TWO) => "two",
            Some(PluralCategory::FEW) => "few",
            Some(PluralCategory::MANY) => "many",
            // A language the rules do not know counts like English.
            None if count == 1 => "one",
            Some(PluralCategory::OTHER) | None => "other",
        }
    }
}

impl Entry {
    pub(super) fn text(&self) -> &str {
        match self {
            Self::Text(text) => text,
            Self::Forms(forms) => forms.get("other").map_or("", String::as_str),
        }
    }

    pub(super) fn form(&self, catalogue: &Catalogue, count: i64) -> &str {
        match self {
            Self::Text(text) => english_form(text, count),
            Self::Forms(forms) => {
                forms.get(catalogue.category(count)).map_or_else(|| self.text(), String::as_str)
            }
        }
    }
}

/// `"one key|:count keys"`: the first form for one, the second for any other number.
pub(super) fn english_form(sentence: &str, count: i64) -> &str {
    match sentence.split_once('|') {
        Some((one, _)) if count == 1 => one,
        Some((_, other)) => other,
        None => sentence,
    }
}
