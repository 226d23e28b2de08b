//! The one fused service every request walks through.

mod access_log;
pub(crate) mod body;
mod finish;
mod incoming_request;
mod method_override;
mod panics;
mod render;
mod secret_headers;
mod subrequest;
mod walk;

use std::convert::Infallible;
use std::fmt;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::{Arc, OnceLock, Weak};
use std::task::{Context, Poll};

use axum::extract::ConnectInfo;
use housekey_core::{AppConfig, Result};
use housekey_static_files::StaticFiles;
use tower_service::Service;

use crate::client_ip::TrustedProxies;
use crate::config::HttpConfig;
use crate::context::Shared;
use crate::cors::Cors;
use crate::maintenance::Maintenance;
use crate::response::ErrorRenderer;
use crate::routing::RouteTable;
use crate::security::SecurityHeaders;
use crate::{Request, RequestContext, Response};

use access_log::AccessLog;
use incoming_request::IncomingRequest;
pub(crate) use panics::install_hook as install_panic_hook;
pub use subrequest::run_subrequest;

/// An application as a service: a request in, a response out, never an error.
///
/// Cheap to clone. It takes requests from [`Server`](crate::Server) or, in a test, straight from the caller.
#[derive(Clone)]
pub struct Kernel(Arc<Inner>);

pub(crate) struct Inner {
    pub(crate) shared: Arc<Shared>,
    pub(crate) app: Arc<AppConfig>,
    pub(crate) http: Arc<HttpConfig>,
    pub(crate) routes: Arc<RouteTable>,
    pub(crate) trusted: TrustedProxies,
    pub(crate) static_files: StaticFiles,
    pub(crate) security: SecurityHeaders,
    pub(crate) cors: Option<Cors>,
    pub(crate) maintenance: Arc<Maintenance>,
    /// The app's first, the framework's own last.
    pub(crate) renderers: Vec<Arc<dyn ErrorRenderer>>,
}

/// The way back to the kernel from a request, for [`run_subrequest`]. A service of the application.
#[derive(Default)]
pub(crate) struct KernelHandle(OnceLock<Weak<Inner>>);

/// Every route of the application whose request this is; `None` outside of one.
pub fn route_table() -> Option<Arc<RouteTable>> {
    let handle = RequestContext::current()?.services().get::<KernelHandle>()?;
    Some(Arc::clone(&handle.0.get()?.upgrade()?.routes))
}

impl Kernel {
    pub(crate) fn new(inner: Inner) -> Self {
        let inner = Arc::new(inner);
        if let Some(handle) = inner.shared.services.get::<KernelHandle>() {
            // A kernel is made once, so the place is empty.
            let _ = handle.0.set(Arc::downgrade(&inner));
        }
        Self(inner)
    }

    /// Answers a request that came over a socket with this address at its other end.
    pub async fn handle(&self, request: Request, peer: Option<SocketAddr>) -> Response {
        let log = AccessLog::start(self.0.http.access_log);
        let mut incoming = IncomingRequest::new(&self.0, request, peer);
        let response = self.0.answer(&mut incoming).await;
        log.write(&incoming, &response);
        response
    }
}

/// For tests and for embedding. The other end of the socket, if there is one, is read from axum's
/// [`ConnectInfo`] among the request's extensions.
impl Service<Request> for Kernel {
    type Response = Response;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<Response, Infallible>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request) -> Self::Future {
        let kernel = self.clone();
        let peer = request.extensions().get::<ConnectInfo<SocketAddr>>().map(|info| info.0);
        Box::pin(async move { Ok(kernel.handle(request, peer).await) })
    }
}

impl fmt::Debug for Kernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Kernel").field("routes", &self.0.routes).finish_non_exhaustive()
    }
}
