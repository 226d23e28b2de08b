use std::sync::Arc;

use crate::{Database, Databases};
use housekey_core::Result;

/// Which database something is kept in: one that is at hand, or a connection of the application by its name.
///
/// A connection is looked up at every use, so that what happens inside a transaction on it is part of the
/// transaction: a job that was dispatched there exists only if the transaction did happen.
#[derive(Clone, Debug)]
pub struct DatabaseSource(Kind);

#[derive(Clone, Debug)]
enum Kind {
    AtHand(Database),
    Named(Arc<Databases>, Option<String>),
}

impl DatabaseSource {
    /// A connection by name, the default one for `None`. An unknown name is an error here, not at the first use.
    pub fn named(databases: Arc<Databases>, name: Option<&str>) -> Result<Self> {
        databases.connection(name)?;
        Ok(Self(Kind::Named(databases, name.map(str::to_owned))))
    }

    /// The database, or the transaction that is open on it.
    pub fn get(&self) -> Result<Database> {
        match &self.0 {
            Kind::AtHand(database) => Ok(database.clone()),
            Kind::Named(databases, name) => databases.connection(name.as_deref()),
        }
    }
}

impl From<Database> for DatabaseSource {
    fn from(database: Database) -> Self {
        Self(Kind::AtHand(database))
    }
}
