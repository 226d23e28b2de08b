use crate::record::{FieldName, Value};

/// Conditions that a row must meet, all of them.
///
/// ```
/// use housekey_engine::storage::{Comparison, Filter};
///
/// let mine = Filter::by("userId", "u1").and("expiresAt", Comparison::Greater, 5_i64);
/// assert_eq!(mine.conditions().len(), 2);
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Filter {
    conditions: Vec<Condition>,
}

/// One condition.
#[derive(Clone, Debug, PartialEq)]
pub struct Condition {
    pub field: FieldName,
    /// How it is compared.
    pub comparison: Comparison,
    /// With what. `Null` equals `Null` here: it asks whether the field is empty.
    pub value: Value,
}

/// How a field is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// The same.
    Equal,
    /// Not the same; empty counts as not the same.
    NotEqual,
    /// Smaller or earlier.
    Less,
    /// Not greater or later.
    LessOrEqual,
    /// Greater or later.
    Greater,
    /// Not smaller or earlier.
    GreaterOrEqual,
}

impl Filter {
    /// Every row.
    pub fn all() -> Self {
        Self::default()
    }

    /// Rows whose field has this value.
    pub fn by(field: impl Into<FieldName>, value: impl Into<Value>) -> Self {
        Self::all().and(field, Comparison::Equal, value)
    }

    /// One more condition.
    #[must_use]
    pub fn and(
        mut self,
        field: impl Into<FieldName>,
        comparison: Comparison,
        value: impl Into<Value>,
    ) -> Self {
        self.conditions.push(Condition { field: field.into(), comparison, value: value.into() });
        self
    }

    /// One more field that must have a value.
    #[must_use]
    pub fn and_by(self, field: impl Into<FieldName>, value: impl Into<Value>) -> Self {
        self.and(field, Comparison::Equal, value)
    }

    pub fn conditions(&self) -> &[Condition] {
        &self.conditions
    }
}

/// Which rows to read, in which order, and how many.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Find {
    /// The conditions.
    pub filter: Filter,
    /// The field to sort by.
    pub order: Option<(FieldName, Direction)>,
    /// The most rows to give.
    pub limit: Option<u32>,
    /// Rows to skip.
    pub offset: u32,
}

/// Up or down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// Smallest first.
    Ascending,
    /// Greatest first.
    Descending,
}

impl Find {
    /// All that match.
    pub fn new(filter: Filter) -> Self {
        Self { filter, ..Self::default() }
    }

    /// Sorted by a field.
    #[must_use]
    pub fn order(mut self, field: impl Into<FieldName>, direction: Direction) -> Self {
        self.order = Some((field.into(), direction));
        self
    }

    /// So many at most.
    #[must_use]
    pub fn limit(mut self, rows: u32) -> Self {
        self.limit = Some(rows);
        self
    }

    /// Without the first so many.
    #[must_use]
    pub fn offset(mut self, rows: u32) -> Self {
        self.offset = rows;
        self
    }
}
