//! Rules that look into the database, and what they leave behind for the moment when another request was faster.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use housekey_core::{Error, FieldErrors, Result, Scope};
use housekey_database::{DatabaseError, Model, ModelColumn, Value as Stored};
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::bound_rows::bound_keys;

/// What a field says about the rows of a table.
pub(crate) struct StoredRule {
    is_unique: bool,
    table: &'static str,
    column: &'static str,
    is_met: Box<dyn Fn(Value) -> Met + Send + Sync>,
}

type Met = std::pin::Pin<Box<dyn Future<Output = Result<bool>> + Send>>;

impl StoredRule {
    pub(crate) fn new<M: Model, T>(is_unique: bool, column: ModelColumn<M, T>) -> Self
    where
        T: DeserializeOwned + Into<Stored> + 'static,
    {
        let is_met = move |value: Value| -> Met {
            let wanted = typed::<T>(&value);
            Box::pin(async move {
                // What cannot stand in the column is in no row.
                let Some(wanted) = wanted else { return Ok(is_unique) };
                let rows = M::query()?.where_eq(column, wanted);
                if !is_unique {
                    return rows.exists().await;
                }
                let own = bound_keys(M::TABLE).into_iter();
                let others = own.fold(rows.with_deleted(), |rows, key| rows.where_(M::KEY, "!=", key));
                Ok(!others.exists().await?)
            })
        };
        Self { is_unique, table: M::TABLE, column: column.name(), is_met: Box::new(is_met) }
    }

    /// The sentence for a field that breaks it.
    pub(crate) fn sentence(&self) -> &'static str {
        if self.is_unique { "The :field is taken." } else { "The :field does not exist." }
    }

    pub(crate) fn complaint(
        &self,
        value: Value,
    ) -> impl Future<Output = Result<Option<String>>> + Send + use<> {
        let (met, sentence) = ((self.is_met)(value), self.sentence());
        async move { Ok((!met.await?).then(|| sentence.to_owned())) }
    }

    /// Remembers whom to tell when the database finds otherwise later in this request.
    pub(crate) fn claim(&self, field: String, message: String) {
        let claim =
            Claim { is_unique: self.is_unique, table: self.table, column: self.column, field, message };
        Scope::read(|scope| {
            let claims = scope.get::<Claims>().unwrap_or_else(|| {
                let claims = Arc::new(Claims::default());
                scope.set(claims.clone());
                claims
            });
            claims.0.lock().unwrap_or_else(PoisonError::into_inner).push(claim);
        });
    }
}

impl fmt::Debug for StoredRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}.{}", if self.is_unique { "unique" } else { "exists" }, self.table, self.column)
    }
}

/// What was sent, as the column's type. A form sends numbers as text.
fn typed<T: DeserializeOwned + Into<Stored>>(value: &Value) -> Option<Stored> {
    let read = serde_json::from_value::<T>(value.clone()).ok();
    let read = read.or_else(|| serde_json::from_str::<T>(value.as_str()?).ok());
    read.map(Into::into)
}

struct Claim {
    is_unique: bool,
    table: &'static str,
    column: &'static str,
    field: String,
    message: String,
}

/// The rules about rows that this request has met.
#[derive(Default)]
struct Claims(Mutex<Vec<Claim>>);

/// The refusal of a form that met its rules until another request was faster; `None` for every other error.
pub fn lost_race(error: &Error) -> Option<Error> {
    let reported = DatabaseError::of(error)?;
    let claims = Scope::read(Scope::get::<Claims>).flatten()?;
    let claims = claims.0.lock().unwrap_or_else(PoisonError::into_inner);
    let claim = if reported.is_unique_violation() {
        claims
            .iter()
            .find(|claim| claim.is_unique && reported.is_unique_violation_of(claim.table, claim.column))
    } else if reported.is_foreign_key_violation() {
        // Not every engine says which reference it was. With one candidate there is no doubt.
        let mut candidates = claims.iter().filter(|claim| !claim.is_unique);
        candidates.next().filter(|_| candidates.next().is_none())
    } else {
        None
    }?;
    let mut errors = FieldErrors::new();
    errors.add(claim.field.clone(), claim.message.clone());
    Some(Error::invalid(errors))
}
