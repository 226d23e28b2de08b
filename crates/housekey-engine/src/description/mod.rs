//! What an endpoint says about itself, as data: what it is for, what it takes, what it answers.
//!
//! [`Endpoint::about`](crate::Endpoint::about) and its siblings write it down, [`Engine::openapi`](crate::Engine::openapi) makes
//! a document of it. It describes and decides nothing: a test posts to every endpoint what it says it refuses.

mod credential;
mod field;
mod shape;

use std::borrow::Cow;

use http::StatusCode;

pub use credential::Credential;
pub use field::Field;
pub use shape::{Shape, ShapeKind};

use crate::ErrorCode;

/// What an endpoint says about itself.
#[derive(Clone, Debug, Default)]
pub struct Description {
    /// One sentence, or more: the first is the summary.
    pub about: Cow<'static, str>,
    /// What stands in the place of the path's parameter.
    pub parameter: Cow<'static, str>,
    pub query: Vec<Field>,
    pub body: Vec<Field>,
    /// Whether a request without a body does as well.
    pub is_body_optional: bool,
    /// The table whose additional columns are taken beside the fields, and how.
    pub columns: Option<(Cow<'static, str>, Columns)>,
    /// What comes back with 200, if that is JSON.
    pub answer: Option<Shape>,
    /// Whether right credentials may lead to a challenge instead.
    pub may_challenge: bool,
    /// Whether it may send the browser elsewhere.
    pub redirects: bool,
    /// Whether it may answer with a page.
    pub has_page: bool,
    pub needs_session: bool,
    pub refusals: Vec<(StatusCode, ErrorCode)>,
}

/// How the additional columns of a table are taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Columns {
    /// For a new row: those that must have a value are required.
    Create,
    /// For a row that there is: any of them.
    Change,
}
