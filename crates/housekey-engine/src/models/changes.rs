use std::sync::Arc;

use crate::core::Core;
use crate::hooks::{BeforeWrite, WriteEvent};
use crate::schema::Table;
use crate::storage::{self, Filter, Find, StorageError, StorageResult, WriteAction};
use crate::{ApiError, Record, Result, codes};

/// How often writes are tried again that waited for others which waited for them.
const DEADLOCKS: usize = 5;

/// Several writes that happen together or not at all.
///
/// Each write is prepared first: ids and defaults are filled in and `before` hooks asked, without holding anything
/// open. [`commit`](Self::commit) then does them in one transaction and calls the `after` hooks. Changes that are dropped
/// leave no trace.
///
/// Hooks are asked and conditions noted in the order of the calls; a condition that no longer holds at the commit (see
/// [`update_expecting`](Self::update_expecting)) undoes all of it.
#[must_use = "nothing is written before the commit"]
pub struct Changes {
    core: Arc<Core>,
    writes: Vec<Write>,
}

/// How a commit went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub enum Commit {
    Done,
    /// Someone else was first: a row was taken, changed or created. Nothing is written.
    Lost,
}

struct Write {
    /// The engine's name for it.
    table: String,
    action: Action,
    /// Whether exactly one row must be met.
    expecting: bool,
    /// The rows that the `after` hooks are told of. A new one is told of as it was written.
    told: Vec<Record>,
}

enum Action {
    Create(Record),
    Update(Filter, Record),
    Delete(Filter),
}

impl Changes {
    pub(crate) fn new(core: &Arc<Core>) -> Self {
        Self { core: Arc::clone(core), writes: Vec::new() }
    }

    /// Prepares a new row and gives it as it will be.
    pub async fn create(&mut self, table: &str, mut record: Record) -> Result<Record> {
        let table = self.core.table(table)?;
        self.ask(table, WriteEvent::Create, &mut record).await?;
        self.core.complete(table, &mut record).await?;
        check_lengths(table, &record)?;
        let action = Action::Create(record.clone());
        self.writes.push(Write { table: table.key.clone(), action, expecting: false, told: Vec::new() });
        Ok(record)
    }

    /// Prepares a change of every row that matches.
    pub async fn update(&mut self, table: &str, filter: Filter, changes: Record) -> Result<()> {
        self.prepare_update(table, filter, changes, false).await.map(drop)
    }

    /// Prepares a change of the one row that matches; if there is none by then, the commit is lost. Gives the fields as they
    /// will be: a hook may have had its say.
    pub async fn update_expecting(&mut self, table: &str, filter: Filter, changes: Record) -> Result<Record> {
        self.prepare_update(table, filter, changes, true).await
    }

    /// Prepares the condition that the one row that matches is still there; if it is not by then, the commit is lost. It is
    /// written as it is, so that whoever wants to change it at the same time waits. Nothing changes by this, and no hook is asked.
    pub fn expect(&mut self, table: &str, filter: Filter, as_it_is: Record) {
        let action = Action::Update(filter, as_it_is);
        self.writes.push(Write { table: table.to_owned(), action, expecting: true, told: Vec::new() });
    }

    /// Prepares the end of every row that matches.
    pub async fn delete(&mut self, table: &str, filter: Filter) -> Result<()> {
        self.prepare_delete(table, filter, false).await
    }

    /// Prepares taking the one row that matches; if it is gone by then, the commit is lost.
    pub async fn delete_expecting(&mut self, table: &str, filter: Filter) -> Result<()> {
        self.prepare_delete(table, filter, true).await
    }

    /// Prepares the end of a row and of every row, in any table, that refers to it.
    pub async fn delete_with_dependents(&mut self, table: &str, id: &str) -> Result<()> {
        let mut tables = vec![(table.to_owned(), Filter::by("id", id))];
        let mut position = 0;
        while let Some((key, filter)) = tables.get(position).cloned() {
            position += 1;
            let referring = self.core.schema.tables().iter().flat_map(|table| {
                let columns = table.columns.iter();
                columns
                    .filter(|column| column.references.as_ref().is_some_and(|to| to.table == key))
                    .map(move |column| (table, column))
            });
            let referring: Vec<_> =
                referring.map(|(table, column)| (table.key.clone(), column.field.clone())).collect();
            if referring.is_empty() {
                continue;
            }
            let rows = self.core.storage.find(self.core.table(&key)?, &Find::new(filter)).await?;
            for row in rows.iter().filter_map(|row| row.text("id")) {
                let dependents =
                    referring.iter().map(|(table, field)| (table.clone(), Filter::by(field.clone(), row)));
                tables.extend(dependents);
            }
        }
        for (table, filter) in tables.into_iter().rev() {
            self.delete(&table, filter).await?;
        }
        Ok(())
    }

