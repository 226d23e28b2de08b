use std::sync::Arc;

use axum::extract::{FromRequestParts, OptionalFromRequestParts};
use axum::response::IntoResponse;
use housekey_core::Error;
use housekey_engine::{Session, User};
use housekey_http::Response;
use housekey_http::types::{Input, RouteTypes};
use http::StatusCode;
use http::request::Parts;

use crate::accessors;

/// The signed-in user as an extractor; without one the answer is 401. `Option<CurrentUser>` takes guests too.
///
/// ```
/// use housekey_auth::CurrentUser;
///
/// async fn greet(CurrentUser(user): CurrentUser) -> String {
///     format!("Hello {}", user.name)
/// }
///
/// async fn maybe(user: Option<CurrentUser>) -> &'static str {
///     if user.is_some() { "Welcome back" } else { "Welcome" }
/// }
/// # housekey_http::Routes::new().get("/greet", greet);
/// # housekey_http::Routes::new().get("/maybe", maybe);
/// ```
#[derive(Clone, Debug)]
pub struct CurrentUser(pub Arc<User>);

/// The present session as an extractor; without one the answer is 401.
#[derive(Clone, Debug)]
pub struct CurrentSession(pub Arc<Session>);

macro_rules! extractor {
    ($name:ident, $find:path) => {
        impl<S: Send + Sync> FromRequestParts<S> for $name {
            type Rejection = Response;

            async fn from_request_parts(_: &mut Parts, _: &S) -> Result<Self, Response> {
                $find().map(Self).ok_or_else(|| Error::unauthenticated().into_response())
            }
        }

        impl<S: Send + Sync> OptionalFromRequestParts<S> for $name {
            type Rejection = std::convert::Infallible;

            async fn from_request_parts(_: &mut Parts, _: &S) -> Result<Option<Self>, Self::Rejection> {
                Ok($find().map(Self))
            }
        }

        impl Input for $name {
            fn describe(route: &mut RouteTypes) {
                route.refuses(StatusCode::UNAUTHORIZED);
            }
        }
    };
}

extractor!(CurrentUser, accessors::user);
extractor!(CurrentSession, accessors::session);
