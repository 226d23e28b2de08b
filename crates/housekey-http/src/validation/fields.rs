use super::rules::{FieldRules, Rule, Rules};
use super::validated::{Schema, Validated};

/// The names that a refusal of some input can hold.
#[derive(Debug)]
pub(crate) struct FieldNames {
    /// Those of the rules, then those that only the type has. `tags.${number}` stands for the items of a list.
    pub(crate) all: Vec<String>,
    /// Those that have to be typed twice.
    pub(crate) confirmed: Vec<String>,
}

impl FieldNames {
    pub(crate) fn of<T: Validated>() -> Self {
        let schema = Schema::of::<T>();
        let mut names = Self { all: Vec::new(), confirmed: Vec::new() };
        names.add_rules("", &schema.rules);
        for field in schema.shape.fields() {
            names.add(field.name.to_owned());
        }
        let is_confirmed = |field: &&FieldRules| field.has(|rule| matches!(rule, Rule::Confirmed));
        let confirmed = schema.rules.fields.iter().filter(is_confirmed);
        names.confirmed = confirmed.map(|field| field.name.to_string()).collect();
        names
    }

    fn add_rules(&mut self, prefix: &str, rules: &Rules) {
        for field in &rules.fields {
            self.add_field(format!("{prefix}{}", field.name), field);
        }
    }

    fn add_field(&mut self, name: String, field: &FieldRules) {
        for entry in &field.entries {
            match &entry.rule {
                Rule::Object(rules) => self.add_rules(&format!("{name}."), rules),
                Rule::Each(item) => self.add_field(format!("{name}.${{number}}"), item),
                _ => {}
            }
        }
        self.add(name);
    }

    fn add(&mut self, name: String) {
        if !self.all.contains(&name) {
            self.all.push(name);
        }
    }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;

    #[derive(Deserialize)]
    #[expect(dead_code, reason = "only its names are looked at")]
    struct Order {
        email: String,
        tags: Vec<String>,
        note: Option<String>,
    }

    impl Validated for Order {
        fn rules(rules: &mut Rules) {
            rules.field("email").required().confirmed();
            rules.field("tags").each(|tag| {
                tag.max(20);
            });
            rules.field("address").object(|address| {
                address.field("city").required();
            });
        }
    }

    #[test]
    fn names_come_from_the_rules_and_from_the_type() {
        let names = FieldNames::of::<Order>();
        assert_eq!(names.all, ["email", "tags.${number}", "tags", "address.city", "address", "note"]);
        assert_eq!(names.confirmed, ["email"]);
    }
}
