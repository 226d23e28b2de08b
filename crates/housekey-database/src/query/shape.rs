use sea_query::JoinType;

use super::conditions::{Comparison, Condition};
use super::{Lock, Query};
use crate::Value;
use crate::texts::Shape;

impl<T> Query<T> {
    /// `None` for a query with parts that say nothing about their text before they are built.
    pub(super) fn shape(&self) -> Option<Shape> {
        if !self.expressions.is_empty() {
            return None;
        }
        let mut shape = Shape::new();
        shape.name(&self.table);
        shape.count(self.columns.len());
        self.columns.iter().for_each(|column| shape.name(column));
        let own = self.joined_model();
        shape.mark(u8::from(own.is_some()));
        shape.count(own.map_or(0, <[_]>::len));
        own.iter().flat_map(|columns| columns.iter()).for_each(|column| shape.name(column));
        shape.count(self.joins.len());
        for (kind, table, left, right) in &self.joins {
            shape.mark(u8::from(*kind == JoinType::LeftJoin));
            [table, left, right].into_iter().for_each(|name| shape.name(name));
        }
        shape.count(self.conditions.len());
        for condition in &self.conditions {
            let Condition::Compared(column, comparison) = condition else { return None };
            shape.name(column);
            shape.name(match comparison {
                Comparison::IsNull => "null",
                Comparison::IsNotNull => "not null",
                // Written out rather than bound; as long as what they compare with.
                Comparison::With(_, Value::Null)
                | Comparison::In(_)
                | Comparison::NotIn(_)
                | Comparison::Between(..) => return None,
                Comparison::With((operator, _), _) => operator,
                Comparison::Like { negated: false, .. } => "like",
                Comparison::Like { negated: true, .. } => "not like",
            });
        }
        shape.count(self.groups.len());
        self.groups.iter().for_each(|column| shape.name(column));
        shape.count(self.orders.len());
        for (column, descending) in &self.orders {
            shape.name(column);
            shape.mark(u8::from(*descending));
        }
        let lock = match self.lock {
            None => 0,
            Some(Lock::Wait) => 1,
            Some(Lock::SkipLocked) => 2,
        };
        shape.mark(u8::from(self.limit.is_some()));
        shape.mark(u8::from(self.offset.is_some()));
        shape.mark(u8::from(self.distinct));
        shape.mark(lock);
        Some(shape)
    }

    /// The values of a query with a shape, in the order of its text.
    pub(super) fn values(&self) -> Vec<Value> {
        let compared = self.conditions.iter().filter_map(|condition| match condition {
            Condition::Compared(_, Comparison::With(_, value)) => Some(value.clone()),
            Condition::Compared(_, Comparison::Like { pattern, .. }) => Some(Value::Text(pattern.clone())),
            _ => None,
        });
        let rows = |rows: u64| Value::Int(i64::try_from(rows).unwrap_or(i64::MAX));
        let limit = self.limit_said().map(rows);
        compared.chain(limit).chain(self.offset.map(rows)).collect()
    }
}

#[cfg(all(test, feature = "sqlite"))]
mod tests {
    use crate::{Database, Query};

    /// Both ways to a statement must agree, or a value ends up in another's place.
    #[test]
    fn a_kept_text_gets_the_values_that_a_built_one_has() {
        let db = Database::memory();
        let wholes: [fn(Query) -> Query; 9] = [
            |query| query,
            |query| query.where_eq("a", 1).order_by("b").limit(1),
            |query| query.where_eq("a", 1).where_("b", "<>", "x").where_("c", "LIKE", "%y%"),
            |query| query.where_null("a").where_eq("b", None::<i64>).where_not_null("c").where_eq("d", true),
            |query| query.where_("t.a", ">", 0.5).order_by("a").order_by_desc("b").limit(3),
            |query| query.join("u", "u.id", "t.id").where_eq("u.a", 1).group_by(["a"]).where_eq("t.a", 2),
            |query| query.of_model(&["a"]).join("u", "u.id", "t.id").where_eq("a", 1).order_by("a").limit(3),
            |query| query.select(["a", "b as c"]).where_("a", "not like", "x").offset(7),
            |query| {
                query.distinct().where_("a", "<=", vec![1_u8]).limit(u64::MAX).offset(2).lock_for_update()
            },
        ];
        for whole in wholes {
            let query = || whole(db.table("t"));
            let built = query().statement().unwrap();
            let again = query().statement().unwrap();
            assert!(query().shape().is_some());
            assert_eq!((&*built.sql, &built.values), (&*again.sql, &again.values));
        }
        assert_eq!(db.inner.texts.len(), wholes.len());
    }

    #[test]
    fn queries_that_differ_in_anything_differ_in_shape() {
        let db = Database::memory();
        let table = || db.table("t");
        let queries = [
            table(),
            db.table("ta"),
            table().select(["a"]),
            table().select(["a", "b"]),
            table().select(["ab"]),
            table().where_eq("a", 1),
            table().where_eq("b", 1),
            table().where_("a", "<", 1),
            table().where_null("a"),
            table().where_not_null("a"),
            table().where_contains("a", "x"),
            table().where_("a", "not like", "x"),
            table().order_by("a"),
            table().order_by_desc("a"),
            table().limit(1),
            table().offset(1),
            table().limit(1).offset(1),
            table().distinct(),
            table().join("u", "u.id", "t.id"),
            table().left_join("u", "u.id", "t.id"),
            table().join("u", "t.id", "u.id"),
            table().of_model(&[]).join("u", "t.id", "u.id"),
            table().of_model(&["a"]).join("u", "t.id", "u.id"),
            table().of_model(&["a", "b"]).join("u", "t.id", "u.id"),
            table().group_by(["a"]),
            table().lock_for_update(),
            table().lock_skipping_locked(),
        ];
        let shapes: std::collections::HashSet<_> = queries.iter().map(Query::shape).collect();
        assert_eq!(shapes.len(), queries.len());
        assert!(table().where_in("a", [1]).shape().is_none());
        assert!(table().where_("a", "<", None::<i64>).shape().is_none());
        assert!(table().select_expr(1, "one").shape().is_none());
    }
}
