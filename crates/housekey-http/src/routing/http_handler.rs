use axum::handler::Handler;

/// A function that can answer a route: any handler of axum. It is here so that the compiler says what is wrong with one
/// that cannot in words of an app, which has no `#[axum::debug_handler]`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot answer a route",
    label = "cannot answer a route",
    note = "a handler is an `async fn` or `async` closure; what it answers implements `IntoResponse`: text, `Json`, a view, \
            `Redirect`, `StatusCode`, or a `Result` of one with `housekey::Error`",
    note = "each argument implements `FromRequestParts`, like `Path` and `CurrentUser`; the last one may read the body \
            instead, like `Valid` and `Json` (`FromRequest`)",
    note = "what it keeps over an `.await` is `Send`: no `Rc`, no guard of a `std` lock"
)]
pub trait HttpHandler<T>: Handler<T, ()> {}

impl<H: Handler<T, ()>, T> HttpHandler<T> for H {}
