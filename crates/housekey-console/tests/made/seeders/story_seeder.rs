use housekey::database::{Database, Seeder, record};
use housekey::prelude::*;

/// `housekey db:seed --class StorySeeder`
pub struct StorySeeder;

impl Seeder for StorySeeder {
    /// Written so that a second run does no harm.
    async fn run(&self, db: Database) -> Result<()> {
        if db.table("stories").exists().await? {
            return Ok(());
        }
        db.table("stories").insert_many([record! { "name" => "Story" }]).await?;
        Ok(())
    }
}
