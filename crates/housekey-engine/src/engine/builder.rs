use std::fmt;
use std::sync::Arc;
use std::sync::atomic::AtomicI64;

use super::router::Router;
use super::{Engine, Extensions};
use crate::api::PluginHooks;
use crate::cookies::Cookies;
use crate::core::Core;
use crate::crypto::Keys;
use crate::hooks::RequestHooks;
use crate::options::{EngineOptions, SHORTEST_SECRET};
use crate::password::Passwords;
use crate::rate_limit::Limiter;
use crate::storage::Storage;
use crate::url::BaseUrl;
use crate::wire::Addresses;
use crate::{Clock, Endpoint, Plugin, Plugins, Result, endpoints, random, schema};

/// What an engine is made of: options, and what acts in it.
///
/// ```
/// use housekey_engine::options::EngineOptions;
/// use housekey_engine::plugins::{bearer, two_factor};
/// use housekey_engine::{Engine, MemoryStorage};
///
/// let options = EngineOptions { secret: "a secret of at least thirty-two characters".into(), ..Default::default() };
/// let engine = Engine::builder(options)
///     .plugins([two_factor(Default::default()), bearer(Default::default())])
///     .build(MemoryStorage::new())
///     .unwrap();
/// assert!(engine.endpoints().iter().any(|endpoint| endpoint.path() == "/two-factor/enable"));
/// ```
#[derive(Clone, Debug)]
pub struct EngineBuilder {
    pub options: EngineOptions,
    plugins: Plugins,
    hooks: RequestHooks,
    clock: Clock,
}

impl EngineBuilder {
    pub(super) fn new(options: EngineOptions) -> Self {
        Self { options, plugins: Plugins::default(), hooks: RequestHooks::new(), clock: Clock::system() }
    }

    /// With these plugins instead of those it had. They act in their order.
    #[must_use]
    pub fn plugins(self, plugins: impl Into<Plugins>) -> Self {
        Self { plugins: plugins.into(), ..self }
    }

    /// With functions called around every request, before those of plugins.
    #[must_use]
    pub fn hooks(self, hooks: RequestHooks) -> Self {
        Self { hooks, ..self }
    }

    /// With a clock of one's own: for tests.
    #[must_use]
    pub fn clock(self, clock: Clock) -> Self {
        Self { clock, ..self }
    }

    /// Works out everything. Fails, with a sentence to act on, when something cannot be meant.
    pub fn build(self, storage: impl Storage) -> Result<Engine, BuildError> {
        let Self { mut options, plugins, hooks, clock } = self;
        check_secret(&mut options)?;
        plugins.check_ids()?;
        if let Some(problem) = plugins.iter().find_map(Plugin::own_problem) {
            return Err(BuildError(problem));
        }
        let base = BaseUrl::parse(&options)?;
        let contributions = plugins.iter().map(|plugin| (plugin.id(), plugin.contribution()));
        let schema = schema::build(&options, contributions).map_err(|error| BuildError(error.to_string()))?;
        let rate_rules = plugins.iter().flat_map(|plugin| plugin.rate_rules()).cloned().collect();
        let core = Core {
            keys: Keys::new(&options.secret, &options.secrets),
            cookies: Cookies::new(&options, &base),
            passwords: Passwords::new(&options.email_and_password.password),
            addresses: Addresses::new(&options.advanced.ip_address)?,
            limiter: Limiter::new(&options, rate_rules, &clock),
            hooks: plugins.iter().fold(options.database_hooks.clone(), |mut hooks, plugin| {
                hooks.extend(plugin.own_database_hooks().clone());
                hooks
            }),
            plugin_states: plugins
                .iter()
                .flat_map(|plugin| [plugin.own_state().cloned(), plugin.new_engine_state()])
                .flatten()
                .collect(),
            recoveries: plugins.iter().flat_map(|plugin| plugin.recoveries()).cloned().collect(),
            #[cfg(feature = "social")]
            social: crate::social::Social::new(&options, clock.clone()),
            next_sweep: AtomicI64::new(0),
            storage: Box::new(storage),
            schema,
            base,
            clock,
            options,
        };
        let own = plugins.iter().map(|plugin| plugin.request_hooks().clone());
        let extensions = Extensions {
            router: router(&core.options, &plugins)?,
            hooks: std::iter::once(hooks).chain(own).collect(),
            plugin_hooks: Arc::new(plugin_hooks(&plugins)),
            plugins,
        };
        Ok(Engine { core: Arc::new(core), extensions: Arc::new(extensions) })
    }
}

impl From<EngineOptions> for EngineBuilder {
    fn from(options: EngineOptions) -> Self {
        Self::new(options)
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

/// The endpoints that options and plugins turn on.
fn router(options: &EngineOptions, plugins: &Plugins) -> Result<Router, String> {
    let mut endpoints = endpoints::of(options);
    endpoints.extend(plugins.iter().flat_map(|plugin| plugin.endpoints().iter().cloned()));
    let paths: Vec<_> = endpoints.iter().map(Endpoint::path).collect();
    if let Some(problem) = plugins.iter().find_map(|plugin| plugin.problem_with_paths(&paths)) {
        return Err(problem);
    }
    endpoints.retain(|endpoint| !options.disabled_paths.iter().any(|path| path == endpoint.path()));
    Router::new(endpoints)
}

/// Where plugins have a say while a call runs, in their order.
fn plugin_hooks(plugins: &Plugins) -> PluginHooks {
    let mut hooks = PluginHooks::default();
    for plugin in plugins.iter() {
        hooks.challenges.extend(plugin.challenge_hook().cloned());
        hooks.password_checks.extend(plugin.own_password_check().cloned());
        hooks.session_guards.extend(plugin.own_session_guard().cloned());
        hooks.removal_guards.extend(plugin.own_removal_guard().cloned());
        hooks.session_fields.extend(plugin.own_session_fields().cloned());
        hooks.user_fields.extend(plugin.own_user_fields().cloned());
        hooks.sign_outs.extend(plugin.own_sign_out().cloned());
        hooks.keeps_session.extend(plugin.own_keeps_session().cloned());
        hooks.verification_mails.extend(plugin.own_verification_mail().cloned());
        hooks.mailed_ways_in.extend(plugin.own_mailed_ways_in().cloned());
    }
    hooks
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
