use std::fmt;
use std::sync::Arc;
use std::sync::atomic::AtomicI64;

use bytes::Bytes;
use http::header::CACHE_CONTROL;
use http::{HeaderMap, HeaderValue, Request, Response, StatusCode};

use crate::cookies::{Cookies, Opened};
use crate::core::Core;
use crate::crypto::Keys;
use crate::hooks::RequestHooks;
use crate::options::{EngineOptions, ErrorReport, SHORTEST_SECRET};
use crate::password::Passwords;
use crate::plugin::Endpoint;
use crate::rate_limit::Limiter;
use crate::router::Router;
use crate::schema::Schema;
use crate::storage::{SessionsAside, Storage};
use crate::url::BaseUrl;
use crate::wire::{Addresses, Incoming, check_origin, check_redirects, read_body};
use crate::{Api, ApiError, Clock, Result, SignedIn, endpoints, random, schema};

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
}

impl Engine {
    /// Works out everything from the options. Fails, with a sentence to act on, when they cannot be meant.
    pub fn build(options: EngineOptions, storage: impl Storage) -> Result<Self, BuildError> {
        Self::build_with_clock(options, storage, Clock::system())
    }

    /// The same with a clock of one's own: for tests.
    pub fn build_with_clock(
        mut options: EngineOptions,
        storage: impl Storage,
        clock: Clock,
    ) -> Result<Self, BuildError> {
        check_secret(&mut options)?;
        let base = BaseUrl::parse(&options)?;
        let schema = schema::build(&options).map_err(|error| BuildError(error.to_string()))?;
        let mut hooks = options.database_hooks.clone();
        let mut available = endpoints::of(&options);
        for plugin in options.plugins.iter() {
            if options.plugins.iter().filter(|other| other.id() == plugin.id()).count() > 1 {
                return Err(BuildError(format!("there are two plugins with the id `{}`", plugin.id())));
            }
            hooks.extend(plugin.own_database_hooks().clone());
            available.extend(plugin.endpoints().iter().cloned());
        }
        available.retain(|endpoint| !options.disabled_paths.iter().any(|path| path == endpoint.path()));
        let storage = place_sessions(Box::new(storage), &options, &schema, &clock);
        let core = Core {
            keys: Keys::new(&options.secret, &options.secrets),
            cookies: Cookies::new(&options, &base),
            opened: Opened::default(),
            passwords: Passwords::new(&options.email_and_password.password),
            addresses: Addresses::new(&options.advanced.ip_address)?,
            limiter: Limiter::new(&options, &clock)?,
            router: Router::new(available)?,
            next_sweep: AtomicI64::new(0),
            storage,
            schema,
            base,
            hooks,
            clock,
            options,
        };
        Ok(Self { core: Arc::new(core) })
    }

    /// Answers a request.
    pub async fn handle(&self, request: Request<Bytes>) -> Response<Bytes> {
        let Some(path) = self.path_of(&request) else { return not_found() };
        let mut api = Api::new(Arc::clone(&self.core), Incoming::new(request, path));
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
        Api::new(Arc::clone(&self.core), Incoming::default())
    }

    /// The engine as functions, for the client that sent these headers.
    pub fn api_for(&self, headers: &HeaderMap) -> Api {
        Api::new(Arc::clone(&self.core), Incoming { headers: headers.clone(), ..Incoming::default() })
    }

    /// The session and user that some headers belong to. Reads only; for cookies to be renewed use
    /// [`api_for`](Self::api_for).
    pub async fn session(&self, headers: &HeaderMap) -> Result<Option<Arc<SignedIn>>> {
        let mut api = self.api_for(headers);
        api.look_up(crate::session::Lookup { cached: true, renew: false }).await
    }

    /// The tables that these options and plugins need.
    pub fn schema(&self) -> &Schema {
        &self.core.schema
    }

    /// The endpoints that these options and plugins turn on.
    pub fn endpoints(&self) -> &[Endpoint] {
        self.core.router.endpoints()
    }

    pub fn options(&self) -> &EngineOptions {
        &self.core.options
    }

    /// The path below the base path.
    fn path_of(&self, request: &Request<Bytes>) -> Option<String> {
        let path = request.uri().path().strip_prefix(self.core.base.path())?;
        path.starts_with('/').then(|| path.to_owned())
    }

    /// Limits, content type and body, origin, hooks, endpoint: in this order.
    async fn answer(&self, api: &mut Api) -> Result<Response<Bytes>> {
        let core = &self.core;
        let found = core.router.find(&api.incoming.method, &api.incoming.path);
        if let Some(limiter) = &core.limiter {
            limiter.check(core, &api.incoming, found.as_ref().map(|(endpoint, _)| endpoint.path())).await?;
        }
        let Some((endpoint, parameter)) = found else { return Ok(not_found()) };
        api.incoming.parameter = parameter;
        read_body(&mut api.incoming, endpoint.media())?;
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

    pub(crate) async fn before(&self, api: &mut Api) -> Result<()> {
        for hook in self.request_hooks().flat_map(|hooks| &hooks.before) {
            hook(api).await?;
        }
        Ok(())
    }

    pub(crate) async fn after(&self, api: &mut Api, response: &mut Response<Bytes>) -> Result<()> {
        for hook in self.request_hooks().flat_map(|hooks| &hooks.after) {
            hook(api, response).await?;
        }
        Ok(())
    }

    /// The app's hooks, then those of plugins.
    fn request_hooks(&self) -> impl Iterator<Item = &RequestHooks> {
        let options = &self.core.options;
        std::iter::once(&options.hooks).chain(options.plugins.iter().map(|plugin| plugin.request_hooks()))
    }

    async fn report(&self, api: &Api, error: ApiError) -> Response<Bytes> {
        let response = error.to_response();
        // The endpoint's own path: the one that was asked for may hold a token.
        let endpoint = self.core.router.find(&api.incoming.method, &api.incoming.path);
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

/// Options that cannot be meant. The message says which, and what to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BuildError(String);

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for BuildError {}

impl From<String> for BuildError {
    fn from(message: String) -> Self {
        Self(message)
    }
}

/// Sessions are in the secondary storage if there is one, unless the options want them in the database.
fn place_sessions(
    storage: Box<dyn Storage>,
    options: &EngineOptions,
    schema: &Schema,
    clock: &Clock,
) -> Box<dyn Storage> {
    let tables = schema.table("session").cloned().zip(schema.table("user").cloned());
    match (&*options.secondary_storage, tables) {
        (Some(store), Some(tables)) if !options.session.store_session_in_database => {
            let longest = options.session.expires_in;
            Box::new(SessionsAside::new(storage, Arc::clone(store), tables, clock.clone(), longest))
        }
        _ => storage,
    }
}

fn check_secret(options: &mut EngineOptions) -> Result<(), BuildError> {
    let Some(weak) = options.weak_secret() else { return Ok(()) };
    let message = format!("the auth secret {weak}: it needs at least {SHORTEST_SECRET} random characters");
    if options.production {
        return Err(BuildError(message));
    }
    tracing::warn!("{message}; in production this does not start");
    if weak.is_missing() {
        // A secret that everybody knows would be worse than one that does not survive a restart.
        options.secret = random::alphanumeric(SHORTEST_SECRET).into();
        options.secrets.clear();
    }
    Ok(())
}

fn not_found() -> Response<Bytes> {
    let mut response = Response::new(Bytes::new());
    *response.status_mut() = StatusCode::NOT_FOUND;
    response
}
