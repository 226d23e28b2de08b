//! What the database holds to begin with: `housekey db:seed`.

mod database_seeder;

pub use database_seeder::DatabaseSeeder;
