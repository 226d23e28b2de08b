use housekey_core::Result;

use super::Model;
use crate::{CursorPage, Query};

impl<T: Model> Query<T> {
    /// The rows after a cursor, in the order that was asked for; `None` begins. Unlike [`Query::paginate`] it counts nothing, is as
    /// quick at the end as at the beginning, and shows no row twice when others come in meanwhile.
    ///
    /// ```
    /// # use housekey_database::{CursorPage, FromRow, Model};
    /// # #[derive(FromRow, Model)] #[row(crate = "housekey_database")] #[model(table = "books")]
    /// # struct Book { id: i64, title: String }
    /// # async fn example(after: Option<String>) -> housekey_core::Result<CursorPage<Book>> {
    /// Book::query()?.order_by(Book::title).cursor_paginate(after.as_deref(), 20).await
    /// # }
    /// ```
    ///
    /// The key is the last thing it is sorted by, if nobody says so. The columns it is sorted by are the model's own and must not
    /// be empty. A cursor that was not made for this order is a 400. It is made of these columns and the last row's values in
    /// them, and no secret.
    // spec: DAT-3
    pub async fn cursor_paginate(&self, after: Option<&str>, per_page: u64) -> Result<CursorPage<T>> {
        self.page_after(T::KEY, after, per_page).await
    }
}
