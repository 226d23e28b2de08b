use std::sync::Arc;

use crate::Value;

/// SQL text with its values beside it, never inside.
#[derive(Clone, Debug)]
pub(crate) struct Statement {
    pub(crate) sql: Arc<str>,
    pub(crate) values: Vec<Value>,
}

impl Statement {
    pub(crate) fn new(sql: impl Into<Arc<str>>, values: Vec<Value>) -> Self {
        Self { sql: sql.into(), values }
    }

    /// Whether it only reads, as far as its text tells.
    pub(crate) fn is_read(&self) -> bool {
        let sql = self.sql.trim_start();
        let end = sql.find(|character: char| !character.is_ascii_alphabetic()).unwrap_or(sql.len());
        let first = &sql[..end];
        let is = |words: &[&str]| words.iter().any(|word| first.eq_ignore_ascii_case(word));
        if is(&["with"]) {
            let sql = sql.to_ascii_lowercase();
            return !["insert", "update", "delete"].iter().any(|word| sql.contains(word));
        }
        is(&["select", "pragma", "explain", "values"])
    }
}

impl<T: Into<Arc<str>>> From<T> for Statement {
    fn from(sql: T) -> Self {
        Self::new(sql, Vec::new())
    }
}

/// What a statement did.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Outcome {
    pub(crate) rows_affected: u64,
    /// The key that SQLite or MySQL gave to the (first) inserted row.
    pub(crate) last_insert_id: Option<i64>,
}

/// One statement of several that happen together, and how many rows it must meet where that matters.
#[derive(Debug)]
pub(crate) struct Step {
    pub(crate) statement: Statement,
    pub(crate) expected: Option<u64>,
}

impl Outcome {
    /// Whether as many rows were touched as must be, where that matters.
    pub(crate) fn meets(self, expected: Option<u64>) -> bool {
        expected.is_none_or(|rows| rows == self.rows_affected)
    }
}

/// How far several statements got that happen together.
#[cfg(feature = "sqlite")]
pub(crate) struct StepsRun {
    /// How many were begun; none if the transaction was not.
    pub(crate) begun: usize,
    /// Whether each met the rows that it must. Only then they are kept.
    pub(crate) outcome: Result<bool, sqlx::Error>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_only_reads_is_told_from_what_writes() {
        for read in ["select 1", "  SELECT 1", "pragma user_version", "with a as (select 1) select * from a"]
        {
            assert!(Statement::from(read).is_read(), "{read}");
        }
        for write in ["insert into a values (1)", "UPDATE a set b = 1", "with x as (select 1) delete from a"]
        {
            assert!(!Statement::from(write).is_read(), "{write}");
        }
    }
}
