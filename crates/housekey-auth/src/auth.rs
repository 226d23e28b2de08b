use std::fmt;
use std::sync::Arc;

use housekey_base::cookies;
use housekey_core::{Error, Result, Scope, Services};
use housekey_database::{Database, Databases};
use housekey_engine::Engine;
use housekey_http::RequestContext;
use http::HeaderMap;
use http::header::AUTHORIZATION;

use crate::config::{AuthConfig, Identity};

/// The engine of an app and what the app said about it. Cheap to clone.
///
/// ```
/// use housekey_auth::Auth;
///
/// fn endpoints() -> housekey_core::Result<usize> {
///     Ok(Auth::current()?.engine().endpoints().len())
/// }
/// # assert!(endpoints().is_err());
/// ```
#[derive(Clone)]
pub struct Auth(Arc<Inner>);

pub(crate) struct Inner {
    pub(crate) engine: Engine,
    pub(crate) config: Arc<AuthConfig>,
    pub(crate) databases: Arc<Databases>,
    /// Whether the layer tells the engine who calls, or the app named headers of its own.
    pub(crate) tells_address: bool,
    pub(crate) takes_bearer: bool,
}

impl Auth {
    pub(crate) fn new(inner: Inner) -> Self {
        Self(Arc::new(inner))
    }

    /// The app's, from wherever code runs inside a scope.
    pub fn current() -> Result<Arc<Self>> {
        let found = Scope::read(|scope| Self::of(scope.services())).transpose()?;
        found.ok_or_else(|| Error::internal("accounts were asked for outside of an app's scope"))
    }

    /// The app's, from its services.
    pub fn of(services: &Services) -> Result<Arc<Self>> {
        services.get().ok_or_else(|| {
            Error::internal("this app has no accounts: add AuthProvider (the cargo feature `auth`) to it")
        })
    }

    pub fn engine(&self) -> &Engine {
        &self.0.engine
    }

    /// What `config/auth.rs` says.
    pub fn config(&self) -> &AuthConfig {
        &self.0.config
    }

    /// The database that holds the tables.
    pub fn database(&self) -> Result<Database> {
        self.0.databases.connection(self.0.config.connection.as_deref())
    }

    pub(crate) fn tells_address(&self) -> bool {
        self.0.tells_address
    }

    pub(crate) fn takes_bearer(&self) -> bool {
        self.0.takes_bearer
    }

    /// Whether a request brings anything that could say who is there. If not, no store is asked.
    pub(crate) fn has_credentials(&self, context: &RequestContext) -> bool {
        let headers = context.headers();
        let bearer = self.0.takes_bearer && headers.contains_key(AUTHORIZATION);
        bearer || (self.reads_cookies(context) && self.has_session_cookie(headers))
    }

    /// Whether cookies say who is there: by the app's configuration, and on the route of this request.
    pub(crate) fn reads_cookies(&self, context: &RequestContext) -> bool {
        self.config().identity == Identity::Cookie && context.believes_cookies()
    }

    fn has_session_cookie(&self, headers: &HeaderMap) -> bool {
        cookies::first(headers, self.engine().session_cookie()).is_some()
    }
}

impl fmt::Debug for Auth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Auth").field("endpoints", &self.engine().endpoints().len()).finish_non_exhaustive()
    }
}
