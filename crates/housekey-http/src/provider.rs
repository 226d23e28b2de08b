use std::fmt;
use std::sync::Arc;

use housekey_core::{Config, Env, Paths, Result, ServicesBuilder};

use crate::guard::{Guard, GuardFactory, GuardRegistry};
use crate::response::ErrorRenderer;
use crate::routing::Routes;

/// Brings a part of the framework, or of an app, into an application while it boots.
///
/// ```
/// use housekey_core::Result;
/// use housekey_http::{Provider, Registrar};
///
/// struct Greetings;
///
/// struct Greeter(String);
///
/// impl Provider for Greetings {
///     fn name(&self) -> &'static str {
///         "greetings"
///     }
///
///     fn register(&self, app: &mut Registrar<'_>) -> Result<()> {
///         app.services().insert(Greeter("Good morning".into()));
///         app.routes().get("/greeting", async || "Good morning");
///         Ok(())
///     }
/// }
/// ```
pub trait Provider: Send + Sync + 'static {
    /// The name shown when it fails.
    fn name(&self) -> &'static str;

    /// Adds what it brings.
    fn register(&self, app: &mut Registrar<'_>) -> Result<()>;
}

/// What a [`Provider`] can reach while the application boots.
pub struct Registrar<'a> {
    pub(crate) config: &'a Config,
    pub(crate) env: &'a Env,
    pub(crate) paths: &'a Paths,
    pub(crate) services: &'a mut ServicesBuilder,
    pub(crate) routes: &'a mut Routes,
    pub(crate) guards: &'a mut GuardRegistry,
    pub(crate) global: &'a mut Vec<Arc<dyn Guard>>,
    pub(crate) renderers: &'a mut Vec<Arc<dyn ErrorRenderer>>,
    pub(crate) warnings: &'a mut Vec<String>,
}

impl Registrar<'_> {
    pub fn config(&self) -> &Config {
        self.config
    }

    pub fn env(&self) -> &Env {
        self.env
    }

    pub fn paths(&self) -> &Paths {
        self.paths
    }

    /// The services so far; add to them here.
    pub fn services(&mut self) -> &mut ServicesBuilder {
        self.services
    }

    /// Adds to a service that several providers fill: the one that is there, or a new one.
    ///
    /// ```
    /// use housekey_core::Result;
    /// use housekey_http::{Provider, Registrar};
    ///
    /// #[derive(Clone, Default)]
    /// struct Menu(Vec<&'static str>);
    ///
    /// struct Reports;
    ///
    /// impl Provider for Reports {
    ///     fn name(&self) -> &'static str {
    ///         "reports"
    ///     }
    ///
    ///     fn register(&self, app: &mut Registrar<'_>) -> Result<()> {
    ///         app.contribute(|menu: &mut Menu| menu.0.push("Reports"));
    ///         Ok(())
    ///     }
    /// }
    /// ```
    pub fn contribute<T, R>(&mut self, change: impl FnOnce(&mut T) -> R) -> R
    where
        T: Clone + Default + Send + Sync + 'static,
    {
        self.services.contribute(change)
    }

    /// The routes; add to them here.
    pub fn routes(&mut self) -> &mut Routes {
        self.routes
    }

    /// Makes a guard known by name.
    pub fn guard(&mut self, name: &str, factory: impl GuardFactory) {
        self.guards.insert(name, Arc::new(factory));
    }

    /// Puts a guard in front of every route, before the app's own middleware: for what belongs to every request.
    pub fn global(&mut self, guard: impl Guard) {
        self.global.push(Arc::new(guard));
    }

    /// Adds a renderer of error pages. The app's own comes first, then the providers' from the last to the first.
    pub fn error_renderer(&mut self, renderer: impl ErrorRenderer) {
        self.renderers.insert(0, Arc::new(renderer));
    }

    /// Says something the person who starts the app should read.
    pub fn warn(&mut self, message: impl Into<String>) {
        self.warnings.push(message.into());
    }
}

impl fmt::Debug for Registrar<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Registrar").field("config", self.config).finish_non_exhaustive()
    }
}
