/// A book as each of the three has read it, in one form.
#[derive(Debug, PartialEq)]
pub struct Seen {
    pub id: i64,
    pub title: String,
    pub author: String,
    pub shelf: Option<String>,
    pub pages: i64,
    pub tags: Vec<(i64, String)>,
    pub last_loan: Option<(i64, String, bool)>,
}

/// Reads the page of books that follows a key.
pub trait ReadPage {
    /// As an app has it in the end: a list of books that have their tags and their last loan.
    async fn just_read(&self, after: i64);

    /// The same, made comparable.
    async fn read(&self, after: i64) -> Vec<Seen>;
}
