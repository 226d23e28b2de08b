//! The address where browsers listen: a stream of events, or a websocket for whoever asks for one.

mod events;
mod recheck;
mod socket;
mod visitor;

use std::time::Duration;

use axum::extract::FromRequestParts;
use housekey_core::{Error, Result};
use housekey_http::server::Stopping;
use housekey_http::websocket::{WebSocketUpgrade, is_same_origin};
use housekey_http::{Request, RequestContext, Response};
use http::header::{ACCEPT, ORIGIN, UPGRADE};
use http::{HeaderMap, StatusCode};

use crate::Live;
use crate::config::LiveConfig;
use visitor::Visitor;

/// How long whoever has too many streams should wait.
const TOO_MANY: Duration = Duration::from_secs(10);

/// `GET /api/live`.
// spec: WRK-3
pub(crate) async fn open(request: Request) -> Result<Response> {
    let context = RequestContext::current()
        .ok_or_else(|| Error::internal("a stream was opened outside of a request"))?;
    let live = context.services().require::<Live>()?;
    let (mut parts, _) = request.into_parts();
    let is_socket = parts.headers.contains_key(UPGRADE);
    if !is_socket && !asks_for_events(&parts.headers) {
        let message = "Ask for `accept: text/event-stream`, or for a websocket.";
        return Err(Error::new(StatusCode::NOT_ACCEPTABLE, message));
    }
    // A browser sends its cookies along whichever page asks.
    if !is_allowed(&parts.headers, live.config()) {
        return Err(Error::forbidden("Live updates are not open to other sites."));
    }
    live.listen().await?;
    let visitor = Visitor::present(&live, context);
    // Before anybody is asked what they may hear: a sign-out meanwhile reaches it.
    let listener = live.hub().open(&visitor.who()).ok_or_else(|| Error::too_many_requests(TOO_MANY))?;
    if !is_socket {
        let Ok(stopping) = Stopping::from_request_parts(&mut parts, &()).await;
        return events::answer(&parts, visitor, listener, stopping).await;
    }
    Ok(match WebSocketUpgrade::from_request_parts(&mut parts, &()).await {
        Ok(upgrade) => socket::answer(upgrade, visitor, listener),
        Err(refused) => refused,
    })
}

/// The server looks at the same, to tell such a stream when it stops.
fn asks_for_events(headers: &HeaderMap) -> bool {
    headers.get(ACCEPT).is_some_and(|accept| accept.as_bytes().starts_with(b"text/event-stream"))
}

fn is_allowed(headers: &HeaderMap, config: &LiveConfig) -> bool {
    let origin = headers.get(ORIGIN).and_then(|origin| origin.to_str().ok()).unwrap_or_default();
    is_same_origin(headers)
        || config.allowed_origins.iter().any(|allowed| allowed.eq_ignore_ascii_case(origin))
}
