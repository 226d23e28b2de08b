use axum::extract::{FromRequest, FromRequestParts};
use housekey_core::Error;
use housekey_validation::{Validated, validate_input};
use http::request::Parts;

use super::upload::Uploads;
use super::{back, read_input};
use crate::Request;

/// A request's body, checked: a form, a form with files (see [`uploads`](crate::uploads)), or JSON.
///
/// What cannot be read is 400, what is of another type 415, what is too large 413. What was refused is 422 for a
/// JSON client; a browser goes back to its form. Fields the type does not have are ignored.
///
/// ```
/// # use housekey_http::validation::{Valid, Validated};
/// #[derive(serde::Deserialize, Validated)]
/// # #[validate(crate = "housekey_http::validation")]
/// struct Comment {
///     #[validate(required, max(500))]
///     text: String,
/// }
///
/// async fn store(Valid(comment): Valid<Comment>) -> String {
///     comment.text
/// }
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Valid<T>(pub T);

impl<T: Validated, S: Send + Sync> FromRequest<S> for Valid<T> {
    type Rejection = Error;

    async fn from_request(request: Request, _: &S) -> Result<Self, Error> {
        let (raw, files) = read_input::receive(request, T::rules()).await?;
        let input = raw.arrange(T::rules())?.with_files(files);
        back::remember(&input, T::rules());
        validate_input(input).await.map(Self)
    }
}

/// A multipart form, checked, and the files that came with it, all in memory: for small ones that are looked at and thrown
/// away. What is to be kept is better taken by a field of the type [`Upload`](crate::uploads::Upload). Among the fields a file stands for its name, so
/// `required()` works for files too.
#[derive(Clone, Debug)]
pub struct ValidUpload<T>(pub T, pub Uploads);

impl<T: Validated, S: Send + Sync> FromRequest<S> for ValidUpload<T> {
    type Rejection = Error;

    async fn from_request(request: Request, _: &S) -> Result<Self, Error> {
        let (value, uploads) = from_body(request).await?;
        Ok(Self(value, uploads))
    }
}

/// A request's query, checked.
///
/// The type is the query's schema: a repeated key (`ids=1&ids=2`) is read as a list only where it has a list, else
/// the last value counts. `ids[]=1` for a list is refused.
///
/// ```
/// # use housekey_http::validation::{ValidQuery, Validated};
/// #[derive(serde::Deserialize, Validated)]
/// # #[validate(crate = "housekey_http::validation")]
/// struct Filter {
///     #[validate(max(50))]
///     ids: Vec<String>,
///     #[validate(min(1))]
///     page: Option<u32>,
/// }
///
/// async fn index(ValidQuery(filter): ValidQuery<Filter>) -> String {
///     format!("{} ids on page {}", filter.ids.len(), filter.page.unwrap_or(1))
/// }
/// ```
#[derive(Clone, Copy, Debug)]
pub struct ValidQuery<T>(pub T);

impl<T: Validated, S: Send + Sync> FromRequestParts<S> for ValidQuery<T> {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Error> {
        let raw = read_input::from_query(parts.uri.query().unwrap_or_default())?;
        validate_input(raw.arrange(T::rules())?).await.map(Self)
    }
}

async fn from_body<T: Validated>(request: Request) -> Result<(T, Uploads), Error> {
    let (raw, uploads) = read_input::from_body(request).await?;
    let input = raw.arrange(T::rules())?;
    back::remember(&input, T::rules());
    Ok((validate_input(input).await?, uploads))
}
