use std::fmt;

use super::{Relation, RelationField};
use crate::{Model, Query};

/// A relation and what is asked of its rows, made by [`Relation::only`] and [`Relation::with`].
#[must_use = "a relation loads nothing until a query is told to"]
pub struct Narrowed<'c, M, F: RelationField> {
    pub(super) relation: Relation<M, F>,
    narrow: Option<Box<Narrow<'c, F::Model>>>,
}

type Narrow<'c, R> = dyn FnOnce(Query<R>) -> Query<R> + Send + 'c;

/// What [`Query::with`], [`LoadRelations::load`](crate::LoadRelations::load) and [`Query::where_has`] take: `Book::tags`, or
/// `Book::tags.only(…)`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no relation of `{M}`",
    note = "a relation is a field of the model: `tags: ManyToMany<Tag>` makes `Book::tags`"
)]
pub trait Loadable<M> {
    /// The field that holds the rows.
    type Field: RelationField;

    #[doc(hidden)]
    fn narrowed<'c>(self) -> Narrowed<'c, M, Self::Field>
    where
        Self: 'c;
}

impl<M: Model, F: RelationField> Loadable<M> for Relation<M, F> {
    type Field = F;

    fn narrowed<'c>(self) -> Narrowed<'c, M, F>
    where
        Self: 'c,
    {
        Narrowed::all(self)
    }
}

impl<'n, M: Model, F: RelationField> Loadable<M> for Narrowed<'n, M, F> {
    type Field = F;

    fn narrowed<'c>(self) -> Narrowed<'c, M, F>
    where
        Self: 'c,
    {
        // Whatever outlives `'c` here is narrowed by what outlives it, too.
        let narrow = self.narrow.map(|narrow| narrow as Box<Narrow<'c, F::Model>>);
        Narrowed { relation: self.relation, narrow }
    }
}

impl<'c, M: Model, F: RelationField> Narrowed<'c, M, F> {
    pub(super) fn all(relation: Relation<M, F>) -> Self {
        Self { relation, narrow: None }
    }

    /// Only the rows that this query asks for, besides what was said before.
    pub fn only(self, narrow: impl FnOnce(Query<F::Model>) -> Query<F::Model> + Send + 'c) -> Self {
        let narrow: Box<Narrow<'c, F::Model>> = match self.narrow {
            Some(before) => Box::new(|query| narrow(before(query))),
            None => Box::new(narrow),
        };
        Self { relation: self.relation, narrow: Some(narrow) }
    }

    /// What the rows in turn are to load.
    pub fn with(self, relation: impl Loadable<F::Model> + Send + 'c) -> Self {
        self.only(|query| query.with(relation))
    }

    /// The query for the rows, beside a query of the model that has them.
    pub(super) fn query_beside(self, query: &Query<M>) -> Query<F::Model> {
        let related = self.relation.related(query);
        let asked = match self.narrow {
            Some(narrow) => narrow(related),
            None => related,
        };
        asked.without_limit(self.relation.name)
    }
}

impl<M, F: RelationField> fmt::Debug for Narrowed<'_, M, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Narrowed").field("relation", &self.relation).finish_non_exhaustive()
    }
}
