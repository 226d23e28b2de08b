use std::collections::HashMap;
use std::time::Duration;

use housekey::prelude::*;
use housekey::queue::{RateLimit, Unique};
use serde::{Deserialize, Serialize};

use crate::models::Book;

/// Asks Open Library how many pages a book has, where nobody typed it in.
#[derive(Debug, Serialize, Deserialize)]
pub struct LookUpPages {
    pub book: i64,
}

#[derive(Deserialize)]
struct Found {
    number_of_pages: Option<i64>,
}

impl Job for LookUpPages {
    const NAME: &'static str = "look-up-pages";

    async fn handle(self) -> Result<()> {
        let Some(mut book) = Book::find(self.book).await? else { return Ok(()) };
        if book.pages.is_some() {
            return Ok(());
        }
        let key = format!("ISBN:{}", book.isbn);
        let mut found: HashMap<String, Found> = http()
            .get("https://openlibrary.org/api/books")
            .query(&[("bibkeys", key.as_str()), ("format", "json"), ("jscmd", "data")])
            .json()
            .await?;
        if let Some(pages) = found.remove(&key).and_then(|found| found.number_of_pages) {
            book.update(record! { Book::pages => pages }).await?;
        }
        Ok(())
    }

    fn unique(&self) -> Option<Unique> {
        Some(Unique::by(self.book, Duration::from_secs(600)))
    }

    fn rate_limit(&self) -> Option<RateLimit> {
        Some(RateLimit::per_minute(30))
    }
}
