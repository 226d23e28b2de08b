use housekey::database::{Database, Decimal, Factory, Seeder};
use housekey::prelude::*;

use super::DatabaseSeeder;
use crate::factories::BookFactory;
use crate::models::{Book, Tag, User};

/// A few books, and a demo person who looks after them. Running it again changes nothing.
pub struct ShelfSeeder;

const BOOKS: [(&str, &str, &str, &str); 6] = [
    ("9780141439471", "Frankenstein", "Mary Shelley", "novel"),
    ("9780141439563", "Great Expectations", "Charles Dickens", "novel"),
    ("9780140449136", "The Odyssey", "Homer", "sea, poem"),
    ("9780142437247", "Moby-Dick", "Herman Melville", "sea, novel"),
    ("9780140424386", "The Rime of the Ancient Mariner", "Samuel Taylor Coleridge", "sea, poem"),
    ("9780141392462", "The Waves", "Virginia Woolf", "novel"),
];

impl Seeder for ShelfSeeder {
    async fn run(&self, _: Database) -> Result<()> {
        User::query()?
            .where_eq(User::email, DatabaseSeeder::EMAIL)
            .update(record! { User::role => "librarian" })
            .await?;
        if Book::query()?.with_deleted().exists().await? {
            return Ok(());
        }
        for (number, (isbn, title, author, tags)) in BOOKS.into_iter().enumerate() {
            let book = BookFactory::create_with(record! {
                Book::isbn => isbn,
                Book::title => title,
                Book::author => author,
                Book::price => Decimal::new(990 + 150 * number as i64, 2),
            })
            .await?;
            book.sync(Book::tags, Tag::keys_of(tags).await?).await?;
        }
        Ok(())
    }
}
