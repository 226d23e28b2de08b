use axum::extract::{ConnectInfo, Extension, MatchedPath, Multipart, OriginalUri, RawQuery};
use http::{HeaderMap, Method, Uri};

use super::RouteTypes;
use crate::Request;

/// What an extractor reads of a request, for clients to know.
///
/// An extractor of your own that reads nothing a client has to send says so in one line:
///
/// ```
/// use housekey_http::types::Input;
///
/// struct Tenant(String);
///
/// impl Input for Tenant {}
/// ```
#[diagnostic::on_unimplemented(
    message = "a client is not told what `{Self}` reads of a request",
    label = "not described",
    note = "an extractor of your own that needs nothing from the client says `impl Input for {Self} {{}}`",
    note = "`Input` is `housekey::types::Input`; a route that no client calls is written with `.routes(…)` instead"
)]
pub trait Input {
    /// Tells what it reads. By itself: nothing that a client has to send.
    fn describe(route: &mut RouteTypes) {
        let _ = route;
    }
}

macro_rules! nothing {
    ($($extractor:ty),+ $(,)?) => { $(impl Input for $extractor {})+ };
}

nothing!(HeaderMap, MatchedPath, Method, OriginalUri, RawQuery, Uri, http::request::Parts);

impl<T> Input for ConnectInfo<T> {}
impl<T> Input for Extension<T> {}

impl Input for Request {
    fn describe(route: &mut RouteTypes) {
        if !route.method().is_safe() {
            route.any_body();
        }
    }
}

impl Input for Multipart {
    fn describe(route: &mut RouteTypes) {
        route.body_text("FormData");
    }
}

impl Input for String {
    fn describe(route: &mut RouteTypes) {
        route.body_text("string");
    }
}

/// What may be absent refuses nobody.
impl<T: Input> Input for Option<T> {
    fn describe(route: &mut RouteTypes) {
        route.without_refusals(T::describe);
    }
}

/// Neither does what the handler looks at itself.
impl<T: Input, E> Input for Result<T, E> {
    fn describe(route: &mut RouteTypes) {
        route.without_refusals(T::describe);
    }
}

#[cfg(feature = "types")]
mod described {
    use axum::Json;
    use axum::extract::{Path, Query};
    use housekey_validation::{FieldNames, keywords};
    use http::StatusCode;

    use super::super::{Described, RouteTypes};
    use super::Input;
    use crate::validation::{Valid, ValidQuery, ValidUpload, Validated};

    impl<T: Validated + Described> Input for Valid<T> {
        fn describe(route: &mut RouteTypes) {
            // Files go in a form of the browser's only.
            if T::rules().take_files() {
                route.body_text("FormData");
            } else {
                route.body::<T>();
            }
            checked::<T>(route);
        }
    }

    /// Files go in a form of the browser's; without one the fields may go as JSON.
    impl<T: Validated + Described> Input for ValidUpload<T> {
        fn describe(route: &mut RouteTypes) {
            route.body_text("FormData");
            route.or_body::<T>();
            checked::<T>(route);
        }
    }

    impl<T: Validated + Described> Input for ValidQuery<T> {
        fn describe(route: &mut RouteTypes) {
            route.query::<T>();
            checked::<T>(route);
        }
    }

    fn checked<T: Validated + Described>(route: &mut RouteTypes) {
        let names = FieldNames::of::<T>();
        names.all.into_iter().for_each(|name| route.field(name));
        for name in names.confirmed {
            let twin = twin(&name);
            route.field(twin.clone());
            route.confirmed::<T>(name, twin);
        }
        for (field, keywords) in keywords(T::rules()) {
            route.add_rules::<T>(field, keywords);
        }
        route.refuses(StatusCode::UNPROCESSABLE_ENTITY);
    }

    /// What the second typing of a field is called. The rule takes both spellings.
    fn twin(name: &str) -> String {
        let is_camel = name.chars().any(char::is_uppercase);
        format!("{name}{}", if is_camel { "Confirmation" } else { "_confirmation" })
    }

    impl<T: Described> Input for Json<T> {
        fn describe(route: &mut RouteTypes) {
            route.body::<T>();
        }
    }

    impl<T: Described> Input for Query<T> {
        fn describe(route: &mut RouteTypes) {
            route.query::<T>();
        }
    }

    impl<T: Described> Input for Path<T> {
        fn describe(route: &mut RouteTypes) {
            route.params::<T>();
        }
    }
}
