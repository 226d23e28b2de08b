//! Rules that look into the database, and what they leave behind for the moment when another request was faster.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use housekey_core::{Error, FieldErrors, Result, Scope};
use housekey_database::{DatabaseError, Model, ModelColumn, Value as Stored};
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::rules::{Complaint, FieldRules, Rule};
use crate::bound_rows::bound_keys;

/// What a field says about the rows of a table.
pub(super) struct StoredRule {
    is_unique: bool,
    table: &'static str,
    column: &'static str,
    is_met: Box<dyn Fn(Value) -> Met + Send + Sync>,
}

type Met = std::pin::Pin<Box<dyn Future<Output = Result<bool>> + Send>>;

impl StoredRule {
    /// The sentence for a field that breaks it.
    pub(super) fn sentence(&self) -> &'static str {
        if self.is_unique { "The :field is taken." } else { "The :field does not exist." }
    }

    pub(super) fn complaint(&self, value: Value) -> Complaint {
        let (met, sentence) = ((self.is_met)(value), self.sentence());
        Box::pin(async move { Ok((!met.await?).then(|| sentence.to_owned())) })
    }

    /// Remembers whom to tell when the database finds otherwise later in this request.
    pub(super) fn claim(&self, field: String, message: String) {
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

impl FieldRules {
    /// No row has this value in the column yet: `unique(Book::isbn)`. Rows that are softly deleted count. The row that the
    /// address names ([`Bound`](crate::Bound), standing in front of [`Valid`](super::Valid)) may keep its own.
    ///
    /// Between this look and the handler's write another request may be faster. So the column needs a unique index, as
    /// `table.string("isbn", 13).unique()` makes it: what it refuses then is the error of this field, as if the rule had seen it.
    pub fn unique<M: Model, T>(&mut self, column: ModelColumn<M, T>) -> &mut Self
    where
        T: DeserializeOwned + Into<Stored> + 'static,
    {
        self.stored(true, column)
    }

    /// A row has this value in the column: `exists(Author::id)`. Rows that are softly deleted, or another organization's, do not
    /// count.
    ///
    /// When the row goes before the handler writes, a foreign key refuses to refer to it, and that is the error of this field.
    pub fn exists<M: Model, T>(&mut self, column: ModelColumn<M, T>) -> &mut Self
    where
        T: DeserializeOwned + Into<Stored> + 'static,
    {
        self.stored(false, column)
    }

    fn stored<M: Model, T>(&mut self, is_unique: bool, column: ModelColumn<M, T>) -> &mut Self
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
        let (table, column) = (M::TABLE, column.name());
        self.rule(Rule::Stored(StoredRule { is_unique, table, column, is_met: Box::new(is_met) }))
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
pub(crate) fn lost_race(error: &Error) -> Option<Error> {
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