    /// Writes everything in one transaction, then tells the `after` hooks.
    pub async fn commit(self) -> Result<Commit> {
        let writes = self.writes.iter().map(|write| write.placed(&self.core)).collect::<Result<Vec<_>>>()?;
        let mut written = write_together(&self.core, &writes).await;
        for _ in 0..DEADLOCKS {
            // Everything was undone, and every condition is looked at again: the same once more is all that it takes.
            if !written.as_ref().is_err_and(StorageError::is_deadlock) {
                break;
            }
            written = write_together(&self.core, &writes).await;
        }
        match written {
            Ok(true) => {}
            Ok(false) => return Ok(Commit::Lost),
            Err(error) if error.is_conflict() => return Ok(Commit::Lost),
            Err(error) => return Err(error.into()),
        }
        for Write { table, action, told, .. } in &self.writes {
            for record in action.created().into_iter().chain(told) {
                self.core.hooks.after(table, action.event(), record).await;
            }
        }
        Ok(Commit::Done)
    }

    async fn prepare_update(
        &mut self,
        table: &str,
        filter: Filter,
        mut changes: Record,
        expecting: bool,
    ) -> Result<Record> {
        let table = self.core.table(table)?;
        self.ask(table, WriteEvent::Update, &mut changes).await?;
        if table.column("updatedAt").is_some() && !changes.has("updatedAt") {
            changes.set("updatedAt", self.core.clock.now());
        }
        check_lengths(table, &changes)?;
        let mut told = self.affected(table, WriteEvent::Update, &filter).await?;
        for record in &mut told {
            record.merge(changes.clone());
        }
        let action = Action::Update(filter, changes.clone());
        self.writes.push(Write { table: table.key.clone(), action, expecting, told });
        Ok(changes)
    }

    async fn prepare_delete(&mut self, table: &str, filter: Filter, expecting: bool) -> Result<()> {
        let table = self.core.table(table)?;
        let mut told = self.affected(table, WriteEvent::Delete, &filter).await?;
        for record in &mut told {
            self.ask(table, WriteEvent::Delete, record).await?;
        }
        self.writes.push(Write { table: table.key.clone(), action: Action::Delete(filter), expecting, told });
        Ok(())
    }

    /// The rows that a write is about, read only if a hook wants to know.
    async fn affected(&self, table: &Table, event: WriteEvent, filter: &Filter) -> Result<Vec<Record>> {
        if !self.core.hooks.cares(&table.key, event) {
            return Ok(Vec::new());
        }
        Ok(self.core.storage.find(table, &Find::new(filter.clone())).await?)
    }

    async fn ask(&self, table: &Table, event: WriteEvent, record: &mut Record) -> Result<()> {
        match self.core.hooks.before(&table.key, event, record).await? {
            BeforeWrite::Proceed => Ok(()),
            BeforeWrite::ProceedWith(changes) => {
                record.merge(changes);
                Ok(())
            }
            BeforeWrite::Refuse => Err(refusal(&table.key, event)),
        }
    }
}

impl Write {
    /// As the storage is told.
    fn placed<'a>(&'a self, core: &'a Core) -> Result<storage::Write<'a>> {
        let action = match &self.action {
            Action::Create(record) => WriteAction::Create(record),
            Action::Update(filter, changes) => WriteAction::Update(filter, changes),
            Action::Delete(filter) => WriteAction::Delete(filter),
        };
        Ok(storage::Write { table: core.table(&self.table)?, action, expecting: self.expecting })
    }
}

impl Action {
    fn event(&self) -> WriteEvent {
        match self {
            Self::Create(_) => WriteEvent::Create,
            Self::Update(..) => WriteEvent::Update,
            Self::Delete(_) => WriteEvent::Delete,
        }
    }

    fn created(&self) -> Option<&Record> {
        match self {
            Self::Create(record) => Some(record),
            Self::Update(..) | Self::Delete(_) => None,
        }
    }
}

async fn write_together(core: &Core, writes: &[storage::Write<'_>]) -> StorageResult<bool> {
    match writes {
        [] => Ok(true),
        // One write is a transaction by itself.
        [only] => only.run(core.storage.as_ref()).await,
        several => core.storage.write_together(several).await,
    }
}

/// Refuses a text that its column cannot hold, before a database does so with words that help nobody.
fn check_lengths(table: &Table, record: &Record) -> Result<()> {
    for (field, value) in record.iter() {
        let Some(text) = value.as_text() else { continue };
        let bound = table.column(field).and_then(|column| column.bound).map(usize::from);
        let message = match bound {
            Some(bound) if text.chars().count() > bound => {
                format!("[body.{field}] Too big: expected string to have <={bound} characters")
            }
            _ if text.contains('\0') => format!("[body.{field}] Invalid input"),
            _ => continue,
        };
        return Err(codes::VALIDATION_ERROR.saying(http::StatusCode::BAD_REQUEST, message));
    }
    Ok(())
}

fn refusal(table: &str, event: WriteEvent) -> ApiError {
    match (table, event) {
        ("user", WriteEvent::Create) => codes::FAILED_TO_CREATE_USER.unprocessable(),
        ("user", WriteEvent::Update) => codes::FAILED_TO_UPDATE_USER.bad_request(),
        ("session", WriteEvent::Create) => codes::FAILED_TO_CREATE_SESSION.unprocessable(),
        _ => ApiError::message_only(http::StatusCode::BAD_REQUEST, "This change is not allowed"),
    }
}
