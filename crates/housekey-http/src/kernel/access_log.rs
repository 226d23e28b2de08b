use std::time::Instant;

use super::arrival::Arrival;
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

    pub(super) fn write(self, arrival: &Arrival, response: &Response) {
        let Some(started) = self.started else { return };
        let micros = u64::try_from(started.elapsed().as_micros()).unwrap_or(u64::MAX);
        let method = arrival.context.as_deref().map_or(arrival.request.method(), RequestContext::method);
        tracing::info!(
            target: "housekey::access",
            method = method.as_str(),
            path = &*arrival.loggable_path(),
            status = response.status().as_u16(),
            micros,
            ip = arrival.client_ip.map(tracing::field::display),
            request_id = arrival.request_id.as_str(),
        );
    }
}
