use housekey_core::Result;

use super::Query;
use crate::{FromRow, Value};

/// All rows of a query, piece by piece: made by [`Query::chunk_by`].
///
/// It is asked for the next piece instead of being given a closure: so the work between two pieces is ordinary code, which
/// uses what is around it, says `?` and ends early as it likes, in a handler and in a job.
#[must_use = "no row is read before `next` is called"]
#[derive(Debug)]
pub struct Chunks<T> {
    query: Query<T>,
    key: String,
    /// The key of the last row that was read.
    last: Option<Value>,
}

impl Query {
    /// Walks through all rows in pieces of this size, by a unique column in its order: for more rows than memory.
    ///
    /// ```
    /// # use housekey_core::Result;
    /// # use housekey_database::{Database, FromRow};
    /// # #[derive(FromRow)] #[row(crate = "housekey_database")] struct Post { id: i64, title: String }
    /// # async fn example(db: Database) -> Result<()> {
    /// let mut lines = Vec::new();
    /// let mut chunks = db.table("posts").where_eq("published", true).chunk_by::<Post>("id", 500);
    /// while let Some(posts) = chunks.next().await? {
    ///     lines.extend(posts.into_iter().map(|post| format!("{};{}", post.id, post.title)));
    /// }
    /// # Ok(()) }
    /// ```
    pub fn chunk_by<U: FromRow>(&self, key: impl Into<String>, size: u64) -> Chunks<U> {
        self.retyped::<U>().chunk_by(key, size)
    }
}

impl<T: FromRow> Query<T> {
    /// Walks through all rows in pieces of this size, by a unique column in its order: for more rows than memory.
    pub fn chunk_by(&self, key: impl Into<String>, size: u64) -> Chunks<T> {
        let key = key.into();
        let mut query = self.reading().limit(size.max(1));
        query.orders.clear();
        Chunks { query: query.order_by(&key), key, last: None }
    }
}

impl<T: FromRow> Chunks<T> {
    /// The next piece; `None` after the last one. No piece is empty.
    pub async fn next(&mut self) -> Result<Option<Vec<T>>> {
        let mut query = self.query.clone();
        if let Some(last) = &self.last {
            query = query.where_(&self.key, ">", last.clone());
        }
        let rows = query.rows().await?;
        let Some(end) = rows.last() else { return Ok(None) };
        let name = self.key.rsplit_once('.').map_or(self.key.as_str(), |(_, name)| name);
        self.last = Some(end.value(name)?);
        let read = rows.iter().map(T::from_row).collect::<Result<_>>()?;
        drop(rows);
        self.query.loaded(read).await.map(Some)
    }
}
