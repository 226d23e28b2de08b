use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use housekey_core::{Error, Scope};
use http::header::{
    ACCEPT_ENCODING, CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE, EXPECT, IF_MATCH, IF_MODIFIED_SINCE,
    IF_NONE_MATCH, IF_RANGE, IF_UNMODIFIED_SINCE, ORIGIN, RANGE, RETRY_AFTER, TRANSFER_ENCODING, UPGRADE,
};
use http::{HeaderName, Method, StatusCode, Uri};

use super::Inner;
use super::arrival::Arrival;
use crate::throttle::Throttled;
use crate::{Request, RequestContext, Response, validation};

impl Inner {
    /// The page of a form that was sent too often, as the answer: 429 as for everyone, but with the form in it, what was
    /// typed, and the time to wait. `None` where there is no such page: then it is the page for an error.
    ///
    /// It is drawn by the route of the page itself, guards and all, so it shows nothing that this visitor could not ask
    /// for. The form was found to be the visitor's own by then: a page of another site cannot fill in a form here. Where
    /// cookies do not count, nobody knows whose page to draw.
    pub(super) async fn form_again(&self, asked: &RequestContext, error: &Error) -> Option<Response> {
        let is_form = !asked.method().is_safe()
            && !asked.wants_json()
            && !asked.stands_in()
            && asked.believes_cookies();
        if error.status() != StatusCode::TOO_MANY_REQUESTS || !is_form {
            return None;
        }
        let wait = error.headers().get(RETRY_AFTER)?.to_str().ok()?.parse().ok()?;
        for page in pages(asked) {
            let throttled = Throttled {
                method: asked.method().clone(),
                path: asked.uri().path().to_owned(),
                wait: Duration::from_secs(wait),
            };
            if let Some(mut response) = self.draw(asked, page, throttled).await {
                *response.status_mut() = error.status();
                for (name, value) in error.headers() {
                    response.headers_mut().insert(name, value.clone());
                }
                return Some(response);
            }
        }
        None
    }

    async fn draw(&self, asked: &RequestContext, page: Uri, throttled: Throttled) -> Option<Response> {
        self.routes.find(&Method::GET, page.path()).route()?;
        let mut headers = asked.headers().clone();
        for name in OF_THE_FORM {
            headers.remove(name);
        }
        let mut request = Request::new(Body::empty());
        *request.uri_mut() = page;
        *request.headers_mut() = headers;
        let mut arrival = Arrival::instead_of(asked, request);
        let context = Arc::new(asked.stand_in(arrival.facts(self)));
        let scope = Scope::with(self.shared.services.clone(), context.clone());
        scope.set(Arc::new(throttled));
        validation::hand_on(&scope);
        let response = scope.enter(self.respond(&context, &mut arrival)).await;
        let kind = response.headers().get(CONTENT_TYPE);
        let is_page = kind.is_some_and(|kind| kind.as_bytes().starts_with(b"text/html"));
        (response.status() == StatusCode::OK && is_page).then_some(response)
    }
}

/// Where the form may be: where it came from if it is sent to its own page (whose query may matter), at its own address,
/// else wherever it came from.
fn pages(asked: &RequestContext) -> Vec<Uri> {
    let from = validation::own_page(asked.headers()).and_then(|page| Uri::try_from(page.as_bytes()).ok());
    let own = Uri::try_from(asked.uri().path()).ok();
    let is_own = from.as_ref().is_some_and(|from| from.path() == asked.uri().path());
    if is_own { from.into_iter().chain(own).collect() } else { own.into_iter().chain(from).collect() }
}

/// Headers that spoke of the form's body, or of a page the browser has.
const OF_THE_FORM: [HeaderName; 14] = [
    ACCEPT_ENCODING,
    CONTENT_ENCODING,
    CONTENT_LENGTH,
    CONTENT_TYPE,
    EXPECT,
    IF_MATCH,
    IF_MODIFIED_SINCE,
    IF_NONE_MATCH,
    IF_RANGE,
    IF_UNMODIFIED_SINCE,
    ORIGIN,
    RANGE,
    TRANSFER_ENCODING,
    UPGRADE,
];
