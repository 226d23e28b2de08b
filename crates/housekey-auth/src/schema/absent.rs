use std::fmt;

use housekey_core::Result;
use housekey_engine::schema::Schema;

use crate::Auth;

/// What an error about one missing table says; whether others are there it cannot know.
pub(crate) const REMEDY: &str = "It is one of the tables of accounts: `housekey auth:schema --migrate` makes them all, and \
                                 `housekey auth:schema --diff --migrate` what is missing where some are there";

/// Tables of accounts that are not in their database. Printed, it says what to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MissingTables {
    names: Vec<String>,
    all: bool,
    place: String,
}

impl Auth {
    /// Which tables of accounts are not in their database; `None` when all of them are there.
    ///
    /// # Errors
    /// When the database cannot be asked.
    pub async fn missing_tables(&self) -> Result<Option<MissingTables>> {
        let database = self.database()?;
        let (schema, present) = (self.engine().schema(), database.tables().await?);
        let names = absent(schema, &present);
        let all = names.len() == schema.tables().len();
        Ok((!names.is_empty()).then(|| MissingTables { names, all, place: database.place().to_owned() }))
    }
}

fn absent(schema: &Schema, present: &[String]) -> Vec<String> {
    let names = schema.tables().iter().map(|table| table.name.clone());
    names.filter(|name| !present.contains(name)).collect()
}

impl fmt::Display for MissingTables {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { names, all, place } = self;
        let (which, option) = if *all { ("The tables", "") } else { ("Some tables", "--diff ") };
        write!(
            f,
            "{which} of accounts are not in {place}: {}. Run `housekey auth:schema {option}--migrate`.",
            names.join(", ")
        )
    }
}
