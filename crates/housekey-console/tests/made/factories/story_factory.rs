use housekey::database::{Factory, Record, record};

use crate::models::story::Story;

/// Makes rows of [`Story`] for tests and seeds.
pub struct StoryFactory;

impl Factory for StoryFactory {
    type Model = Story;

    fn definition(number: u64) -> Record {
        record! { "name" => format!("Story {number}") }
    }
}
