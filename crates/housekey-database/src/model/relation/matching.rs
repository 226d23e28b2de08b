use housekey_core::Result;
use sea_query::SelectStatement;

use super::{Link, Loadable, Narrowed, Relation, RelationField};
use crate::sql::{Expr, ExprTrait};
use crate::{Model, Query, Records, connection};

impl<M: Model> Query<M> {
    /// Rows that have a related row, perhaps one of a kind:
    ///
    /// ```
    /// # use housekey_database::{FromRow, ManyToMany, Model};
    /// # #[derive(FromRow, Model)] #[row(crate = "housekey_database")] #[model(table = "books")]
    /// # struct Book { id: i64, tags: ManyToMany<Tag> }
    /// # #[derive(FromRow, Model)] #[row(crate = "housekey_database")] #[model(table = "tags")]
    /// # struct Tag { id: i64, name: String }
    /// # fn example() -> housekey_core::Result<()> {
    /// let poems = Book::query()?.where_has(Book::tags.only(|tags| tags.where_eq(Tag::name, "poem")));
    /// # drop(poems);
    /// # Ok(()) }
    /// ```
    // spec: DAT-1
    pub fn where_has(self, relation: impl Loadable<M>) -> Self {
        self.matching(relation.narrowed(), false)
    }

    /// Rows that have no related row, or none of a kind.
    // spec: DAT-1
    pub fn where_has_none(self, relation: impl Loadable<M>) -> Self {
        self.matching(relation.narrowed(), true)
    }

    fn matching<F: RelationField>(self, asked: Narrowed<'_, M, F>, none: bool) -> Self {
        let relation = asked.relation;
        let found = relation.partners(&asked.query_beside(&self));
        let here = match relation.link {
            Link::Here { column, .. } => self.own_column_expr(bare(column)),
            Link::There { .. } | Link::Between(_) => self.own_column_expr(M::KEY),
        };
        match found {
            Ok(found) if none => {
                let without = here.clone().not_in_subquery(found);
                // An empty column is in no list, and not in none either.
                self.where_expr(here.is_null().or(without))
            }
            Ok(found) => self.where_expr(here.in_subquery(found)),
            Err(error) => self.failing(error.to_string()),
        }
    }
}

impl<M: Model, F: RelationField> Relation<M, F> {
    /// A query for the related rows, which reaches no further than a query of the model that has the relation.
    pub(super) fn related(&self, beside: &Query<M>) -> Query<F::Model> {
        let db = match F::Model::CONNECTION {
            Some(name) if F::Model::CONNECTION != M::CONNECTION => connection(name),
            _ => Ok(beside.db.clone()),
        };
        let query = match db {
            Ok(db) => Records::beside(db, beside).query(),
            Err(error) => Records::beside(beside.db.clone(), beside).query().failing(error.to_string()),
        };
        match self.link {
            // What a row says that it belongs to is not another thing when that is put away.
            Link::Here { .. } => query.with_deleted(),
            Link::There { .. } | Link::Between(_) => query,
        }
    }

    /// The keys by which rows with such a partner are known.
    fn partners(&self, query: &Query<F::Model>) -> Result<SelectStatement> {
        match self.link {
            Link::Here { .. } => query.sub_select(query.own_column_expr(F::Model::KEY)),
            Link::There { column, .. } => {
                let column = query.own_column_expr(bare(column));
                query.clone().where_expr(column.clone().is_not_null()).sub_select(column)
            }
            Link::Between(pivot) => {
                let here = Expr::col((pivot.table, pivot.here));
                pivot.joined(query.clone()).where_expr(here.clone().is_not_null()).sub_select(here)
            }
        }
    }
}

fn bare(column: &str) -> &str {
    column.rsplit_once('.').map_or(column, |(_, name)| name)
}
