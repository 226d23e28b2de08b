use std::convert::Infallible;
use std::sync::Arc;

use axum::extract::{FromRequestParts, OptionalFromRequestParts};
use axum::response::IntoResponse;
use housekey_http::Response;
use housekey_http::types::{Input, RouteTypes};
use http::StatusCode;
use http::request::Parts;

use super::{ActiveOrganization, organization, require_organization};

/// The organisation that the request is for, as an extractor; a guest gets 401, who is in none 403.
/// `Option<CurrentOrganization>` takes both.
///
/// ```
/// use housekey_auth::CurrentOrganization;
///
/// async fn show(CurrentOrganization(organization): CurrentOrganization) -> String {
///     format!("Welcome to {}", organization.name())
/// }
/// # housekey_http::Routes::new().get("/", show);
/// ```
// spec: ORG-4
#[derive(Clone, Debug)]
pub struct CurrentOrganization(pub Arc<ActiveOrganization>);

impl<S: Send + Sync> FromRequestParts<S> for CurrentOrganization {
    type Rejection = Response;

    async fn from_request_parts(_: &mut Parts, _: &S) -> Result<Self, Response> {
        require_organization().map(Self).map_err(IntoResponse::into_response)
    }
}

impl<S: Send + Sync> OptionalFromRequestParts<S> for CurrentOrganization {
    type Rejection = Infallible;

    async fn from_request_parts(_: &mut Parts, _: &S) -> Result<Option<Self>, Infallible> {
        Ok(organization().map(Self))
    }
}

impl Input for CurrentOrganization {
    fn describe(route: &mut RouteTypes) {
        route.refuses(StatusCode::UNAUTHORIZED);
        route.refuses(StatusCode::FORBIDDEN);
    }
}
