use crate::Action;

/// Columns that may only hold what columns of another table hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ForeignKey {
    pub(crate) name: Option<String>,
    pub(crate) columns: Vec<String>,
    pub(crate) table: String,
    pub(crate) references: Vec<String>,
    pub(crate) on_delete: Action,
    pub(crate) on_update: Action,
}

impl ForeignKey {
    pub(crate) fn new<C: Into<String>, R: Into<String>>(
        columns: impl IntoIterator<Item = C>,
        table: impl Into<String>,
        references: impl IntoIterator<Item = R>,
    ) -> Self {
        Self {
            name: None,
            columns: columns.into_iter().map(Into::into).collect(),
            table: table.into(),
            references: references.into_iter().map(Into::into).collect(),
            on_delete: Action::NoAction,
            on_update: Action::NoAction,
        }
    }

    /// Gives it a name; otherwise it is made from the table and the columns.
    pub fn name(&mut self, name: impl Into<String>) -> &mut Self {
        self.name = Some(name.into());
        self
    }

    /// What happens when the row that is referred to is deleted.
    pub fn on_delete(&mut self, action: Action) -> &mut Self {
        self.on_delete = action;
        self
    }

    /// What happens when the key that is referred to changes.
    pub fn on_update(&mut self, action: Action) -> &mut Self {
        self.on_update = action;
        self
    }

    pub(crate) fn name_in(&self, table: &str) -> String {
        self.name.clone().unwrap_or_else(|| crate::made_name::made_name(table, &self.columns, "foreign"))
    }
}
