use crate::made_name::made_name;

/// An index over one column or several, in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Index {
    pub(crate) name: Option<String>,
    pub(crate) columns: Vec<String>,
    pub(crate) unique: bool,
    /// Whether it holds the column's text in small letters, for [`Table::search_index`](super::Table::search_index).
    pub(crate) search: bool,
}

impl Index {
    pub(crate) fn new<C: Into<String>>(columns: impl IntoIterator<Item = C>, unique: bool) -> Self {
        let columns = columns.into_iter().map(Into::into).collect();
        Self { name: None, columns, unique, search: false }
    }

    pub(crate) fn search(column: impl Into<String>) -> Self {
        Self { search: true, ..Self::new([column], false) }
    }

    /// Gives it a name; otherwise it is made from the table and the columns.
    pub fn name(&mut self, name: impl Into<String>) -> &mut Self {
        self.name = Some(name.into());
        self
    }

    pub(crate) fn name_in(&self, table: &str) -> String {
        let kind = match self {
            Self { search: true, .. } => "search",
            Self { unique: true, .. } => "unique",
            _ => "index",
        };
        self.name.clone().unwrap_or_else(|| made_name(table, &self.columns, kind))
    }
}
