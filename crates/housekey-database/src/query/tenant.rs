use housekey_core::{Error, Result};
use sea_query::{Condition as Built, Expr, ExprTrait};

use super::{Query, iden};
use crate::{Driver, Record, Value};

/// The organisation whose rows a query stays in.
///
/// It is kept beside the conditions, not among them: `or_where` and the like put conditions into groups, and a group that it
/// was part of could hold without it.
#[derive(Clone)]
pub(super) struct Bounds {
    column: &'static str,
    id: String,
}

impl Bounds {
    fn is_column(&self, name: &str) -> bool {
        // Two of the engines do not tell upper from lower case in names.
        name.eq_ignore_ascii_case(self.column)
    }

    fn is_own(&self, value: &Value) -> bool {
        matches!(value, Value::Text(id) if *id == self.id)
    }
}

impl<T> Query<T> {
    /// This query among the rows whose column has this id. Nothing that is said afterwards leads out of them.
    // spec: ORG-4
    pub(crate) fn bounded(mut self, column: &'static str, id: &str) -> Self {
        self.bounds = Some(Bounds { column, id: id.to_owned() });
        self
    }

    /// The organisation whose rows it stays in.
    pub(crate) fn organization(&self) -> Option<&str> {
        self.bounds.as_ref().map(|bounds| bounds.id.as_str())
    }

    /// A query that fails when it is run, and says why.
    pub(crate) fn failing(mut self, why: String) -> Self {
        self.problem = self.problem.or(Some(why));
        self
    }

    /// Rows of the organisation for which everything asked for holds. What was asked for stands in brackets: an expression in
    /// the engine's own SQL may hold an `OR`.
    pub(super) fn within_bounds(&self, asked: Option<Built>) -> Option<Built> {
        let Some(bounds) = &self.bounds else { return asked };
        let column = match self.joins.is_empty() {
            true => Expr::col(iden(bounds.column)),
            false => Expr::col((iden(self.own_name()), iden(bounds.column))),
        };
        let own = Built::all().add(column.eq(Value::Text(bounds.id.clone()).into_expr()));
        Some(match asked {
            Some(asked) => own.add(Expr::tuple([asked.into()])),
            None => own,
        })
    }

    /// A row to be added, which belongs to the organisation. One that says another is refused.
    pub(super) fn owned(&self, record: Record) -> Result<Record> {
        let Some(bounds) = &self.bounds else { return Ok(record) };
        Ok(self.without_own(bounds, record)?.with(bounds.column, bounds.id.as_str()))
    }

    /// Changes to rows of the organisation, which stay its rows.
    pub(super) fn kept(&self, record: Record) -> Result<Record> {
        match &self.bounds {
            Some(bounds) => self.without_own(bounds, record),
            None => Ok(record),
        }
    }

    /// Refuses to set the column to what cannot be looked at before it runs.
    pub(super) fn check_set<'a>(&self, mut columns: impl Iterator<Item = &'a str>) -> Result<()> {
        match &self.bounds {
            Some(bounds) if columns.any(|name| bounds.is_column(name)) => Err(self.leads_out(bounds)),
            _ => Ok(()),
        }
    }

    /// A row that is there already and would be changed instead must be one of the organisation.
    pub(super) fn check_upsert(&self, unique: &[&str], update: &[&str]) -> Result<()> {
        let Some(bounds) = &self.bounds else { return Ok(()) };
        self.check_set(update.iter().copied())?;
        let advice = match unique.iter().any(|name| bounds.is_column(name)) {
            false => format!("name `{}` among the unique columns, and make the index so", bounds.column),
            true if self.db.driver() == Driver::MySql => {
                "MySQL looks at every unique index, not only at this one; use insert and update".to_owned()
            }
            true => return Ok(()),
        };
        let table = &self.table;
        Err(Error::internal(format!("upsert on `{table}` could change another organisation's row: {advice}")))
    }

    fn without_own(&self, bounds: &Bounds, record: Record) -> Result<Record> {
        let mut kept = Record::new();
        for (name, value) in record.into_pairs() {
            match bounds.is_column(&name) {
                true if bounds.is_own(&value) => {}
                true => return Err(self.leads_out(bounds)),
                false => drop(kept.set(name, value)),
            }
        }
        Ok(kept)
    }

    fn leads_out(&self, bounds: &Bounds) -> Error {
        Error::internal(format!(
            "a row of `{}` was to get another `{}` than that of the organisation whose rows these are; moving rows between \
             organisations is for `across_organizations()`",
            self.table, bounds.column
        ))
    }
}
