pub mod story_factory;
