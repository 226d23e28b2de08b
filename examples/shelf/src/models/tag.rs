use std::collections::BTreeSet;

use housekey::database::{FromRow, Original};
use housekey::prelude::*;

/// A word that books are found by.
#[derive(Clone, Debug, FromRow, Model)]
#[model(table = "tags")]
pub struct Tag {
    pub id: i64,
    pub name: String,
    pub original: Original,
}

impl Tag {
    /// The keys of the tags in a text such as `sea, poems`. Those that are new are made; it takes two queries, however many
    /// there are.
    pub async fn keys_of(text: &str) -> Result<Vec<i64>> {
        let names: BTreeSet<String> =
            text.split(',').map(|name| name.trim().to_lowercase()).filter(|name| !name.is_empty()).collect();
        if names.is_empty() {
            return Ok(Vec::new());
        }
        let records: Vec<_> = names.iter().map(|name| record! { Tag::name => name.as_str() }).collect();
        Tag::query()?.upsert(records, &["name"], &["name"]).await?;
        Tag::query()?.where_in(Tag::name, names).pluck(Tag::id).await
    }
}
