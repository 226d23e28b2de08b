use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use housekey_core::{Error, Result};
use housekey_engine::{BoxFuture, User};
use housekey_http::{App, Provider, Registrar, RequestContext};

use crate::current::Current;

/// Adds ways to know who is there besides the engine's sessions and API keys: a client certificate, keys from another system. A way that
/// is called `api-key` takes the place of ours.
///
/// ```
/// use housekey_auth::AuthProvider;
/// use housekey_auth::guards::AppIdentity;
/// use housekey_core::ConfigFiles;
/// use housekey_http::App;
///
/// let app = App::new(ConfigFiles::new())
///     .provider(AuthProvider)
///     .identify_by("certificate", |request| {
///         let subject = request.header("x-client-subject").map(str::to_owned);
///         Box::pin(async move {
///             // Look the subject up; `Ok(None)` when nobody has it.
///             let _ = subject;
///             Ok(None)
///         })
///     })
///     .routes(|route| {
///         route.get("/report", async || "figures").middleware("auth:certificate");
///     });
/// # drop(app);
/// ```
pub trait AppIdentity {
    /// Adds a way, for the guard `auth:name`.
    #[must_use]
    fn identify_by<F>(self, name: &str, find: F) -> Self
    where
        F: Fn(&RequestContext) -> BoxFuture<'static, Result<Option<User>>> + Send + Sync + 'static;
}

impl AppIdentity for App {
    fn identify_by<F>(self, name: &str, find: F) -> Self
    where
        F: Fn(&RequestContext) -> BoxFuture<'static, Result<Option<User>>> + Send + Sync + 'static,
    {
        self.provider(AppIdentifier { name: name.to_owned(), identifier: Identifier(Arc::new(find)) })
    }
}

/// One way to know who is there.
#[derive(Clone)]
pub(crate) struct Identifier(Arc<Find>);

type Find = dyn Fn(&RequestContext) -> BoxFuture<'static, Result<Option<User>>> + Send + Sync;

impl Identifier {
    /// Whether somebody was recognised; from then on they are the current user.
    pub(crate) async fn recognise(&self) -> Result<bool> {
        let Some(context) = RequestContext::current() else { return Ok(false) };
        let Some(user) = (self.0)(&context).await? else { return Ok(false) };
        Current::of_request()?.recognise(user);
        Ok(true)
    }
}

/// All of them, by name.
#[derive(Clone, Default)]
pub(crate) struct Identifiers(BTreeMap<String, Identifier>);

impl Identifiers {
    pub(crate) fn has(&self, name: &str) -> bool {
        self.0.contains_key(name)
    }

    pub(crate) fn find(&self, name: &str) -> Result<Identifier> {
        self.0.get(name).cloned().ok_or_else(|| {
            let known = self.0.keys().map(String::as_str).collect::<Vec<_>>().join(", ");
            let known = if known.is_empty() { "none is".to_owned() } else { format!("known are: {known}") };
            Error::internal(format!("auth:{name} names an unknown way to identify a caller; {known}"))
        })
    }
}

struct AppIdentifier {
    name: String,
    identifier: Identifier,
}

impl Provider for AppIdentifier {
    fn name(&self) -> &'static str {
        "a way to identify callers"
    }

    fn register(&self, app: &mut Registrar<'_>) -> Result<()> {
        app.contribute(|all: &mut Identifiers| all.0.insert(self.name.clone(), self.identifier.clone()));
        Ok(())
    }
}

impl fmt::Debug for Identifiers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.0.keys()).finish()
    }
}
