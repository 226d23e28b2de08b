use std::any::type_name;
use std::ops::{Deref, DerefMut};
use std::sync::{Arc, Mutex, PoisonError};

use axum::extract::{FromRequestParts, RawPathParams};
use housekey_core::{Error, Result};
use housekey_database::Model;
use housekey_validation::remember_bound_row;
use http::request::Parts;

use crate::types::{Input, RouteTypes};
use crate::{Request, RequestContext};

/// The row that an address names: `/books/{book}` with `Bound(book): Bound<Book>`. One that is not there is a 404, and so is one
/// that is [deleted](housekey_database::Query::with_deleted) or another organisation's.
///
/// It is found by the parameter with the model's name (`book` for `Book`, `library_card` for `LibraryCard`), or by the only one
/// there is; the parameter holds the row's key.
///
/// ```
/// use housekey_core::Result;
/// use housekey_database::{FromRow, Model};
/// use housekey_http::{Bound, Routes};
///
/// #[derive(FromRow, Model)]
/// #[row(crate = "housekey_database")]
/// #[model(table = "books")]
/// struct Book {
///     id: i64,
///     title: String,
/// }
///
/// async fn show(Bound(book): Bound<Book>) -> String {
///     book.title
/// }
///
/// fn web(route: &mut Routes) {
///     route.get("/books/{book}", show);
/// }
/// ```
// spec: DAT-3
#[derive(Clone, Copy, Debug)]
pub struct Bound<M>(pub M);

impl<M: Model, S: Send + Sync> FromRequestParts<S> for Bound<M> {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self> {
        // A guard that looked at the row hands it on: it is read once, and what was allowed is what is changed.
        if let Some(row) = parts.extensions.remove::<Looked<M>>().and_then(|looked| looked.take()) {
            return Ok(Self(row));
        }
        let parameters = RawPathParams::from_request_parts(parts, state).await?;
        let key = named_after::<M>(parameters.iter())?;
        Self::find(key).await
    }
}

impl<M: Model> Bound<M> {
    async fn find(key: &str) -> Result<Self> {
        // What cannot be a key is nobody's.
        let key = M::key_from_text(key).ok_or_else(Error::not_found)?;
        let row = M::find_or_404(key).await?;
        remember_bound_row(M::TABLE, row.key());
        Ok(Self(row))
    }

    /// The row that the address of this request names, for a guard, which runs before there are extractors.
    pub async fn of_request() -> Result<Self> {
        let context = RequestContext::current()
            .ok_or_else(|| Error::internal("there is no request whose address could name a row"))?;
        let parameters = context.route_parameters();
        let key = named_after::<M>(parameters.iter().map(|(name, value)| (*name, value.as_ref())))?;
        Self::find(key).await
    }

    /// Hands the row on to the handler behind a guard, whose `Bound<M>` takes it.
    pub fn hand_on(self, request: &mut Request) {
        request.extensions_mut().insert(Looked(Arc::new(Mutex::new(Some(self.0)))));
    }
}

/// A row that a guard looked at.
struct Looked<M>(Arc<Mutex<Option<M>>>);

impl<M> Looked<M> {
    fn take(&self) -> Option<M> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

impl<M> Clone for Looked<M> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

/// A client reads of it what it reads of the path: one more way to be refused.
impl<M> Input for Bound<M> {
    fn describe(route: &mut RouteTypes) {
        route.refuses(http::StatusCode::NOT_FOUND);
    }
}

impl<M> Deref for Bound<M> {
    type Target = M;

    fn deref(&self) -> &M {
        &self.0
    }
}

impl<M> DerefMut for Bound<M> {
    fn deref_mut(&mut self) -> &mut M {
        &mut self.0
    }
}

/// What the parameter of a model is called: `library_card` for `LibraryCard`.
pub fn bound_parameter<M>() -> String {
    snake(model_name::<M>())
}

fn model_name<M>() -> &'static str {
    type_name::<M>().rsplit("::").next().unwrap_or_default()
}

fn named_after<'a, M>(parameters: impl Iterator<Item = (&'a str, &'a str)>) -> Result<&'a str> {
    let model = model_name::<M>();
    let name = snake(model);
    let all: Vec<(&str, &str)> = parameters.collect();
    let found = all.iter().find(|(parameter, _)| *parameter == name);
    match (found, &all[..]) {
        (Some((_, value)), _) | (None, [(_, value)]) => Ok(value),
        _ => Err(Error::internal(format!(
            "a `Bound<{model}>` does not know which part of the address names the row: call the parameter `{{{name}}}`"
        ))),
    }
}

/// `LibraryCard` as `library_card`.
fn snake(name: &str) -> String {
    let mut snake = String::new();
    for character in name.chars() {
        if character.is_uppercase() && !snake.is_empty() {
            snake.push('_');
        }
        snake.extend(character.to_lowercase());
    }
    snake
}
