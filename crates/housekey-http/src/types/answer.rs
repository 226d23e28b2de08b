use http::StatusCode;

use super::RouteTypes;
use crate::Response;

/// What a handler answers, for clients to know.
#[diagnostic::on_unimplemented(
    message = "a client is not told what `{Self}` looks like as an answer",
    label = "not described",
    note = "answer `Json<T>` of a type with `#[typescript]`, a `Redirect`, `StatusCode` or `()`, also in a `Result`",
    note = "`Response` says that the answer is not known; a route that no client calls is written with `.routes(…)` instead"
)]
pub trait Answer {
    /// Tells what is answered. By itself: nothing that is known.
    fn describe(route: &mut RouteTypes) {
        let _ = route;
    }
}

impl Answer for () {}
impl Answer for StatusCode {}
impl Answer for Response {}

/// What went wrong is told by its status.
impl<A: Answer, E> Answer for Result<A, E> {
    fn describe(route: &mut RouteTypes) {
        A::describe(route);
    }
}

impl<A: Answer> Answer for (StatusCode, A) {
    fn describe(route: &mut RouteTypes) {
        A::describe(route);
    }
}

#[cfg(feature = "types")]
mod described {
    use axum::Json;

    use super::super::{Described, RouteTypes};
    use super::Answer;
    use crate::response::Redirect;

    impl<T: Described> Answer for Json<T> {
        fn describe(route: &mut RouteTypes) {
            route.answer::<T>();
        }
    }

    /// A write is answered with the address; where a safe request ends up is not known.
    impl Answer for Redirect {
        fn describe(route: &mut RouteTypes) {
            if !route.method().is_safe() {
                let redirected = route.declarations.redirected();
                route.answer_text(redirected);
            }
        }
    }
}
