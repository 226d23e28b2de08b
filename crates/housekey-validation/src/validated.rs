use housekey_core::{Error, FieldErrors, Result};
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::check::Checker;
use crate::input::{Input, RawInput};
use crate::lenient;
use crate::messages::Messages;
use crate::rules::Rules;

/// Input that is checked before a handler sees it. It is derived; the rules are the methods of
/// [`FieldRules`](crate::FieldRules).
///
/// The struct's own types count as rules too: a field that is not an `Option` must be there, a number must be a
/// number, and a `Vec` makes a repeated key of a form or a query a list. A [`Secret`](housekey_core::Secret) is
/// never given back to a form. Of a type of your own only its `Deserialize` is known: where it stands for a number, a list or
/// a secret, the rules `integer`, `array` and `secret` say so.
///
/// ```
/// use housekey_core::{FieldErrors, Result};
/// use housekey_validation::Validated;
/// use serde::Deserialize;
///
/// #[derive(Deserialize, Validated)]
/// # #[validate(crate = "housekey_validation")]
/// #[validate(after = Self::check)]
/// struct Booking {
///     #[validate(label("e-mail address"), required, email)]
///     email: String,
///     #[validate(required, between(1, 8))]
///     guests: u8,
///     #[validate(required, date)]
///     from: String,
///     #[validate(required, date, different(from))]
///     until: String,
/// }
///
/// impl Booking {
///     async fn check(&self, errors: &mut FieldErrors) -> Result<()> {
///         if self.until <= self.from {
///             errors.add("until", "The stay must end after it begins.");
///         }
///         Ok(())
///     }
/// }
/// ```
///
/// A rule that does not exist does not compile, nor does one that looks at a field that is not there:
///
/// ```compile_fail
/// # use housekey_validation::Validated;
/// #[derive(serde::Deserialize, Validated)]
/// # #[validate(crate = "housekey_validation")]
/// struct Guest {
///     #[validate(emial)]
///     email: String,
/// }
/// ```
///
/// ```compile_fail
/// # use housekey_validation::Validated;
/// #[derive(serde::Deserialize, Validated)]
/// # #[validate(crate = "housekey_validation")]
/// struct Guest {
///     email: String,
///     #[validate(same(emial))]
///     email_again: String,
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "nobody knows what a `{Self}` must look like",
    label = "has no rules",
    note = "add `Validated` to its derives: `#[derive(Deserialize, Validated)]`"
)]
pub trait Validated: DeserializeOwned + Send + Sync + 'static {
    /// Whether there is more to check than the rules.
    #[doc(hidden)]
    const HAS_AFTER: bool = false;

    /// The fields, and what each of them must be.
    fn rules() -> &'static Rules;

    /// Checks what needs the whole input, or the database: `#[validate(after = Self::…)]` names the function. It runs when
    /// every rule was met; what it adds to `errors` is answered like any other refusal.
    fn after(&self, errors: &mut FieldErrors) -> impl Future<Output = Result<()>> + Send {
        let _ = errors;
        async { Ok(()) }
    }
}

/// Checks a JSON value outside of a request: in a command, or an import.
///
/// ```
/// # use housekey_validation::{Validated, validate};
/// #[derive(serde::Deserialize, Validated)]
/// # #[validate(crate = "housekey_validation")]
/// struct Row {
///     #[validate(required, email)]
///     email: String,
/// }
///
/// # #[tokio::main(flavor = "current_thread")] async fn main() {
/// let error = validate::<Row>(serde_json::json!({ "email": "nobody" })).await.map(drop).unwrap_err();
/// assert_eq!(error.field_errors().unwrap().first("email"), Some("The email must be an e-mail address."));
/// # }
/// ```
pub async fn validate<T: Validated>(value: Value) -> Result<T> {
    let Value::Object(values) = value else {
        return Err(Error::bad_request("The input must be a JSON object."));
    };
    validate_input(Input::json(values)).await
}

/// Checks texts by a struct's rules as those of a form are: the line of an imported file, an answer on the console.
///
/// ```
/// # use housekey_validation::{Validated, validate_texts};
/// #[derive(serde::Deserialize, Validated)]
/// # #[validate(crate = "housekey_validation")]
/// struct Row {
///     #[validate(required, max(40))]
///     name: String,
///     seats: u8,
/// }
///
/// # #[tokio::main(flavor = "current_thread")] async fn main() {
/// let row: Row = validate_texts([("name", "Yoga"), ("seats", "12")]).await.unwrap();
/// assert_eq!((row.name.as_str(), row.seats), ("Yoga", 12));
///
/// let error = validate_texts::<Row, _, _>([("seats", "many")]).await.map(drop).unwrap_err();
/// let errors = error.field_errors().unwrap();
/// assert_eq!(errors.first("name"), Some("The name is required."));
/// assert_eq!(errors.first("seats"), Some("The seats must be a whole number."));
/// # }
/// ```
pub async fn validate_texts<T: Validated, N: Into<String>, V: Into<String>>(
    fields: impl IntoIterator<Item = (N, V)>,
) -> Result<T> {
    let pairs = fields.into_iter().map(|(name, text)| (name.into(), text.into())).collect();
    validate_input(RawInput::Pairs(pairs).arrange(T::rules())?).await
}

/// Takes input through every stage: rules, types, the type's own last word.
pub async fn validate_input<T: Validated>(mut input: Input) -> Result<T> {
    let rules = T::rules();
    let messages = Messages::ambient();
    input.trim(rules);
    let mut errors = Checker::new(rules, &input, &messages).run().await?;
    for (field, _) in input.values.iter().filter(|(_, value)| holds_nul(value)) {
        if errors.of(field).is_empty() {
            let label = messages.label(rules, field);
            errors.add(field.clone(), messages.render("The :field is not valid.", &[("field", &label)]));
        }
    }
    input.fill_gaps(rules);
    // The types are looked at even when a rule was broken: a form should be told everything at once.
    match lenient::read::<T>(input, rules) {
        Ok(value) if errors.is_empty() => finish(value, errors).await,
        Ok(_) => Err(Error::invalid(errors)),
        Err(problems) => {
            for problem in problems {
                let (field, message) = problem.describe(rules, &messages);
                if errors.of(&field).is_empty() {
                    errors.add(field, message);
                }
            }
            Err(Error::invalid(errors))
        }
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
