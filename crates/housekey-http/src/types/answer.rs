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
    use std::path::PathBuf;

    use axum::Json;
    use ts_rs::{Config, TS};

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
                route.answer::<Redirected>();
            }
        }
    }

    /// What a client gets in place of a redirect. By hand, for ts-rs has no form for what may stand beside.
    struct Redirected;

    impl TS for Redirected {
        type WithoutGenerics = Self;
        type OptionInnerType = Self;

        fn docs() -> Option<String> {
            Some(
                "/** Where a browser would be sent now, and what the server has to say beside it. */\n"
                    .into(),
            )
        }

        fn name(_: &Config) -> String {
            "Redirected".into()
        }

        fn inline(_: &Config) -> String {
            "{ redirect: string, status?: string, [flashed: string]: unknown, }".into()
        }

        fn decl(config: &Config) -> String {
            format!("type {} = {};", Self::name(config), Self::inline(config))
        }

        fn output_path() -> Option<PathBuf> {
            Some("redirected.ts".into())
        }
    }
}
