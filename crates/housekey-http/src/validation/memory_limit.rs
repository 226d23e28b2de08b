use axum::body::Body;
use http_body_util::Limited;

use crate::Request;
use crate::uploads::MOST_TEXT;

/// How many bytes of a body are held in memory where its route's own limit does not tell: before the guards have run, and
/// where a route takes large bodies for the sake of files, which are not held in memory. An extension of the request.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MemoryLimit(usize);

impl MemoryLimit {
    /// `body_limit` is the app's, which holds for every route.
    pub(crate) fn new(body_limit: usize) -> Self {
        Self(body_limit.max(MOST_TEXT))
    }

    pub(super) fn of(request: &Request) -> usize {
        request.extensions().get::<Self>().map_or(MOST_TEXT, |limit| limit.0)
    }

    /// Ends the reading of a body that is longer: whoever reads it gets the error of a body above its route's limit.
    pub(super) fn apply(request: &mut Request) {
        let most = Self::of(request);
        let body = std::mem::take(request.body_mut());
        *request.body_mut() = Body::new(Limited::new(body, most));
    }
}
