use sea_query::{Condition, Expr, ExprTrait};

use super::{Query, column, equal};
use crate::Value;

impl Query {
    /// Rows where the column has this value. `None` asks for NULL.
    pub fn where_eq(self, name: impl AsRef<str>, value: impl Into<Value>) -> Self {
        self.where_(name, "=", value)
    }

    /// Rows where the comparison holds: `=`, `!=`, `<`, `<=`, `>`, `>=`, `like`, `not like`.
    ///
    /// How `like` treats upper and lower case is up to the engine.
    pub fn where_(mut self, name: impl AsRef<str>, operator: &str, value: impl Into<Value>) -> Self {
        let column = column(name.as_ref());
        let value = value.into();
        let condition = match (operator.to_ascii_lowercase().as_str(), value) {
            ("=", Value::Null) => column.is_null(),
            ("!=" | "<>", Value::Null) => column.is_not_null(),
            ("=", value) => column.eq(value.into_expr()),
            ("!=" | "<>", value) => column.ne(value.into_expr()),
            ("<", value) => column.lt(value.into_expr()),
            ("<=", value) => column.lte(value.into_expr()),
            (">", value) => column.gt(value.into_expr()),
            (">=", value) => column.gte(value.into_expr()),
            ("like", Value::Text(pattern)) => column.like(pattern),
            ("not like", Value::Text(pattern)) => column.not_like(pattern),
            ("like" | "not like", value) => {
                self.problem = Some(format!("`{operator}` compares with text, not with {}", value.kind()));
                return self;
            }
            (unknown, _) => {
                self.problem =
                    Some(format!("there is no comparison `{unknown}`; use = != < <= > >= like, not like"));
                return self;
            }
        };
        self.also(condition)
    }

    /// Rows where the two columns are equal.
    pub fn where_column(self, left: &str, right: &str) -> Self {
        self.also(equal(left, right))
    }

    /// Rows where the column has one of these values. No values: no rows.
    pub fn where_in<V: Into<Value>>(
        self,
        name: impl AsRef<str>,
        values: impl IntoIterator<Item = V>,
    ) -> Self {
        let values = values.into_iter().map(|value| value.into().into_expr());
        self.also(column(name.as_ref()).is_in(values))
    }

    /// Rows where the column has none of these values. No values: every row.
    pub fn where_not_in<V: Into<Value>>(
        self,
        name: impl AsRef<str>,
        values: impl IntoIterator<Item = V>,
    ) -> Self {
        let values = values.into_iter().map(|value| value.into().into_expr());
        self.also(column(name.as_ref()).is_not_in(values))
    }

    /// Rows where the column is NULL.
    pub fn where_null(self, name: impl AsRef<str>) -> Self {
        self.also(column(name.as_ref()).is_null())
    }

    /// Rows where the column is not NULL.
    pub fn where_not_null(self, name: impl AsRef<str>) -> Self {
        self.also(column(name.as_ref()).is_not_null())
    }

    /// Rows where the column lies between two values, both included.
    pub fn where_between(self, name: impl AsRef<str>, from: impl Into<Value>, to: impl Into<Value>) -> Self {
        let (from, to) = (from.into().into_expr(), to.into().into_expr());
        self.also(column(name.as_ref()).between(from, to))
    }

    /// Rows where an expression made with [`sql`](crate::sql) holds.
    pub fn where_expr(self, expression: impl Into<Expr>) -> Self {
        self.also(expression.into())
    }

    /// Rows where at least one of the group's conditions holds, besides everything else asked for.
    ///
    /// ```
    /// # use housekey_database::Database;
    /// let db = Database::memory();
    /// let query = db.table("posts").where_eq("published", true)
    ///     .where_any(|either| either.where_("title", "like", "%rust%").where_("body", "like", "%rust%"));
    /// assert!(query.to_sql().unwrap().ends_with(
    ///     "WHERE `published` = ? AND (`title` LIKE ? OR `body` LIKE ?)"
    /// ));
    /// ```
    pub fn where_any(mut self, group: impl FnOnce(Self) -> Self) -> Self {
        let group = self.group(group);
        self.conditions.push(group.into_iter().fold(Condition::any(), Condition::add));
        self
    }

    /// Rows for which what was asked so far holds, or else all of the group's conditions.
    pub fn or_where(mut self, group: impl FnOnce(Self) -> Self) -> Self {
        let group = self.group(group);
        let so_far = std::mem::take(&mut self.conditions);
        let all = |conditions: Vec<Condition>| conditions.into_iter().fold(Condition::all(), Condition::add);
        self.conditions = vec![if so_far.is_empty() {
            all(group)
        } else {
            Condition::any().add(all(so_far)).add(all(group))
        }];
        self
    }

    fn group(&mut self, group: impl FnOnce(Self) -> Self) -> Vec<Condition> {
        let made = group(Self::new(self.db.clone(), self.table.clone()));
        self.problem = self.problem.take().or(made.problem);
        made.conditions
    }

    fn also(mut self, condition: Expr) -> Self {
        self.conditions.push(Condition::all().add(condition));
        self
    }

    pub(super) fn condition(&self) -> Condition {
        self.conditions.iter().cloned().fold(Condition::all(), Condition::add)
    }
}
