//! A migration's name: what it adds, in words that make a file name.

use super::Plan;

impl Plan {
    /// `create_auth_tables`, `add_two_factor_to_auth`, `add_issuer_to_account`, `index_account_issuer_account_id`,
    /// `bound_token_of_session`.
    pub fn name(&self) -> String {
        let tables: Vec<String> = self.tables.iter().map(|table| snake(&table.key)).collect();
        if self.tables.iter().any(|table| table.key == "user") {
            return "create_auth_tables".into();
        }
        if !tables.is_empty() {
            return format!("add_{}_to_auth", listed(&tables, "tables"));
        }
        let names = |changes: &mut dyn Iterator<Item = &super::plan::TableChange>| {
            changes.map(|change| snake(&change.name)).collect::<Vec<_>>()
        };
        let mut wider = self.changes.iter().filter(|change| !change.columns.is_empty());
        let wider_names = names(&mut wider);
        if !wider_names.is_empty() {
            let columns = self.changes.iter().flat_map(|change| &change.columns);
            let columns: Vec<String> = columns.map(|column| snake(&column.name)).collect();
            let (columns, tables) = (listed(&columns, "columns"), listed(&wider_names, "auth_tables"));
            return format!("add_{columns}_to_{tables}");
        }
        if self.changes.iter().all(|change| change.indexes.is_empty()) {
            let columns = self.changes.iter().flat_map(|change| &change.bounded);
            let columns: Vec<String> = columns.map(|bounded| snake(&bounded.column)).collect();
            let tables = listed(&names(&mut self.changes.iter()), "auth_tables");
            return format!("bound_{}_of_{tables}", listed(&columns, "columns"));
        }
        match &self.changes[..] {
            [only] if only.indexes.len() == 1 => {
                let columns: Vec<String> = only.indexes[0].columns.iter().map(|name| snake(name)).collect();
                format!("index_{}_{}", snake(&only.name), columns.join("_"))
            }
            all => format!("index_{}", listed(&names(&mut all.iter()), "auth_tables")),
        }
    }
}

/// A few by name, many by what they are.
fn listed(names: &[String], many: &str) -> String {
    if names.len() > 3 { many.to_owned() } else { names.join("_and_") }
}

/// `twoFactorEnabled` → `two_factor_enabled`. What cannot be in a module's name becomes `_`.
fn snake(name: &str) -> String {
    let mut text = String::with_capacity(name.len() + 4);
    let mut after_lower = false;
    for letter in name.chars() {
        if letter.is_ascii_uppercase() && after_lower {
            text.push('_');
        }
        after_lower = letter.is_ascii_lowercase() || letter.is_ascii_digit();
        text.push(if letter.is_ascii_alphanumeric() { letter.to_ascii_lowercase() } else { '_' });
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_become_snake_case() {
        for (name, expected) in [
            ("twoFactor", "two_factor"),
            ("credentialID", "credential_id"),
            ("accountId", "account_id"),
            ("auth.users", "auth_users"),
            ("already_snake", "already_snake"),
        ] {
            assert_eq!(snake(name), expected);
        }
    }

    #[test]
    fn many_names_become_one_word() {
        let names = |count: usize| (0..count).map(|at| format!("n{at}")).collect::<Vec<_>>();
        assert_eq!(listed(&names(2), "columns"), "n0_and_n1");
        assert_eq!(listed(&names(4), "columns"), "columns");
    }
}
