use std::collections::HashSet;

use housekey_core::{Error, Result};

use super::link::Pivot;
use super::{Key, Link, ManyToMany, Relation};
use crate::{Database, Model, Query, Record, Records, Value};

/// Which rows a [`ManyToMany`] names.
impl<M: Model> Records<M> {
    /// Adds rows of the other model, by their keys; those that are there stay as they are.
    pub async fn attach<R: Model, K: Into<Value>>(
        &self,
        row: &M,
        relation: Relation<M, ManyToMany<R>>,
        keys: impl IntoIterator<Item = K>,
    ) -> Result<()> {
        self.change(row, relation, wanted(keys, relation.name)?, false).await
    }

    /// Takes rows of the other model away, by their keys. They themselves stay. Those of another organisation are left as they
    /// are.
    pub async fn detach<R: Model, K: Into<Value>>(
        &self,
        row: &M,
        relation: Relation<M, ManyToMany<R>>,
        keys: impl IntoIterator<Item = K>,
    ) -> Result<()> {
        let keys = wanted(keys, relation.name)?;
        self.check_within_reach(row).await?;
        Names::new(row, relation, &self.query()).remove(self.db(), keys).await
    }

    /// Makes it these rows of the other model and no others, by their keys. Where these belong to an organisation, it is about
    /// the rows of this one: what another has named stays.
    pub async fn sync<R: Model, K: Into<Value>>(
        &self,
        row: &M,
        relation: Relation<M, ManyToMany<R>>,
        keys: impl IntoIterator<Item = K>,
    ) -> Result<()> {
        self.change(row, relation, wanted(keys, relation.name)?, true).await
    }

    async fn change<R: Model>(
        &self,
        row: &M,
        relation: Relation<M, ManyToMany<R>>,
        keys: Vec<Key>,
        others_go: bool,
    ) -> Result<()> {
        let query = self.query();
        let names = Names::new(row, relation, &query);
        self.db()
            .transaction(async |tx| {
                self.through(&tx).check_within_reach(row).await?;
                // Another organisation's rows have keys, too.
                if R::TENANT.is_some() {
                    let theirs = relation.related(&query).through(&tx);
                    let found = theirs.where_in(R::KEY, keys.iter().cloned()).count().await?;
                    if found != keys.len() as u64 {
                        return Err(Error::not_found());
                    }
                }
                let there = names.there(&tx, &keys, relation.name).await?;
                if others_go {
                    let kept: HashSet<&Key> = keys.iter().collect();
                    let gone = there.iter().filter(|key| !kept.contains(key)).cloned().collect();
                    names.remove(&tx, gone).await?;
                }
                names.add(&tx, keys.into_iter().filter(|key| !there.contains(key))).await
            })
            .await
    }

    /// A row of another organisation is a 404 here as well.
    async fn check_within_reach(&self, row: &M) -> Result<()> {
        if M::TENANT.is_none() || self.query().where_eq(M::KEY, row.key()).exists().await? {
            return Ok(());
        }
        Err(Error::not_found())
    }
}

/// What the table between says of one row.
struct Names<R> {
    pivot: Pivot,
    key: Value,
    /// The keys of the other rows that may be touched, where that is not all of them. The table between says nothing of
    /// organisations, and a row that belongs to none is named with rows of several.
    within_reach: Option<Query<R>>,
}

impl<R: Model> Names<R> {
    fn new<M: Model>(row: &M, relation: Relation<M, ManyToMany<R>>, beside: &Query<M>) -> Self {
        // Rows that were deleted softly are named as well.
        let keys = || relation.related(beside).with_deleted().select([R::KEY]);
        Self { pivot: pivot(&relation.link), key: row.key(), within_reach: R::TENANT.map(|_| keys()) }
    }

    fn within_reach(&self, db: &Database) -> Query {
        let names = db.table(self.pivot.table).where_eq(self.pivot.here, self.key.clone());
        match &self.within_reach {
            Some(keys) => names.where_in_query(self.pivot.there, keys.clone()),
            None => names,
        }
    }

    /// The keys that are named, of the same kind as those that are wanted.
    async fn there(&self, db: &Database, wanted: &[Key], relation: &str) -> Result<HashSet<Key>> {
        let keys: Vec<Value> = self.within_reach(db).pluck(self.pivot.there).await?;
        keys.into_iter().filter_map(|key| Key::read(key, wanted, relation).transpose()).collect()
    }

    async fn add(&self, db: &Database, keys: impl Iterator<Item = Key>) -> Result<()> {
        let name = |key| Record::new().with(self.pivot.here, self.key.clone()).with(self.pivot.there, key);
        db.table(self.pivot.table).insert_many(keys.map(name)).await.map(drop)
    }

    async fn remove(&self, db: &Database, keys: Vec<Key>) -> Result<()> {
        if keys.is_empty() {
            return Ok(());
        }
        self.within_reach(db).where_in(self.pivot.there, keys).delete().await.map(drop)
    }
}

fn pivot<M, R>(link: &Link<M, R>) -> Pivot {
    match link {
        Link::Between(pivot) => *pivot,
        Link::Here { .. } | Link::There { .. } => unreachable!("a ManyToMany is made with a table between"),
    }
}

/// Each key once.
fn wanted<K: Into<Value>>(keys: impl IntoIterator<Item = K>, relation: &str) -> Result<Vec<Key>> {
    let mut seen = HashSet::new();
    let keys = keys.into_iter().filter_map(|key| Key::of(key.into(), relation).transpose());
    keys.filter(|key| key.as_ref().map_or(true, |key| seen.insert(key.clone()))).collect()
}
