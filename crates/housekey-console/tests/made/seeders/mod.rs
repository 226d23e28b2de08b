pub mod story_seeder;
