//! Guards stand in front of a handler: they let a request pass, change it, or answer it themselves.

mod factory;
mod from_fn;
mod from_layer;
mod into_guards;
mod next;
mod this_machine;

use std::pin::Pin;

use housekey_core::Result;

use crate::{Request, Response};
use http::StatusCode;

pub use factory::{GuardArguments, GuardFactory};
pub(crate) use factory::{GuardRegistry, SharedGuard};
pub use from_fn::{FromFn, Middleware, from_fn};
pub use from_layer::{FromLayer, NextService, from_layer};
pub use into_guards::{GuardSpec, IntoGuards};
pub use next::Next;
pub(crate) use next::{GuardChain, GuardedHandler, RouteGuard};
pub use this_machine::this_machine;

pub type GuardFuture<'a> = Pin<Box<dyn Future<Output = Result<Response>> + Send + 'a>>;

/// Stands in front of a handler.
///
/// ```
/// use housekey_http::guard::{Guard, GuardFuture, Next};
/// use housekey_http::Request;
/// use housekey_core::Error;
///
/// struct Weekdays;
///
/// impl Guard for Weekdays {
///     fn name(&self) -> String {
///         "weekdays".into()
///     }
///
///     fn handle(&self, request: Request, next: Next) -> GuardFuture<'_> {
///         Box::pin(async move {
///             if request.headers().contains_key("x-sunday") {
///                 return Err(Error::forbidden("We are closed on Sundays."));
///             }
///             Ok(next.run(request).await)
///         })
///     }
/// }
/// ```
///
/// An app's own middleware is usually an `async fn(Request, Next) -> Result<Response>` instead: see [`from_fn`]. A layer of
/// tower's is one too: see [`from_layer`].
pub trait Guard: Send + Sync + 'static {
    /// The name shown in `route:list`, arguments included: `throttle:6,1`.
    fn name(&self) -> String;

    /// Answers the request, by `next.run(request).await` or otherwise.
    fn handle(&self, request: Request, next: Next) -> GuardFuture<'_>;

    /// The names of the [security schemes](crate::routing::SecuritySchemes) that it takes, where these are not the usual ones.
    fn security_schemes(&self) -> &[&'static str] {
        &[]
    }

    /// The statuses it may refuse a JSON client with. They become the errors of a [typed route](crate::types), so that
    /// a `catch` in the browser can be checked.
    fn refuses_with(&self) -> &[StatusCode] {
        &[]
    }
}
