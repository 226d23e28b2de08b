use housekey::database::{Database, Factory, Seeder};
use housekey::prelude::*;

use crate::factories::UserFactory;
use crate::models::User;

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
        let demo = record! { User::name => "Demo Person", User::email => Self::EMAIL };
        UserFactory::create_with(demo).await?;
        Ok(())
    }
}
