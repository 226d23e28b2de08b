use std::hash::{Hash, Hasher};
use std::sync::Arc;

use housekey_engine::schema::Table;
use housekey_engine::storage::{Comparison, Condition, Direction, Filter, Find};
use housekey_engine::{FieldName, Record, Value};

/// What is asked of the database.
pub(crate) struct Question<'a> {
    what: What,
    table: &'a Table,
    filter: &'a Filter,
    order: Option<&'a (FieldName, Direction)>,
    limit: Option<u32>,
    offset: u32,
    parent: Option<(&'a str, &'a Table)>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum What {
    Rows,
    Pair,
    Count,
}

/// A question that was asked, with everything that makes it this one and no other: an answer given to another question
/// would be somebody else's session.
pub(super) struct Asked {
    what: What,
    table: Arc<Table>,
    find: Find,
    parent: Option<(String, Arc<Table>)>,
}

impl<'a> Question<'a> {
    pub(crate) fn rows(table: &'a Table, find: &'a Find) -> Self {
        let Find { filter, order, limit, offset } = find;
        Self { order: order.as_ref(), limit: *limit, offset: *offset, ..Self::new(What::Rows, table, filter) }
    }

    pub(crate) fn pair(table: &'a Table, filter: &'a Filter, reference: &'a str, parent: &'a Table) -> Self {
        Self { parent: Some((reference, parent)), ..Self::new(What::Pair, table, filter) }
    }

    pub(crate) fn count(table: &'a Table, filter: &'a Filter) -> Self {
        Self::new(What::Count, table, filter)
    }

    fn new(what: What, table: &'a Table, filter: &'a Filter) -> Self {
        Self { what, table, filter, order: None, limit: None, offset: 0, parent: None }
    }

    pub(super) fn tables(&self) -> impl Iterator<Item = &'a Table> {
        [self.table].into_iter().chain(self.parent.map(|(_, parent)| parent))
    }

    /// Whether it names the row it wants by a value that no two rows share.
    pub(super) fn names_one_row(&self) -> bool {
        self.filter.conditions().iter().any(|Condition { field, comparison, .. }| {
            let is_unique = |field: &str| self.table.column(field).is_some_and(|column| column.unique);
            *comparison == Comparison::Equal && (field == "id" || is_unique(field))
        })
    }

    /// Whether the answer to what was asked then is one to this; for rows, after those that
    /// [`too_early`](Self::too_early) names are left out.
    pub(super) fn is(&self, asked: &Asked) -> bool {
        let find = &asked.find;
        let conditions = (self.filter.conditions(), find.filter.conditions());
        self.what == asked.what
            && (self.limit, self.offset) == (find.limit, find.offset)
            && conditions.0.len() == conditions.1.len()
            && conditions.0.iter().zip(conditions.1).all(|(now, then)| self.is_met(now, then))
            && self.order == find.order.as_ref()
            && reads_the_same(self.table, &asked.table)
            && match (self.parent, &asked.parent) {
                (Some((reference, parent)), Some((then, parent_then))) => {
                    reference == then && reads_the_same(parent, parent_then)
                }
                (None, None) => true,
                _ => false,
            }
    }

    fn is_met(&self, now: &Condition, then: &Condition) -> bool {
        (&now.field, now.comparison) == (&then.field, then.comparison)
            && match self.moves_on(now) {
                Some(moment) => then.value.as_date().is_some_and(|then| then <= moment),
                None => now.value == then.value,
            }
    }

    /// The moment of a condition such as "what has not expired by now", which is another one each time.
    ///
    /// Whatever is later than this moment was in the answer about an earlier one as well. That holds for rows that are
    /// all asked for, and not for the first ten of them.
    fn moves_on(&self, condition: &Condition) -> Option<time::OffsetDateTime> {
        let is_open = self.what == What::Rows && self.limit.is_none() && self.offset == 0;
        let is_later = matches!(condition.comparison, Comparison::Greater);
        if is_open && is_later { condition.value.as_date() } else { None }
    }

    /// Whether a row of the answer about an earlier moment is not in the answer about this one.
    pub(super) fn too_early(&self, row: &Record) -> bool {
        self.filter.conditions().iter().any(|condition| {
            let Some(moment) = self.moves_on(condition) else { return false };
            row.get(&condition.field).and_then(Value::as_date).is_none_or(|date| date <= moment)
        })
    }

    pub(super) fn owned(&self, mut shared: impl FnMut(&Table) -> Arc<Table>) -> Asked {
        let find = Find {
            filter: self.filter.clone(),
            order: self.order.cloned(),
            limit: self.limit,
            offset: self.offset,
        };
        let parent = self.parent.map(|(reference, parent)| (reference.to_owned(), shared(parent)));
        Asked { what: self.what, table: shared(self.table), find, parent }
    }
}

/// Less than [`Question::is`] looks at, and the same for questions that it takes for one another.
impl Hash for Question<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.what, &self.table.name, self.limit, self.offset).hash(state);
        for condition in self.filter.conditions() {
            condition.field.hash(state);
            match &condition.value {
                Value::Text(text) => text.hash(state),
                Value::Integer(number) => number.hash(state),
                Value::Bool(value) => value.hash(state),
                Value::Null | Value::Date(_) | Value::Json(_) => {}
            }
        }
    }
}

/// Whether rows of the two are read from the same columns into the same fields.
pub(super) fn reads_the_same(one: &Table, other: &Table) -> bool {
    one.name == other.name
        && one.columns.len() == other.columns.len()
        && one
            .columns
            .iter()
            .zip(&other.columns)
            .all(|(one, other)| one.name == other.name && one.field == other.field && one.kind == other.kind)
}
