use crate::record::{FieldName, Value};

/// Conditions that a row must meet, all of them; and groups of conditions, of each of which it must meet one.
///
/// ```
/// use housekey_engine::storage::{Comparison, Condition, Filter};
///
/// let mine = Filter::by("userId", "u1").and("expiresAt", Comparison::Greater, 5_i64);
/// assert_eq!(mine.conditions().len(), 2);
///
/// let named = ["name", "email"].map(|field| Condition::new(field, Comparison::Contains, "ada"));
/// assert_eq!(Filter::all().and_any(named).alternatives().len(), 1);
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Filter {
    conditions: Vec<Condition>,
    alternatives: Vec<Vec<Condition>>,
}

/// A field, compared with a value.
#[derive(Clone, Debug, PartialEq)]
pub struct Condition {
    pub field: FieldName,
    pub comparison: Comparison,
    /// With what. `Null` equals `Null` here: it asks whether the field is empty.
    pub value: Value,
}

impl Condition {
    pub fn new(field: impl Into<FieldName>, comparison: Comparison, value: impl Into<Value>) -> Self {
        Self { field: field.into(), comparison, value: value.into() }
    }
}

/// How a field is compared. The last three are for texts: capital and small letters are the same, and no
/// character of the value has a meaning of its own. An empty field contains nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
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
    Contains,
    StartsWith,
    EndsWith,
}

impl Filter {
    pub fn all() -> Self {
        Self::default()
    }

    /// Rows whose field has this value.
    pub fn by(field: impl Into<FieldName>, value: impl Into<Value>) -> Self {
        Self::all().and(field, Comparison::Equal, value)
    }

    #[must_use]
    pub fn and(
        mut self,
        field: impl Into<FieldName>,
        comparison: Comparison,
        value: impl Into<Value>,
    ) -> Self {
        self.conditions.push(Condition::new(field, comparison, value));
        self
    }

    /// One more group: a row must meet one of these. No row meets one of none.
    #[must_use]
    pub fn and_any(mut self, group: impl IntoIterator<Item = Condition>) -> Self {
        self.alternatives.push(group.into_iter().collect());
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

    /// The groups of which a row must meet one condition each.
    pub fn alternatives(&self) -> &[Vec<Condition>] {
        &self.alternatives
    }
}

/// Which rows to read, in which order, and how many.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Find {
    pub filter: Filter,
    pub order: Option<(FieldName, Direction)>,
    /// The field that decides, in the same direction, where that leaves rows equal: without one, pages of a list may overlap.
    pub then_by: Option<FieldName>,
    pub limit: Option<u32>,
    pub offset: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    Ascending,
    Descending,
}

impl Find {
    /// All that match.
    pub fn new(filter: Filter) -> Self {
        Self { filter, ..Self::default() }
    }

    #[must_use]
    pub fn order(mut self, field: impl Into<FieldName>, direction: Direction) -> Self {
        self.order = Some((field.into(), direction));
        self
    }

    /// Sorted by another field, in the same direction, where the first leaves rows equal.
    #[must_use]
    pub fn then_by(mut self, field: impl Into<FieldName>) -> Self {
        self.then_by = Some(field.into());
        self
    }

    #[must_use]
    pub fn limit(mut self, rows: u32) -> Self {
        self.limit = Some(rows);
        self
    }

    #[must_use]
    pub fn offset(mut self, rows: u32) -> Self {
        self.offset = rows;
        self
    }
}
