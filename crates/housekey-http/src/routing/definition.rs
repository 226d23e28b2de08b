use std::panic::Location;

use http::{HeaderMap, StatusCode};

use super::endpoint::Endpoint;
use super::matched::CsrfCheck;
use super::methods::Methods;
use super::operation::OperationSource;
use super::pattern::normalise;
use crate::guard::GuardSpec;
use crate::types::Describe;

/// A route as the app wrote it down, before boot makes sense of it.
pub(crate) struct Definition {
    pub(crate) methods: Methods,
    pub(crate) path: String,
    pub(crate) name: Option<String>,
    pub(crate) attributes: Attributes,
    pub(crate) body_limit: Option<usize>,
    pub(crate) sensitive: bool,
    pub(crate) status: Option<StatusCode>,
    pub(crate) headers: HeaderMap,
    pub(crate) endpoint: Box<dyn Endpoint>,
    /// What the handler takes and answers, if it was written as a typed route.
    pub(crate) types: Option<Describe>,
    /// What it is for, in a sentence.
    pub(crate) about: Option<String>,
    /// What the handler refuses with, and why.
    pub(crate) refusals: Vec<(StatusCode, String)>,
    /// What something behind the route says about itself.
    pub(crate) operation: Option<OperationSource>,
    /// Answers what nothing below its prefix answers.
    pub(crate) is_fallback: bool,
    /// What the builder could not take; reported at boot, with the route's place.
    pub(crate) mistakes: Vec<String>,
    pub(crate) place: &'static Location<'static>,
}

/// What a group hands down to its routes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Attributes {
    pub(crate) prefix: String,
    pub(crate) name: String,
    pub(crate) guards: Vec<GuardSpec>,
    pub(crate) constraints: Vec<(String, String)>,
    pub(crate) csrf: CsrfCheck,
    pub(crate) heading: Option<String>,
}

impl Definition {
    pub(crate) fn new(
        methods: Methods,
        path: &str,
        endpoint: Box<dyn Endpoint>,
        attributes: Attributes,
        place: &'static Location<'static>,
    ) -> Self {
        Self {
            methods,
            path: join(&attributes.prefix, path),
            name: None,
            attributes,
            body_limit: None,
            sensitive: false,
            status: None,
            headers: HeaderMap::new(),
            endpoint,
            types: None,
            about: None,
            refusals: Vec::new(),
            operation: None,
            is_fallback: false,
            mistakes: Vec::new(),
            place,
        }
    }

    /// How the route is called in an error: `GET /users (src/routes/web.rs:12)`.
    pub(crate) fn describe(&self) -> String {
        let kind = if self.is_fallback { "the fallback of".to_owned() } else { self.methods.to_string() };
        format!("{kind} {} ({}:{})", self.path, self.place.file(), self.place.line())
    }
}

/// Puts a prefix in front of a path.
pub(crate) fn join(prefix: &str, path: &str) -> String {
    normalise(&format!("{}/{}", prefix.trim_matches('/'), path.trim_matches('/')))
}
