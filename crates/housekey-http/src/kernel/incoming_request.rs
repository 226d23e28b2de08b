use std::borrow::Cow;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use super::body::IncomingBody;
use super::{Inner, secret_headers};
use crate::context::ContextParts;
use crate::request_id::RequestId;
use crate::routing::Lookup;
use crate::{Request, RequestContext, Response};

/// A request on its way to its route.
///
/// The steps of the walk borrow it instead of handing it on: a request is 240 bytes, and each hand would copy it.
pub(super) struct IncomingRequest {
    /// Empty once the route has it.
    pub(super) request: Request,
    pub(super) peer: Option<SocketAddr>,
    pub(super) request_id: RequestId,
    pub(super) client_ip: Option<IpAddr>,
    pub(super) secure: bool,
    pub(super) found: Lookup,
    pub(super) body: IncomingBody,
    /// An answer found before any route was looked for.
    pub(super) early: Option<Response>,
    /// Absent for a static file.
    pub(super) context: Option<Arc<RequestContext>>,
}

impl IncomingRequest {
    pub(super) fn new(kernel: &Inner, mut request: Request, peer: Option<SocketAddr>) -> Self {
        secret_headers::mark(request.headers_mut());
        let (headers, socket) = (request.headers(), peer.map(|peer| peer.ip()));
        let is_proxied = socket.is_some_and(|socket| kernel.trusted.contains(socket));
        Self {
            request_id: RequestId::of(headers, is_proxied),
            client_ip: socket.map(|socket| kernel.trusted.client_ip(socket, headers)),
            secure: is_proxied && socket.is_some_and(|socket| kernel.trusted.is_secure(socket, headers)),
            found: Lookup::Nothing,
            body: IncomingBody::of(&request),
            early: None,
            context: None,
            request,
            peer,
        }
    }

    /// A request that runs within another, for the same visitor.
    pub(super) fn subrequest_of(other: &RequestContext, request: Request) -> Self {
        Self {
            request_id: other.id().clone(),
            client_ip: other.client_ip(),
            secure: other.is_secure(),
            found: Lookup::Nothing,
            body: IncomingBody::of(&request),
            early: None,
            context: None,
            request,
            peer: other.peer(),
        }
    }

    /// Finds the route and makes the context of the request.
    pub(super) fn find_route(&mut self, kernel: &Inner) -> Arc<RequestContext> {
        let parts = self.context_parts(kernel);
        let context = Arc::new(RequestContext::new(kernel.shared.clone(), parts));
        self.context = Some(context.clone());
        context
    }

    /// Finds the route, and says what is known by then.
    pub(super) fn context_parts(&mut self, kernel: &Inner) -> ContextParts {
        if self.early.is_none() {
            self.found = kernel.routes.find(self.request.method(), self.request.uri().path());
        }
        ContextParts {
            peer: self.peer,
            method: self.request.method().clone(),
            uri: self.request.uri().clone(),
            headers: self.request.headers().clone(),
            request_id: self.request_id.clone(),
            client_ip: self.client_ip,
            secure: self.secure,
            route: self.found.route().map(|route| route.matched.clone()),
        }
    }

    /// The path as logs may show it.
    pub(super) fn loggable_path(&self) -> Cow<'_, str> {
        match &self.context {
            Some(context) => context.loggable_path(),
            // A file that lies in `public` for everybody.
            None => Cow::Borrowed(self.request.uri().path()),
        }
    }
}
