use housekey::database::{Database, Seeder};
use housekey::prelude::*;

use crate::factories::UserFactory;

/// Somebody to sign in as while developing. Running it again changes nothing.
pub struct DatabaseSeeder;

impl DatabaseSeeder {
    /// The address to sign in with; the password is [`UserFactory::PASSWORD`].
    pub const EMAIL: &str = "demo@example.com";
}

impl Seeder for DatabaseSeeder {
    fn in_transaction(&self) -> bool {
        false
    }

    async fn run(&self, db: Database) -> Result<()> {
        if service::<AppConfig>().is_some_and(|app| app.env.is_production()) {
            return Err(Error::internal(
                "the demo account has a password that everyone knows: not in production",
            ));
        }
        if db.table("user").where_eq("email", Self::EMAIL).exists().await? {
            return Ok(());
        }
        UserFactory::new().named("Demo Person").email(Self::EMAIL).create().await?;
        Ok(())
    }
}
