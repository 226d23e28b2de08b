use std::marker::PhantomData;

use housekey_core::{Error, Result};

use super::{HookEvent, Model};
use crate::clock::now;
use crate::{Database, Query, Record, Tenant, Value, tenant};

/// The rows of a [`Model`], through one handle.
///
/// ```
/// # use housekey_core::Result;
/// # use housekey_database::{Database, Model};
/// # async fn example<Post: Model>(db: Database) -> Result<()> {
/// db.transaction(async |tx| {
///     let posts = Post::on(&tx);
///     let post = posts.find(7).await?;
///     Ok(())
/// }).await
/// # }
/// ```
#[derive(Debug)]
pub struct Records<M> {
    db: Database,
    reach: Reach,
    model: PhantomData<fn() -> M>,
}

/// Which rows of the table these are.
#[derive(Clone, Debug)]
enum Reach {
    All,
    /// Those of the organisation with this id.
    Organization(String),
    /// Those of an organisation, and nobody has said of which.
    Unknown,
}

impl<M: Model> Records<M> {
    pub(super) fn new(db: Database) -> Self {
        let reach = match (M::TENANT, tenant::present()) {
            (None, _) => Reach::All,
            (Some(_), Some(present)) => Reach::Organization(present.tenant_id().to_owned()),
            (Some(_), None) => Reach::Unknown,
        };
        Self { db, reach, model: PhantomData }
    }

    pub(super) fn of(db: Database, organization: &str) -> Self {
        Self { db, reach: Reach::Organization(organization.to_owned()), model: PhantomData }
    }

    /// The rows that somebody reaches who reaches those of a query of another model.
    pub(crate) fn beside<O>(db: Database, query: &Query<O>) -> Self {
        let reach = match (M::TENANT, query.organization()) {
            (None, _) => Reach::All,
            (Some(_), Some(id)) => Reach::Organization(id.to_owned()),
            (Some(_), None) if query.across => Reach::All,
            (Some(_), None) => return Self::new(db),
        };
        Self { db, reach, model: PhantomData }
    }

    pub(super) fn across(db: Database) -> Self {
        Self { db, reach: Reach::All, model: PhantomData }
    }

    /// The same rows through another handle: `Post::of(&organization)?.through(&tx)`.
    #[must_use]
    pub fn through(&self, db: &Database) -> Self {
        Self { db: db.clone(), reach: self.reach.clone(), model: PhantomData }
    }

    pub(crate) fn db(&self) -> &Database {
        &self.db
    }

    /// A query on the table, as [`Model::query`] gives it.
    pub fn query(&self) -> Query<M> {
        let mut query = Query::new(self.db.clone(), M::TABLE.to_owned()).of_model(M::COLUMNS);
        if let Some(column) = M::DELETED_AT {
            query = query.softly_deleted(column, M::VERSION);
        }
        query.across = M::TENANT.is_some() && matches!(self.reach, Reach::All);
        match (&self.reach, M::TENANT) {
            (Reach::Organization(id), Some(column)) => query.bounded(column, id),
            (Reach::Unknown, _) => query.failing(no_organization::<M>()),
            _ => query,
        }
    }

    /// All rows that [`query`](Self::query) finds without a condition.
    pub async fn all(&self) -> Result<Vec<M>> {
        self.query().get().await
    }

    /// The row with this key, if there is one.
    pub async fn find(&self, key: impl Into<Value>) -> Result<Option<M>> {
        self.query().where_eq(M::KEY, key).first().await
    }

    /// The row with this key, or a 404.
    pub async fn find_or_404(&self, key: impl Into<Value>) -> Result<M> {
        self.find(key).await?.ok_or_else(Error::not_found)
    }

    /// Adds a row and reads it back.
    pub async fn create(&self, mut record: Record) -> Result<M> {
        let Some(run) = M::HOOKS else { return self.insert(record).await };
        self.db
            .transaction(async |tx| {
                run(HookEvent::BeforeCreate(&mut record), &tx).await?;
                let row = self.through(&tx).insert(record).await?;
                run(HookEvent::AfterCreate(&row), &tx).await?;
                Ok(row)
            })
            .await
    }

    async fn insert(&self, mut record: Record) -> Result<M> {
        if let Some((created, updated)) = M::TIMESTAMPS {
            let now = now();
            for column in [created, updated] {
                if record.get(column).is_none() {
                    record.set(column, now);
                }
            }
        }
        if let (None, Some(key)) = (record.get(M::KEY), M::new_key()) {
            record.set(M::KEY, key);
        }
        self.query().insert_returning(record, M::KEY).await
    }
}

fn no_organization<M>() -> String {
    let name = std::any::type_name::<M>();
    let name = name.rsplit("::").next().unwrap_or(name);
    format!(
        "a {name} belongs to an organisation, and none is known here. In a request: put the guard `member` in front of the \
         route. In a job, a command or a test: `{name}::of(&TenantId::new(id))`, or `within_tenant(…)` around the work. \
         For all organisations: `{name}::across_organizations()`"
    )
}
