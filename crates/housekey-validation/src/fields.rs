use std::ptr;

use crate::rules::{FieldRules, Rule, Rules};
use crate::validated::Validated;

/// The names that a refusal of some input can hold.
#[derive(Debug, Default)]
pub struct FieldNames {
    /// `tags.${number}` stands for the items of a list.
    pub all: Vec<String>,
    /// Those that have to be typed twice.
    pub confirmed: Vec<String>,
}

impl FieldNames {
    /// Of a type of input.
    pub fn of<T: Validated>() -> Self {
        let rules = T::rules();
        let mut names = Self::default();
        names.add_rules("", rules, &[]);
        let is_confirmed = |field: &&FieldRules| field.has(|rule| matches!(rule, Rule::Confirmed));
        let confirmed = rules.fields.iter().filter(is_confirmed);
        names.confirmed = confirmed.map(|field| field.name.to_owned()).collect();
        names
    }

    /// `around` are the types around this one: one that holds itself has no end of names, and is listed once.
    fn add_rules(&mut self, prefix: &str, rules: &Rules, around: &[&Rules]) {
        if around.iter().any(|outer| ptr::eq(*outer, rules)) {
            return;
        }
        let around = [around, &[rules]].concat();
        for field in &rules.fields {
            self.add_field(format!("{prefix}{}", field.name), field, &around);
        }
    }

    fn add_field(&mut self, name: String, field: &FieldRules, around: &[&Rules]) {
        for entry in &field.entries {
            match &entry.rule {
                Rule::Nested(rules) => self.add_rules(&format!("{name}."), rules(), around),
                Rule::Each(item) => self.add_field(format!("{name}.${{number}}"), item, around),
                _ => {}
            }
        }
        self.all.push(name);
    }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;
    use crate::Validated;

    #[derive(Deserialize, Validated)]
    #[expect(dead_code, reason = "only its names are looked at")]
    #[validate(crate = "crate")]
    struct Order {
        #[validate(required, confirmed)]
        email: String,
        #[validate(each(max(20)))]
        tags: Vec<String>,
        #[validate(nested)]
        address: Option<Address>,
        note: Option<String>,
    }

    #[derive(Deserialize, Validated)]
    #[expect(dead_code, reason = "only its names are looked at")]
    #[validate(crate = "crate")]
    struct Address {
        #[validate(required)]
        city: String,
        #[validate(each(nested))]
        others: Vec<Address>,
    }

    #[test]
    fn names_come_from_the_fields_and_what_is_inside_them() {
        let names = FieldNames::of::<Order>();
        let address = ["address.city", "address.others.${number}", "address.others", "address"];
        assert_eq!(names.all[..3], ["email", "tags.${number}", "tags"]);
        assert_eq!(names.all[3..7], address);
        assert_eq!(names.all[7..], ["note"]);
        assert_eq!(names.confirmed, ["email"]);
    }
}
