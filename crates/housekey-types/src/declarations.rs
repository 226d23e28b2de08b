use std::any::TypeId;
use std::collections::{BTreeMap, HashSet};

use housekey_http::types::{ClientType, ConfirmedField, Declaration, TypeForm};

use crate::fields;

/// The types that routes mention, and those that these mention.
#[derive(Debug, Default)]
pub(crate) struct Declarations {
    types: BTreeMap<String, Declaration>,
    /// By the name of their type.
    confirmed: BTreeMap<String, Vec<ConfirmedField>>,
    seen: HashSet<TypeId>,
    clashes: Vec<String>,
}

impl Declarations {
    /// How the type is mentioned.
    pub(crate) fn reference(&mut self, form: &TypeForm) -> String {
        self.declare(form);
        form.name.clone()
    }

    /// How one of these is mentioned.
    pub(crate) fn union(&mut self, forms: &[ClientType]) -> String {
        let names = forms.iter().map(|form| match form {
            ClientType::Text(text) => text.clone(),
            ClientType::Of(form) => self.reference(form),
        });
        names.collect::<Vec<_>>().join(" | ")
    }

    /// The items of a tuple, or the type itself. Empty for a collection, whose items have no fixed number.
    pub(crate) fn items(&mut self, form: &TypeForm) -> Vec<String> {
        if form.name.starts_with('[') {
            return form.generics.iter().map(|item| self.reference(&item())).collect();
        }
        if form.name.starts_with('{') || form.name.starts_with("Array<") {
            return Vec::new();
        }
        vec![self.reference(form)]
    }

    pub(crate) fn confirm(&mut self, confirmed: ConfirmedField) {
        let known = self.confirmed.entry(confirmed.of.clone()).or_default();
        if !known.iter().any(|known| known.twin == confirmed.twin) {
            known.push(confirmed);
        }
    }

    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.types.keys().map(String::as_str)
    }

    /// Why the types cannot be written.
    pub(crate) fn clash(&self) -> Option<&str> {
        self.clashes.first().map(String::as_str)
    }

    /// Each type as it stands in the file, by name.
    pub(crate) fn render(&self) -> Vec<String> {
        let confirmed = |name| self.confirmed.get(name).map_or(&[][..], Vec::as_slice);
        self.types.iter().map(|(name, declaration)| render(declaration, confirmed(name))).collect()
    }

    fn declare(&mut self, form: &TypeForm) {
        if !self.seen.insert(form.id) {
            return;
        }
        if let Some(declaration) = &form.declaration {
            self.insert(declaration.clone());
        }
        form.dependencies.iter().chain(&form.generics).for_each(|form| self.declare(&form()));
    }

    fn insert(&mut self, declaration: Declaration) {
        match self.types.get(&declaration.name) {
            // The same type with other type arguments.
            Some(known) if known.text == declaration.text => {}
            Some(known) => self.clashes.push(format!(
                "two types are called {} in TypeScript: {} and {}\n\
                 Give one of them another name: #[ts(rename = \"…\")] below its #[typescript].",
                declaration.name, known.origin, declaration.origin
            )),
            None => drop(self.types.insert(declaration.name.clone(), declaration)),
        }
    }
}

fn render(declaration: &Declaration, confirmed: &[ConfirmedField]) -> String {
    let docs = declaration.docs.as_deref().unwrap_or_default();
    let text = fields::on_lines(declaration.text.trim_end_matches(';'));
    let text = if confirmed.is_empty() { text } else { with_twins(&text, confirmed) };
    format!("{docs}export {text};\n")
}

/// Adds the fields that are typed a second time. Each is as optional as the first.
fn with_twins(text: &str, confirmed: &[ConfirmedField]) -> String {
    let twin = |confirmed: &ConfirmedField| {
        let optional = format!("{}?:", confirmed.field);
        let mark = if text.lines().any(|line| line.trim().starts_with(&optional)) { "?" } else { "" };
        format!("  {}{mark}: string,\n", confirmed.twin)
    };
    let twins = confirmed.iter().map(twin).collect::<String>();
    // What is not indented is no field.
    let is_union = text.lines().any(|line| !line.starts_with(' ') && line.contains(" | "));
    match text.split_once(" = ") {
        // A union binds less than what is added to it.
        Some((head, body)) if is_union => format!("{head} = ({body}) & {{\n{twins}}}"),
        _ => format!("{text} & {{\n{twins}}}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn declared(text: &str, field: &str) -> String {
        let declaration = Declaration {
            origin: "app::Type",
            name: "Type".into(),
            docs: None,
            text: text.into(),
            has_fields: true,
        };
        let twin = format!("{field}_confirmation");
        render(&declaration, &[ConfirmedField { of: "Type".into(), field: field.into(), twin }])
    }

    #[test]
    fn the_second_typing_of_a_field_is_as_optional_as_the_first() {
        assert_eq!(
            declared("type Reset = { password: string, token: string, };", "password"),
            "export type Reset = {\n  password: string,\n  token: string,\n} & {\n  password_confirmation: string,\n};\n"
        );
        let text = "type Edit = { old_password: string, password?: string | null, };";
        assert!(declared(text, "password").contains("  password_confirmation?: string,\n"));
        assert!(declared(text, "old_password").contains("  old_password_confirmation: string,\n"));
    }

    #[test]
    fn the_second_typing_belongs_to_each_form_of_a_union() {
        assert_eq!(
            declared("type Either = { a: string, } | { b: string, };", "a"),
            "export type Either = ({\n  a: string,\n} | {\n  b: string,\n}) & {\n  a_confirmation: string,\n};\n"
        );
    }
}
