//! The engine itself: what is built from options and plugins, and what happens with a request.

mod builder;
mod host_request;
mod router;

use std::fmt;
use std::sync::Arc;

use bytes::Bytes;
use http::header::CACHE_CONTROL;
use http::{HeaderMap, HeaderValue, Request, Response, StatusCode};

use self::router::Router;
use crate::api::PluginHooks;
use crate::core::Core;
use crate::hooks::RequestHooks;
use crate::options::{EngineOptions, ErrorReport};
use crate::schema::Schema;
use crate::session::Lookup;
use crate::storage::Storage;
use crate::wire::{Incoming, check_origin, check_redirects};
use crate::{Api, ApiError, Endpoint, Plugins, Result, SignedIn};

pub use builder::{BuildError, EngineBuilder};

/// The engine: a request in, a response out. Cloning it is cheap.
///
/// ```
/// # tokio::runtime::Runtime::new().unwrap().block_on(async {
/// use bytes::Bytes;
/// use housekey_engine::{Engine, MemoryStorage, options::EngineOptions};
///
/// let options = EngineOptions { secret: "a secret of at least thirty-two characters".into(), ..Default::default() };
/// let engine = Engine::build(options, MemoryStorage::new()).unwrap();
/// let request = http::Request::get("/api/auth/ok").body(Bytes::new()).unwrap();
/// let response = engine.handle(request).await;
/// assert_eq!(response.body(), r#"{"ok":true}"#);
/// # });
/// ```
#[derive(Clone, Debug)]
pub struct Engine {
    pub(crate) core: Arc<Core>,
    extensions: Arc<Extensions>,
}

/// What acts on the core through its [`Api`].
struct Extensions {
    router: Router,
    plugins: Plugins,
    /// The app's, then those of plugins.
    hooks: Vec<RequestHooks>,
    plugin_hooks: Arc<PluginHooks>,
}

impl Engine {
    /// Works out everything from the options. Fails, with a sentence to act on, when they cannot be meant.
    pub fn build(options: EngineOptions, storage: impl Storage) -> Result<Self, BuildError> {
        Self::builder(options).build(storage)
    }

    /// An engine with more than options: plugins, hooks, a clock.
    pub fn builder(options: EngineOptions) -> EngineBuilder {
        EngineBuilder::new(options)
    }

    pub async fn handle(&self, request: Request<Bytes>) -> Response<Bytes> {
        let Some(path) = self.path_of(&request) else { return not_found() };
        let mut api = self.api_of(Incoming::new(request, path));
        let mut response = match self.answer(&mut api).await {
            Ok(response) => response,
            Err(error) => self.report(&api, error).await,
        };
        if response.status().is_server_error() {
            api.withhold_cookies();
        }
        for (name, value) in api.take_headers().iter() {
            response.headers_mut().append(name.clone(), value.clone());
        }
        response.headers_mut().entry(CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
        response
    }

    /// The engine as functions, for a client that brings nothing.
    pub fn api(&self) -> Api {
        self.api_of(Incoming::default())
    }

    /// The engine as functions, for the client that sent these headers.
    pub fn api_for(&self, headers: &HeaderMap) -> Api {
        self.api_of(Incoming { headers: headers.clone(), ..Incoming::default() })
    }

    /// The session and user that some headers belong to. Reads only; for cookies to be renewed use
    /// [`api_for`](Self::api_for).
    pub async fn session(&self, headers: &HeaderMap) -> Result<Option<Arc<SignedIn>>> {
        let mut api = self.api_for(headers);
        api.look_up(Lookup { cached: true, renew: false }).await
    }

    /// The tables that these options and plugins need.
    pub fn schema(&self) -> &Schema {
        &self.core.schema
    }

    /// The endpoints that these options and plugins turn on.
    pub fn endpoints(&self) -> &[Endpoint] {
        self.extensions.router.endpoints()
    }

    pub fn options(&self) -> &EngineOptions {
        &self.core.options
    }

    /// The plugins that act in it, in their order.
    pub fn plugins(&self) -> &Plugins {
        &self.extensions.plugins
    }

    fn api_of(&self, incoming: Incoming) -> Api {
        Api::new(Arc::clone(&self.core), Arc::clone(&self.extensions.plugin_hooks), incoming)
    }

    /// The path below the base path.
    fn path_of(&self, request: &Request<Bytes>) -> Option<String> {
        let path = request.uri().path().strip_prefix(self.core.base.path())?;
        path.starts_with('/').then(|| path.to_owned())
    }

    /// Limits, content type and body, origin, hooks, endpoint: in this order.
    async fn answer(&self, api: &mut Api) -> Result<Response<Bytes>> {
        let core = &self.core;
        let found = self.extensions.router.find(&api.incoming.method, &api.incoming.path);
        if let Some(limiter) = &core.limiter {
            limiter.check(core, &api.incoming, found.as_ref().map(|(endpoint, _)| endpoint.path())).await?;
        }
        let Some((endpoint, parameter)) = found else { return Ok(not_found()) };
        api.incoming.parameter = parameter;
        api.incoming.parse_body(endpoint.media())?;
        check_origin(api).await?;
        check_redirects(api).await?;
        let mut response = match self.call(api, endpoint).await {
            Ok(response) => response,
            Err(error) => self.report(api, error).await,
        };
        self.after(api, &mut response).await?;
        Ok(response)
    }

    async fn call(&self, api: &mut Api, endpoint: &Endpoint) -> Result<Response<Bytes>> {
        self.before(api).await?;
        Ok(endpoint.answer(api).await?.into_response())
    }

    async fn before(&self, api: &mut Api) -> Result<()> {
        for hook in self.extensions.hooks.iter().flat_map(|hooks| &hooks.before) {
            hook(api).await?;
        }
        Ok(())
    }

    async fn after(&self, api: &mut Api, response: &mut Response<Bytes>) -> Result<()> {
        for hook in self.extensions.hooks.iter().flat_map(|hooks| &hooks.after) {
            hook(api, response).await?;
        }
        Ok(())
    }

    async fn report(&self, api: &Api, error: ApiError) -> Response<Bytes> {
        let response = error.to_response();
        // The endpoint's own path: the one that was asked for may hold a token.
        let endpoint = self.extensions.router.find(&api.incoming.method, &api.incoming.path);
        let path = endpoint.map_or("*", |(endpoint, _)| endpoint.path()).to_owned();
        if error.is_internal() {
            tracing::error!(path, %error, "the auth engine could not answer");
        }
        let report = ErrorReport { path, error: Arc::new(error) };
        if let Some(Err(error)) = self.core.options.on_api_error.on_error.call(report).await {
            tracing::error!(%error, "onAPIError.onError failed");
        }
        response
    }
}

impl fmt::Debug for Extensions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Extensions").field("plugins", &self.plugins).finish_non_exhaustive()
    }
}

fn not_found() -> Response<Bytes> {
    let mut response = Response::new(Bytes::new());
    *response.status_mut() = StatusCode::NOT_FOUND;
    response
}
