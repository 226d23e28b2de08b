use std::time::Instant;

use super::incoming_request::IncomingRequest;
use crate::{RequestContext, Response};

/// One line per request: what was asked, by whom, and how it went. Never the query, never a header: both carry
/// secrets. A route whose path carries one says so
/// ([`RouteBuilder::sensitive`](crate::routing::RouteBuilder::sensitive)).
pub(super) struct AccessLog {
    /// `None` if nobody would read the line.
    started: Option<Instant>,
}

impl AccessLog {
    pub(super) fn start(is_on: bool) -> Self {
        let is_on = is_on && tracing::enabled!(target: "housekey::access", tracing::Level::INFO);
        Self { started: is_on.then(Instant::now) }
    }

    pub(super) fn write(self, incoming: &IncomingRequest, response: &Response) {
        let Some(started) = self.started else { return };
        let micros = u64::try_from(started.elapsed().as_micros()).unwrap_or(u64::MAX);
        let method = incoming.context.as_deref().map_or(incoming.request.method(), RequestContext::method);
        tracing::info!(
            target: "housekey::access",
            method = method.as_str(),
            path = &*incoming.loggable_path(),
            status = response.status().as_u16(),
            micros,
            ip = incoming.client_ip.map(tracing::field::display),
            request_id = incoming.request_id.as_str(),
        );
    }
}
