use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use futures_util::future::BoxFuture;
use housekey_core::{Error, Result};

use super::link::Pivot;
use super::{CountedField, Key, Link, Narrowed, Relation, RelationField};
use crate::query::Load;
use crate::sql::ExprTrait;
use crate::{FromRow, Model, Query, Value};

/// All engines take at least this many values in one statement.
const MOST_KEYS: usize = 30_000;

/// What the key of the row that has the relation is called in a result.
const KEY: &str = "housekey_key";

/// One after the other.
pub(super) struct Both<M>(pub(super) Arc<dyn Load<M>>, pub(super) Arc<dyn Load<M>>);

impl<M: Model> Load<M> for Both<M> {
    fn load<'a>(&'a self, rows: &'a mut [M]) -> BoxFuture<'a, Result<()>> {
        Box::pin(async move {
            self.0.load(rows).await?;
            self.1.load(rows).await
        })
    }

    fn load_all(&self, mut rows: Vec<M>) -> BoxFuture<'_, Result<Vec<M>>> {
        Box::pin(async move {
            self.load(&mut rows).await?;
            Ok(rows)
        })
    }
}

/// Reads the rows of a relation.
pub(super) struct Rows<M, F: RelationField> {
    relation: Relation<M, F>,
    query: Query<F::Model>,
}

/// Counts the rows of a relation.
pub(super) struct Count<M, F: RelationField> {
    relation: Relation<M, F>,
    query: Query<F::Model>,
}

impl<M: Model, F: RelationField> Rows<M, F> {
    pub(super) fn new(asked: Narrowed<'_, M, F>, beside: &Query<M>) -> Self {
        let relation = asked.relation;
        Self { relation, query: asked.query_beside(beside) }
    }

    async fn found(&self, keys: &[Key]) -> Result<HashMap<Key, Vec<F::Model>>> {
        // One row for each key has no order.
        let query = match self.relation.link {
            Link::Here { .. } | Link::There { latest: true, .. } => self.query.clone(),
            _ => self.query.clone().sorted_by_default(F::Model::KEY),
        };
        let mut found = HashMap::<_, Vec<_>>::with_capacity(keys.len());
        let mut put = |key, row| -> Result<()> {
            if let Some(key) = Key::of(key, self.relation.name)? {
                found.entry(key).or_default().push(row);
            }
            Ok(())
        };
        for keys in keys.chunks(MOST_KEYS) {
            match self.relation.link {
                Link::Here { .. } => {
                    let rows = among(query.clone(), F::Model::KEY, keys).get().await?;
                    rows.into_iter().try_for_each(|row| put(row.key(), row))?;
                }
                Link::There { column, value, latest } => {
                    let query = match latest {
                        true => latest_of(&query, column, keys)?,
                        false => among(query.clone(), column, keys),
                    };
                    query.get().await?.into_iter().try_for_each(|row| put(value(&row), row))?;
                }
                Link::Between(pivot) => {
                    let query = between(query.clone(), pivot, keys);
                    let rows = query.rows().await?;
                    let read = rows.iter().map(F::Model::from_row).collect::<Result<Vec<_>>>()?;
                    let read = query.loaded(read).await?;
                    rows.iter().zip(read).try_for_each(|(row, read)| put(row.value(KEY)?, read))?;
                }
            }
        }
        Ok(found)
    }
}

impl<M: Model, F: RelationField> Load<M> for Rows<M, F> {
    fn load<'a>(&'a self, rows: &'a mut [M]) -> BoxFuture<'a, Result<()>> {
        Box::pin(async move {
            let keys = self.relation.keys(rows)?;
            let wanted = distinct(&keys);
            let mut found = self.found(&wanted).await?;
            let name = self.relation.name;
            let missing = || {
                Error::internal(format!(
                    "a row that {name} refers to is not there, or is not within reach; where that may be, say \
                     `BelongsTo<Option<…>>`"
                ))
            };
            let hold = |rows| F::holding(rows).ok_or_else(missing);
            // Every row has a key of its own, as most have: each takes what is its.
            if wanted.len() == rows.len() {
                for (row, key) in rows.iter_mut().zip(keys) {
                    let rows = key.and_then(|key| found.remove(&key)).unwrap_or_default();
                    (self.relation.field)(row).put(hold(rows)?);
                }
                return Ok(());
            }
            let fields = found.into_iter().map(|(key, rows)| Ok((key, hold(rows)?)));
            let fields = fields.collect::<Result<HashMap<Key, F>>>()?;
            for (row, key) in rows.iter_mut().zip(keys) {
                let loaded = match key.and_then(|key| fields.get(&key)) {
                    Some(loaded) => loaded.clone(),
                    None => hold(Vec::new())?,
                };
                (self.relation.field)(row).put(loaded);
            }
            Ok(())
        })
    }

