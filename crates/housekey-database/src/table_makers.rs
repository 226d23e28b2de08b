use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

/// What to do about tables that are missing, by their names.
#[derive(Debug, Default)]
pub(crate) struct TableMakers(Mutex<BTreeMap<String, String>>);

impl TableMakers {
    pub(crate) fn add(&self, tables: impl Iterator<Item = String>, remedy: &str) {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.extend(tables.map(|table| (table, remedy.to_owned())));
    }

    /// The remedy for the table that an engine names in its complaint.
    pub(crate) fn remedy(&self, complaint: &str) -> Option<String> {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.get(missing_table(complaint)?).cloned()
    }
}

/// `no such table: main.user`, `relation "user" does not exist`, `Table 'shop.user' doesn't exist`.
fn missing_table(complaint: &str) -> Option<&str> {
    let name = match complaint.split_once("no such table: ") {
        Some((_, name)) => name,
        None => complaint.split(['"', '\'']).nth(1)?,
    };
    name.rsplit('.').next()
}

#[cfg(test)]
mod tests {
    use crate::on_every_engine;
    use crate::testing::TestDatabase;

    on_every_engine!(a_missing_table_comes_with_the_way_to_make_it);

    async fn a_missing_table_comes_with_the_way_to_make_it(test: TestDatabase) {
        test.db.tables_are_made_by(["user", "twoFactor"], "Run `auth:schema`.");
        for (table, told) in [("user", true), ("twoFactor", true), ("users", false)] {
            let error = test.db.table(table).count().await.unwrap_err().to_string();
            assert_eq!(error.contains("Run `auth:schema`."), told, "{error}");
        }
    }
}
