pub mod create_stories;
