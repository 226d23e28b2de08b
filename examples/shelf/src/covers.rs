//! Pictures of books, on a disk of their own: a folder while developing, a bucket on a server.

use std::collections::HashSet;
use std::time::{Duration, SystemTime};

use housekey::prelude::*;

use crate::models::Book;

/// Keeps a picture that came with a form, and says where.
pub async fn keep(cover: Option<Upload>) -> Result<Option<String>> {
    match cover {
        Some(cover) => Ok(Some(storage()?.disk("covers")?.store("books", cover).await?)),
        None => Ok(None),
    }
}

/// Removes pictures that no book has: replaced ones, and those whose book could not be written. What is younger than a
/// day may belong to a book that is being written right now.
pub async fn sweep() -> Result<()> {
    let disk = storage()?.disk("covers")?;
    let kept: Vec<String> =
        Book::query()?.with_deleted().where_not_null(Book::cover).pluck(Book::cover).await?;
    let kept: HashSet<String> = kept.into_iter().collect();
    let yesterday = SystemTime::now() - Duration::from_secs(86_400);
    let mut files = disk.list("books").await?;
    while let Some(file) = files.next_file().await? {
        if file.modified < yesterday && !kept.contains(&file.path) {
            disk.delete(&file.path).await?;
        }
    }
    Ok(())
}