    fn load_all(&self, mut rows: Vec<M>) -> BoxFuture<'_, Result<Vec<M>>> {
        Box::pin(async move {
            self.load(&mut rows).await?;
            Ok(rows)
        })
    }
}

impl<M: Model, F: CountedField> Count<M, F> {
    pub(super) fn new(asked: Narrowed<'_, M, F>, beside: &Query<M>) -> Self {
        let relation = asked.relation;
        Self { relation, query: asked.query_beside(beside) }
    }

    async fn found(&self, keys: &[Key]) -> Result<HashMap<Key, u64>> {
        let mut found = HashMap::new();
        for keys in keys.chunks(MOST_KEYS) {
            let (query, column) = match self.relation.link {
                Link::Here { .. } => {
                    (among(self.query.clone(), F::Model::KEY, keys), F::Model::KEY.to_owned())
                }
                Link::There { column, .. } => (among(self.query.clone(), column, keys), column.to_owned()),
                Link::Between(pivot) => {
                    (among(pivot.joined(self.query.clone()), &pivot.here(), keys), pivot.here())
                }
            };
            let counts = query.select([format!("{column} as {KEY}")]).counted_by(&column);
            for row in counts.rows().await? {
                if let Some(key) = Key::of(row.value(KEY)?, self.relation.name)? {
                    found.insert(key, row.get("count")?);
                }
            }
        }
        Ok(found)
    }
}

impl<M: Model, F: CountedField> Load<M> for Count<M, F> {
    fn load<'a>(&'a self, rows: &'a mut [M]) -> BoxFuture<'a, Result<()>> {
        Box::pin(async move {
            let keys = self.relation.keys(rows)?;
            let found = self.found(&distinct(&keys)).await?;
            for (row, key) in rows.iter_mut().zip(keys) {
                let count = key.and_then(|key| found.get(&key).copied()).unwrap_or_default();
                (self.relation.field)(row).put_count(count);
            }
            Ok(())
        })
    }

    fn load_all(&self, mut rows: Vec<M>) -> BoxFuture<'_, Result<Vec<M>>> {
        Box::pin(async move {
            self.load(&mut rows).await?;
            Ok(rows)
        })
    }
}

impl<M: Model, F: RelationField> Relation<M, F> {
    /// The key that each row is found by.
    fn keys(&self, rows: &[M]) -> Result<Vec<Option<Key>>> {
        let value = match self.link {
            Link::Here { value, .. } => value,
            Link::There { .. } | Link::Between(_) => M::key,
        };
        rows.iter().map(|row| Key::of(value(row), self.name)).collect()
    }
}

fn distinct(keys: &[Option<Key>]) -> Vec<Key> {
    let mut seen = HashSet::new();
    keys.iter().flatten().filter(|key| seen.insert(*key)).cloned().collect()
}

fn among<R>(query: Query<R>, column: &str, keys: &[Key]) -> Query<R> {
    query.where_among(column, keys.iter().cloned().map(Value::from).collect())
}

/// Of the rows with the same key, the one that was made last.
fn latest_of<R: Model>(query: &Query<R>, column: &str, keys: &[Key]) -> Result<Query<R>> {
    let key = query.own_column_expr(R::KEY);
    let latest = among(query.clone(), column, keys).sub_select(key.clone().max(), Some(column))?;
    Ok(query.clone().where_expr(key.in_subquery(latest)))
}

/// The other rows, each with the key of the row that it is found for.
fn between<R: Model>(query: Query<R>, pivot: Pivot, keys: &[Key]) -> Query<R> {
    let columns: Vec<String> = match R::COLUMNS {
        [] => vec![query.own_column("*")],
        columns => columns.iter().map(|name| query.own_column(name)).collect(),
    };
    let here = pivot.here();
    among(pivot.joined(query), &here, keys).select(columns).select([format!("{here} as {KEY}")])
}
