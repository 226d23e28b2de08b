//! Holding input against its rules: whether there is a value, of which type, what it says, how large it is.

mod content;
mod file;
mod presence;
mod size;

use housekey_core::{FieldErrors, Result};
use serde_json::{Map, Value};

use crate::input::{Input, Source};
use crate::kind::Kind;
use crate::messages::Messages;
use crate::rules::{Complaint, Entry, FieldRules, Rule, Rules};
use crate::uploads::ReceivedFiles;
use presence::is_blank;

/// Holds input against its rules.
pub(crate) struct Checker<'a> {
    rules: &'a Rules,
    source: Source,
    values: &'a Map<String, Value>,
    files: &'a ReceivedFiles,
    messages: &'a Messages,
    errors: FieldErrors,
    /// Rules that have to wait, asked when all others were.
    waiting: Vec<(String, String, &'a Entry, Complaint)>,
}

/// One value, and where it stands.
struct FieldContext<'a> {
    path: String,
    label: String,
    /// Whether its size is that of a number, also when it comes as text.
    is_number: bool,
    /// A number that is written as text, whoever sends it.
    is_decimal: bool,
    /// The rules of its fellow fields, for their labels.
    rules: &'a Rules,
    siblings: &'a Map<String, Value>,
}

/// A broken rule: the sentence, and what fills its placeholders.
type Broken = (&'static str, Vec<(&'static str, String)>);

impl<'a> Checker<'a> {
    pub(crate) fn new(rules: &'a Rules, input: &'a Input, messages: &'a Messages) -> Self {
        Self {
            rules,
            source: input.source,
            values: &input.values,
            files: &input.files,
            messages,
            errors: FieldErrors::new(),
            waiting: Vec::new(),
        }
    }

    pub(crate) async fn run(mut self) -> Result<FieldErrors> {
        self.fields(self.rules, self.values, "")?;
        for (path, label, entry, complaint) in std::mem::take(&mut self.waiting) {
            if !self.errors.of(&path).is_empty() {
                continue;
            }
            let say = |sentence: &str| {
                let sentence = entry.message.as_deref().unwrap_or(sentence);
                self.messages.render(sentence, &[("field", &label)])
            };
            match complaint.await? {
                Some(complaint) => self.errors.add(path, say(&complaint)),
                None => match &entry.rule {
                    #[cfg(feature = "database")]
                    Rule::Stored(stored) => stored.claim(path, say(stored.sentence())),
                    _ => {}
                },
            }
        }
        Ok(self.errors)
    }

    fn fields(&mut self, rules: &'a Rules, values: &'a Map<String, Value>, prefix: &str) -> Result<()> {
        for field in rules.fields.iter().filter(|field| !field.entries.is_empty()) {
            let place = FieldContext {
                path: format!("{prefix}{}", field.name),
                label: self.messages.label(rules, field.name),
                is_number: is_number(field),
                is_decimal: field.kind == Kind::Decimal,
                rules,
                siblings: values,
            };
            self.value(field, values.get(field.name), &place)?;
        }
        Ok(())
    }

    fn value(
        &mut self,
        field: &'a FieldRules,
        value: Option<&'a Value>,
        place: &FieldContext<'a>,
    ) -> Result<()> {
        let (source, messages) = (self.source, self.messages);
        let present = value.filter(|value| !is_blank(value));
        if self
            .breaks_any(&field.entries, place, |entry| presence::check(&entry.rule, present, place, messages))
        {
            return Ok(());
        }
        let Some(value) = present else { return Ok(()) };
        let files = self.files;
        if self.breaks_any(&field.entries, place, |entry| file::check(&entry.rule, value, files)) {
            return Ok(());
        }
        // Of a wrong type there is nothing more to say.
        if self.breaks_any(&field.entries, place, |entry| {
            presence::check_kind(&entry.rule, value, source, place)
        }) {
            return Ok(());
        }
        for entry in &field.entries {
            match &entry.rule {
                Rule::Custom(custom) => {
                    if let Some(complaint) = (custom.0)(value) {
                        self.say(entry, place, &complaint, &[]);
                    }
                }
                Rule::CustomAsync(custom) => {
                    let complaint = (custom.0)(value.clone());
                    self.waiting.push((place.path.clone(), place.label.clone(), entry, complaint));
                }
                #[cfg(feature = "database")]
                Rule::Stored(stored) => {
                    let complaint = Box::pin(stored.complaint(value.clone()));
                    self.waiting.push((place.path.clone(), place.label.clone(), entry, complaint));
                }
                Rule::Nested(rules) => {
                    if let Some(values) = value.as_object() {
                        self.fields(rules(), values, &format!("{}.", place.path))?;
                    }
                }
                Rule::Each(item) => self.items(item, value, place)?,
                // Its size was looked at already; its handle says nothing.
                _ if value.as_str().is_some_and(|text| self.files.get(text).is_some()) => {}
                rule => {
                    if let Some((sentence, values)) = content::check(rule, value, place, messages)? {
                        self.say(entry, place, sentence, &values);
                    }
                }
            }
        }
        Ok(())
    }

    fn items(&mut self, item: &'a FieldRules, value: &'a Value, place: &FieldContext<'a>) -> Result<()> {
        for (index, value) in value.as_array().into_iter().flatten().enumerate() {
            let place = FieldContext {
                path: format!("{}.{index}", place.path),
                label: format!("{} #{}", place.label, index + 1),
                is_number: is_number(item),
                is_decimal: item.kind == Kind::Decimal,
                rules: place.rules,
                siblings: place.siblings,
            };
            self.value(item, Some(value), &place)?;
        }
        Ok(())
    }

    /// Adds the first broken rule's message, and answers whether there was one.
    fn breaks_any(
        &mut self,
        entries: &[Entry],
        place: &FieldContext<'_>,
        broken: impl Fn(&Entry) -> Option<Broken>,
    ) -> bool {
        let found = entries.iter().find_map(|entry| broken(entry).map(|broken| (entry, broken)));
        if let Some((entry, (sentence, values))) = &found {
            self.say(entry, place, sentence, values);
        }
        found.is_some()
    }

    fn say(
        &mut self,
        entry: &Entry,
        place: &FieldContext<'_>,
        sentence: &str,
        values: &[(&'static str, String)],
    ) {
        let mut filled = vec![("field", place.label.as_str())];
        filled.extend(values.iter().map(|(name, value)| (*name, value.as_str())));
        let sentence = entry.message.as_deref().unwrap_or(sentence);
        self.errors.add(place.path.clone(), self.messages.render(sentence, &filled));
    }
}

fn is_number(field: &FieldRules) -> bool {
    matches!(field.kind, Kind::Number | Kind::Decimal)
        || field.has(|rule| matches!(rule, Rule::Integer | Rule::Number))
}

/// A value as a form would write it.
fn text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(flag) => Some(flag.to_string()),
        _ => None,
    }
}
