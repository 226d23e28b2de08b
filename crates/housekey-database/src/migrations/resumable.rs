//! MySQL ends a transaction with every change of the schema, so a migration cannot be taken back as a whole. It is
//! written down after each statement how far it got, and the next run goes on from there.

use housekey_core::{Error, Result};

use super::journal::{Journal, Progress};
use crate::schema::{Change, Step, apply_statements, render};
use crate::stable_hash::stable_hash;
use crate::{Database, DatabaseError, Schema};

/// A statement as it is planned, and what it takes to write the real one.
struct Unit<'a> {
    planned: String,
    looks_at: Option<(&'a str, &'a Change)>,
}

impl Unit<'_> {
    async fn sql(&self, db: &Database) -> Result<String> {
        match self.looks_at {
            Some((table, change)) => {
                let real = apply_statements(db, table, change).await?.pop();
                Ok(real.unwrap_or_else(|| self.planned.clone()))
            }
            None => Ok(self.planned.clone()),
        }
    }
}

/// Runs what is left of a migration, and the record of it. `from` is how far an earlier run got.
pub(super) async fn run(
    db: &Database,
    journal: &Journal,
    name: &str,
    schema: &Schema,
    from: Option<&Progress>,
    rolling_back: bool,
) -> Result<usize> {
    let units = units(db, schema)?;
    let start = match from {
        Some(progress) => resume_at(name, &units, progress)?,
        None => 0,
    };
    // Ended from outside between a statement and its record, it may have been run.
    let mut maybe_done = from.is_some_and(|progress| progress.in_flight);
    let progress = |statements: usize, in_flight: bool| {
        let fingerprint = fingerprint(&units[..statements]);
        Progress { rolling_back, statements, in_flight, fingerprint }.text()
    };
    journal.set_state(db, name, Some(progress(start, true))).await?;
    for (index, unit) in units.iter().enumerate().skip(start) {
        let outcome = async {
            let sql = unit.sql(db).await?;
            let next = progress(index + 1, true);
            // In one transaction, which holds for rows; a change of the schema is kept at once, and the record follows.
            db.transaction(async |tx| {
                match tx.execute_raw(&sql, []).await {
                    Err(error) if maybe_done && is_done(&error) => {}
                    Err(error) => return Err(error),
                    Ok(_) => {}
                }
                journal.set_state(&tx, name, Some(next)).await
            })
            .await
        };
        if let Err(error) = outcome.await {
            journal.set_state(db, name, Some(progress(index, false))).await?;
            return Err(error.context(format!(
                "`{name}` stopped at statement {} of {}. MySQL keeps the {index} before it. Correct the cause and run \
                 again: it goes on from there",
                index + 1,
                units.len()
            )));
        }
        maybe_done = false;
    }
    Ok(units.len() - start)
}

fn is_done(error: &Error) -> bool {
    DatabaseError::of(error).is_some_and(DatabaseError::is_already_done)
}

fn units<'a>(db: &Database, schema: &'a Schema) -> Result<Vec<Unit<'a>>> {
    let mut units = Vec::new();
    for step in schema.steps() {
        if let Step::Alter(table) = step {
            for change in &table.changes {
                let drops = matches!(change, Change::DropColumn(_));
                let looks_at = drops.then_some((table.name.as_str(), change));
                let planned = render::alter(db.driver(), &table.name, change)?.unwrap_or_default();
                units.extend(planned.into_iter().map(|planned| Unit { planned, looks_at }));
            }
        } else {
            let planned = render::step(db.driver(), step)?;
            units.extend(planned.into_iter().map(|planned| Unit { planned, looks_at: None }));
        }
    }
    Ok(units)
}

fn resume_at(name: &str, units: &[Unit<'_>], progress: &Progress) -> Result<usize> {
    let done = progress.statements;
    if done <= units.len() && fingerprint(&units[..done]) == progress.fingerprint {
        return Ok(done);
    }
    Err(Error::internal(format!(
        "`{name}` stopped after {done} of its statements, and those have been changed in the file since. Bring the \
         database to where the file begins and delete the row of `{name}` from the migrations table, or restore the file"
    )))
}

impl Progress {
    /// Of a migration that has not run anything yet.
    pub(super) fn beginning() -> Self {
        Self { rolling_back: false, statements: 0, in_flight: false, fingerprint: fingerprint(&[]) }
    }
}

fn fingerprint(units: &[Unit<'_>]) -> String {
    let bytes = units.iter().flat_map(|unit| unit.planned.bytes().chain([0]));
    format!("{:016x}", stable_hash(bytes))
}
