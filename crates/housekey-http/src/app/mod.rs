mod application;

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use housekey_core::{Clock, Config, ConfigFiles, Env, Paths, Result};
use http::Extensions;

pub use application::Application;

use crate::Request;
use crate::guard::{Guard, GuardFactory, GuardRegistry, Middleware, SharedGuard, from_fn};
use crate::provider::Provider;
use crate::response::ErrorRenderer;
use crate::routing::Routes;
use crate::throttle::{Limiters, Limits};

/// An application being put together.
///
/// ```
/// use housekey_core::ConfigFiles;
/// use housekey_http::{App, Routes};
///
/// fn web(route: &mut Routes) {
///     route.get("/health", async || "ok");
/// }
///
/// let app = App::new(ConfigFiles::new()).routes(web);
/// ```
pub struct App {
    pub(crate) files: ConfigFiles,
    pub(crate) paths: Option<Paths>,
    pub(crate) env: Option<Env>,
    pub(crate) clock: Clock,
    pub(crate) configure: Vec<Once<Config>>,
    pub(crate) routes: Vec<Once<Routes>>,
    pub(crate) guards: GuardRegistry,
    pub(crate) global: Vec<Arc<dyn Guard>>,
    pub(crate) providers: Vec<Box<dyn Provider>>,
    pub(crate) renderers: Vec<Arc<dyn ErrorRenderer>>,
    pub(crate) limiters: Limiters,
    pub(crate) shared: Extensions,
    before_boot: Extensions,
}

type Once<T> = Box<dyn FnOnce(&mut T) + Send>;

impl App {
    /// An app with these config files, and nothing else yet.
    pub fn new(files: ConfigFiles) -> Self {
        Self {
            files,
            paths: None,
            env: None,
            clock: Clock::system(),
            configure: Vec::new(),
            routes: Vec::new(),
            guards: GuardRegistry::default(),
            global: Vec::new(),
            providers: Vec::new(),
            renderers: Vec::new(),
            limiters: Limiters::default(),
            shared: Extensions::new(),
            before_boot: Extensions::new(),
        }
    }

    /// Says where the app lies, instead of finding out.
    pub fn root(self, root: impl Into<PathBuf>) -> Self {
        self.at(Paths::new(root))
    }

    /// Says where the app keeps its things, instead of finding out.
    pub fn at(mut self, paths: Paths) -> Self {
        self.paths = Some(paths);
        self
    }

    /// Uses this environment instead of the process's over `.env`.
    pub fn env(mut self, env: Env) -> Self {
        self.env = Some(env);
        self
    }

    /// Uses this clock instead of the machine's.
    pub fn clock(mut self, clock: Clock) -> Self {
        self.clock = clock;
        self
    }

    /// Changes the configuration after it was loaded and before anything reads it. For tests and embedders; an app
    /// says what it wants in `config/`.
    pub fn configure(mut self, change: impl FnOnce(&mut Config) + Send + 'static) -> Self {
        self.configure.push(Box::new(change));
        self
    }

    pub fn routes(mut self, write: impl FnOnce(&mut Routes) + Send + 'static) -> Self {
        self.routes.push(Box::new(write));
        self
    }

    /// Makes a guard known by name. The factory gets the arguments behind the colon.
    pub fn guard(mut self, name: &str, factory: impl GuardFactory) -> Self {
        self.guards.insert(name, Arc::new(factory));
        self
    }

    /// Makes an `async fn(Request, Next) -> Result<Response>` known by name.
    pub fn middleware(mut self, name: &str, middleware: impl Middleware) -> Self {
        let guard = SharedGuard(Arc::new(from_fn(name, middleware)));
        self.guards.insert(name, Arc::new(guard));
        self
    }

    /// Puts an `async fn(Request, Next) -> Result<Response>` in front of every route.
    pub fn global(mut self, middleware: impl Middleware) -> Self {
        self.global.push(Arc::new(from_fn("global", middleware)));
        self
    }

    /// Makes a limiter known by name, for `throttle:<name>`. It sees each request and says what to count it against;
    /// all limits it answers must be kept.
    ///
    /// ```
    /// use housekey_core::ConfigFiles;
    /// use housekey_http::App;
    /// use housekey_http::throttle::Limit;
    ///
    /// let app = App::new(ConfigFiles::new())
    ///     .limiter("login", |_request| [Limit::per_minute(5), Limit::per_hour(50)])
    ///     .limiter("search", |request| {
    ///         let is_partner = request.headers().contains_key("x-partner");
    ///         (!is_partner).then(|| Limit::per_minute(30))
    ///     });
    /// ```
    pub fn limiter<L: Into<Limits>>(
        mut self,
        name: &str,
        limiter: impl Fn(&Request) -> L + Send + Sync + 'static,
    ) -> Self {
        self.limiters.insert(name, limiter);
        self
    }

    /// Adds a provider. Providers register in the order they were added.
    pub fn provider(mut self, provider: impl Provider) -> Self {
        self.providers.push(Box::new(provider));
        self
    }

    pub fn error_pages(mut self, renderer: impl ErrorRenderer) -> Self {
        self.renderers.push(Arc::new(renderer));
        self
    }

    /// Hands every request a copy of this value, for axum's `Extension` extractor.
    pub fn share<T: Clone + Send + Sync + 'static>(mut self, value: T) -> Self {
        self.shared.insert(value);
        self
    }

    /// What has to be known before the app boots, whether it boots or not: the commands of its console. Everything else
    /// that extends an app is a [`Provider`] that [contributes](crate::Registrar::contribute).
    pub fn before_boot_mut(&mut self) -> &mut Extensions {
        &mut self.before_boot
    }

    pub fn files(&self) -> &ConfigFiles {
        &self.files
    }

    pub fn paths(&self) -> Paths {
        self.paths.clone().unwrap_or_default()
    }

    /// The environment the app boots with.
    pub fn environment(&self) -> Result<Env> {
        match &self.env {
            Some(env) => Ok(env.clone()),
            None => Env::load(&self.paths().env_file()),
        }
    }

    /// Resolves the configuration, registers the services and makes sense of the routes.
    pub fn boot(self) -> Result<Application> {
        application::boot(self)
    }
}

impl fmt::Debug for App {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("App")
            .field("files", &self.files)
            .field("guards", &self.guards)
            .finish_non_exhaustive()
    }
}
