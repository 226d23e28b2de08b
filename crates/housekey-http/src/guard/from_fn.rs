use std::fmt;

use housekey_core::Result;

use super::{Guard, GuardFuture, Next};
use crate::{Request, Response};

/// Makes a guard of an async function.
///
/// ```
/// use housekey_core::Result;
/// use housekey_http::guard::{Next, from_fn};
/// use housekey_http::{Request, Response};
///
/// async fn stamp(request: Request, next: Next) -> Result<Response> {
///     let mut response = next.run(request).await;
///     response.headers_mut().insert("x-stamped", "yes".parse()?);
///     Ok(response)
/// }
///
/// let guard = from_fn("stamp", stamp);
/// ```
pub fn from_fn<M: Middleware>(name: impl Into<String>, middleware: M) -> FromFn<M> {
    FromFn { name: name.into(), middleware }
}

/// An `async fn(Request, Next) -> Result<Response>`.
pub trait Middleware: Send + Sync + 'static {
    fn run(&self, request: Request, next: Next) -> GuardFuture<'_>;
}

impl<F, Fut> Middleware for F
where
    F: Fn(Request, Next) -> Fut + Send + Sync + 'static,
    Fut: Future<Output = Result<Response>> + Send + 'static,
{
    fn run(&self, request: Request, next: Next) -> GuardFuture<'_> {
        Box::pin(self(request, next))
    }
}

pub struct FromFn<M> {
    name: String,
    middleware: M,
}

impl<M: Middleware> Guard for FromFn<M> {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn handle(&self, request: Request, next: Next) -> GuardFuture<'_> {
        self.middleware.run(request, next)
    }
}

impl<M> fmt::Debug for FromFn<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("FromFn").field(&self.name).finish()
    }
}
