use housekey_core::{Error, FieldErrors, Result};
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::check::Checker;
use super::input::{Input, Source};
use super::lenient;
use super::messages::Messages;
use super::rules::Rules;
use super::shape::Shape;

/// Input that is checked before a handler sees it.
///
/// The struct's own types count as rules too: a field that is not an `Option` must be there, a number must be a
/// number, and a `Vec` makes a repeated key of a form or a query a list. A [`Secret`](housekey_core::Secret) is
/// never given back to a form.
///
/// ```
/// use housekey_core::{FieldErrors, Result};
/// use housekey_http::validation::{Rules, Validated};
/// use serde::Deserialize;
///
/// #[derive(Deserialize)]
/// struct Booking {
///     email: String,
///     guests: u8,
///     from: String,
///     until: String,
/// }
///
/// impl Validated for Booking {
///     fn rules(rules: &mut Rules) {
///         rules.field("email").label("e-mail address").required().email();
///         rules.field("guests").required().between(1, 8);
///         rules.field("from").required().date();
///         rules.field("until").required().date();
///     }
///
///     async fn after(&self, errors: &mut FieldErrors) -> Result<()> {
///         if self.until <= self.from {
///             errors.add("until", "The stay must end after it begins.");
///         }
///         Ok(())
///     }
/// }
/// ```
pub trait Validated: DeserializeOwned + Send + Sync + 'static {
    /// Says what each field must be. Fields are optional unless they are `required()`.
    fn rules(rules: &mut Rules);

    /// Checks what needs the whole input, or the database. It runs when every rule was met; what it adds to
    /// `errors` is answered like any other refusal.
    fn after(&self, errors: &mut FieldErrors) -> impl Future<Output = Result<()>> + Send {
        let _ = errors;
        async { Ok(()) }
    }
}

/// Checks a JSON value outside of a request: in a command, or an import.
///
/// ```
/// # use housekey_http::validation::{Rules, Validated, validate};
/// # #[derive(serde::Deserialize)] struct Row { email: String }
/// # impl Validated for Row { fn rules(rules: &mut Rules) { rules.field("email").required().email(); } }
/// # #[tokio::main(flavor = "current_thread")] async fn main() {
/// let error = validate::<Row>(serde_json::json!({ "email": "nobody" })).await.map(drop).unwrap_err();
/// assert_eq!(error.field_errors().unwrap().first("email"), Some("The email must be an e-mail address."));
/// # }
/// ```
pub async fn validate<T: Validated>(value: Value) -> Result<T> {
    let Value::Object(values) = value else {
        return Err(Error::bad_request("The input must be a JSON object."));
    };
    let schema = Schema::of::<T>();
    check(&schema, Input { source: Source::Json, values }).await
}

/// What is known about a type of input.
pub(super) struct Schema {
    pub(super) rules: Rules,
    pub(super) shape: std::sync::Arc<Shape>,
}

impl Schema {
    pub(super) fn of<T: Validated>() -> Self {
        let mut rules = Rules::default();
        T::rules(&mut rules);
        Self { rules, shape: Shape::of::<T>() }
    }
}

/// Takes input through every stage: rules, types, the type's own last word.
pub(super) async fn check<T: Validated>(schema: &Schema, mut input: Input) -> Result<T> {
    let messages = Messages::ambient();
    input.trim(schema);
    let mut errors = Checker::new(schema, &input, &messages).run().await?;
    for (field, _) in input.values.iter().filter(|(_, value)| holds_nul(value)) {
        if errors.of(field).is_empty() {
            let label = messages.label(&schema.rules, field);
            errors.add(field.clone(), messages.render("The :field is not valid.", &[("field", &label)]));
        }
    }
    input.fill_gaps(schema);
    // The types are looked at even when a rule was broken: a form should be told everything at once.
    let value = match lenient::read::<T>(input) {
        Ok(value) => Some(value),
        Err(problem) => {
            let (field, message) = problem.describe(&schema.rules, &messages);
            if errors.of(&field).is_empty() {
                errors.add(field, message);
            }
            None
        }
    };
    match value {
        Some(value) if errors.is_empty() => finish(value, errors).await,
        _ => Err(Error::invalid(errors)),
    }
}

/// Nobody types a NUL, and not every database can store one or be asked for it: the answer would be a 500.
fn holds_nul(value: &Value) -> bool {
    match value {
        Value::String(text) => text.contains('\0'),
        Value::Array(items) => items.iter().any(holds_nul),
        Value::Object(fields) => fields.values().any(holds_nul),
        _ => false,
    }
}

async fn finish<T: Validated>(value: T, mut errors: FieldErrors) -> Result<T> {
    value.after(&mut errors).await?;
    if errors.is_empty() { Ok(value) } else { Err(Error::invalid(errors)) }
}
