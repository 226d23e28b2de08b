use std::future::Future;

use futures_util::future::BoxFuture;
use housekey_core::Result;

use super::Model;
use crate::{Database, Record};

/// What a model does before and after its rows are written, in the same transaction: `#[model(…, hooks)]`, and this trait with
/// the words that are needed.
///
/// ```
/// use housekey_core::{Error, Result};
/// use housekey_database::{Database, FromRow, Model, ModelHooks, Record, record};
///
/// #[derive(FromRow, Model)]
/// # #[row(crate = "housekey_database")]
/// #[model(table = "loans", hooks)]
/// struct Loan {
///     id: i64,
///     book_id: i64,
///     reader: String,
/// }
///
/// impl ModelHooks for Loan {
///     async fn before_create(columns: &mut Record, _: &Database) -> Result<()> {
///         let reader = columns.read(Loan::reader)?.unwrap_or_default();
///         columns.set(Loan::reader, reader.trim());
///         Ok(())
///     }
///
///     async fn after_create(&self, tx: &Database) -> Result<()> {
///         tx.table("books").where_eq("id", self.book_id).increment("times_lent", 1).await?;
///         Ok(())
///     }
///
///     async fn before_delete(&self, _: &Database) -> Result<()> {
///         Err(Error::conflict("A loan is part of the history, and stays."))
///     }
/// }
/// ```
///
/// They run for what is done with rows of the model: [`create`](Model::create), [`save`](Model::save), [`update`](Model::update),
/// [`delete`](Model::delete), [`force_delete`](Model::force_delete), [`restore`](Model::restore), `first_or_create`,
/// `update_or_create` and factories. A query that writes many rows at once ([`Query::update`](crate::Query::update),
/// [`Query::delete`](crate::Query::delete)) runs none.
///
/// `tx` is the transaction, and so are [`db()`](crate::db) and the models inside. A hook that answers with an error takes back what
/// was written, by itself and by the others. What must wait until everybody can see the row (a mail) is for
/// [`tx.after_commit(…)`](Database::after_commit).
pub trait ModelHooks: Hooked {
    /// Before a row is added. The columns can be changed.
    fn before_create(columns: &mut Record, tx: &Database) -> impl Future<Output = Result<()>> + Send {
        let _ = (columns, tx);
        async { Ok(()) }
    }

    fn after_create(&self, tx: &Database) -> impl Future<Output = Result<()>> + Send {
        let _ = tx;
        async { Ok(()) }
    }

    /// Before a row is changed. `columns` are those that will be written, and can be changed.
    fn before_update(&self, columns: &mut Record, tx: &Database) -> impl Future<Output = Result<()>> + Send {
        let _ = (columns, tx);
        async { Ok(()) }
    }

    /// After a row was changed; it has the new values.
    fn after_update(&self, tx: &Database) -> impl Future<Output = Result<()>> + Send {
        let _ = tx;
        async { Ok(()) }
    }

    /// Before a row goes, for good or softly.
    fn before_delete(&self, tx: &Database) -> impl Future<Output = Result<()>> + Send {
        let _ = tx;
        async { Ok(()) }
    }

    /// After a row went, for good or softly.
    fn after_delete(&self, tx: &Database) -> impl Future<Output = Result<()>> + Send {
        let _ = tx;
        async { Ok(()) }
    }
}

/// A model that was said to have hooks. Without the word, they would be written and never run.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "the hooks of `{Self}` would never run",
    note = "say `hooks` in its attribute: `#[model(table = \"…\", hooks)]`"
)]
pub trait Hooked: Model {}

/// What is about to happen to a row, or has happened.
#[doc(hidden)]
pub enum HookEvent<'a, M> {
    BeforeCreate(&'a mut Record),
    AfterCreate(&'a M),
    BeforeUpdate(&'a M, &'a mut Record),
    AfterUpdate(&'a M),
    BeforeDelete(&'a M),
    AfterDelete(&'a M),
}

/// How the hooks of a model are called.
#[doc(hidden)]
pub type RunHooks<M> = for<'a> fn(HookEvent<'a, M>, &'a Database) -> BoxFuture<'a, Result<()>>;

/// The hooks of a model that has some.
#[doc(hidden)]
pub fn run_hooks<'a, M: ModelHooks>(event: HookEvent<'a, M>, tx: &'a Database) -> BoxFuture<'a, Result<()>> {
    match event {
        HookEvent::BeforeCreate(columns) => Box::pin(M::before_create(columns, tx)),
        HookEvent::AfterCreate(row) => Box::pin(row.after_create(tx)),
        HookEvent::BeforeUpdate(row, columns) => Box::pin(row.before_update(columns, tx)),
        HookEvent::AfterUpdate(row) => Box::pin(row.after_update(tx)),
        HookEvent::BeforeDelete(row) => Box::pin(row.before_delete(tx)),
        HookEvent::AfterDelete(row) => Box::pin(row.after_delete(tx)),
    }
}
