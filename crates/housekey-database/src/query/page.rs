use serde::Serialize;

/// One page of a result.
///
/// ```
/// use housekey_database::Page;
///
/// let page = Page { items: vec!["c", "d"], page: 2, per_page: 2, total: 5 };
/// assert_eq!(page.last_page(), 3);
/// assert!(page.has_more());
/// assert_eq!(serde_json::to_value(&page).unwrap()["perPage"], 2);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Page<T> {
    pub items: Vec<T>,
    /// Which page this is, counted from 1.
    pub page: u64,
    pub per_page: u64,
    /// How many rows there are on all pages.
    pub total: u64,
}

impl<T> Page<T> {
    /// The number of the last page; 1 when there is nothing at all.
    pub fn last_page(&self) -> u64 {
        self.total.div_ceil(self.per_page.max(1)).max(1)
    }

    /// Whether there is a page after this one.
    pub fn has_more(&self) -> bool {
        self.page < self.last_page()
    }

    /// The same page with every item changed.
    pub fn map<U>(self, change: impl FnMut(T) -> U) -> Page<U> {
        let items = self.items.into_iter().map(change).collect();
        Page { items, page: self.page, per_page: self.per_page, total: self.total }
    }
}
