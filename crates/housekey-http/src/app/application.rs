use std::fmt;
use std::sync::Arc;

use housekey_cache::{Cache, CacheConfig, RateLimiter};
use housekey_core::{
    AppConfig, Background, Clock, Config, Encrypter, EncryptionConfig, Error, Paths, Result, Scope, Services,
};
#[cfg(feature = "redis")]
use housekey_redis::{RedisConfig, RedisServers};
use housekey_session::{SessionConfig, SessionDrivers, SessionManager};
use housekey_static_files::{PublicFolder, StaticFiles};

use super::App;
use crate::client_ip::TrustedProxies;
use crate::config::{AssetsConfig, HttpConfig};
use crate::context::Shared;
use crate::cors::Cors;
use crate::guard::Guard;
use crate::kernel::{Inner as KernelParts, Kernel, KernelHandle};
use crate::maintenance::{Maintenance, MaintenanceConfig};
use crate::provider::Registrar;
use crate::routing::{RouteTable, Routes, TableParts, UrlGenerator, urls};
use crate::security::{SecurityConfig, SecurityHeaders};
use crate::signed;
use crate::throttle::{self, Limiters, ThrottleConfig};

/// An application that has booted. Cheap to clone.
#[derive(Clone)]
pub struct Application(Arc<Booted>);

struct Booted {
    config: Arc<Config>,
    paths: Paths,
    services: Services,
    background: Background,
    routes: Arc<RouteTable>,
    urls: Arc<UrlGenerator>,
    warnings: Vec<String>,
    kernel: Kernel,
}

impl Application {
    pub fn config(&self) -> &Config {
        &self.0.config
    }

    pub fn paths(&self) -> &Paths {
        &self.0.paths
    }

    pub fn services(&self) -> &Services {
        &self.0.services
    }

    pub fn routes(&self) -> &RouteTable {
        &self.0.routes
    }

    /// The path of a named route. Inside a request, [`route_url`](crate::route_url) does the same.
    pub fn url(&self, name: &str, parameters: &[(&str, &str)]) -> Result<String> {
        self.0.urls.route(name, parameters)
    }

    /// What the person who starts the app should read.
    pub fn warnings(&self) -> &[String] {
        &self.0.warnings
    }

    /// The service that answers requests.
    pub fn kernel(&self) -> Kernel {
        self.0.kernel.clone()
    }

    /// Work that no answer waits for.
    pub fn background(&self) -> Background {
        self.0.background.clone()
    }

    /// A scope without a request, in which the ambient helpers find the services: for commands and tests.
    pub fn scope(&self) -> Scope {
        Scope::new(self.0.services.clone())
    }
}

impl fmt::Debug for Application {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Application")
            .field("root", &self.0.paths.root())
            .field("routes", &self.0.routes)
            .finish_non_exhaustive()
    }
}

/// Puts the pieces together. Everything that can be wrong with an app's set-up is found here, not by a visitor.
pub(crate) fn boot(mut app: App) -> Result<Application> {
    let paths = app.paths();
    let env = app.environment()?;
    let mut config = Config::load(&app.files, &env, Some(&paths.config_cache()))?;
    #[cfg(feature = "redis")]
    if !config.has::<RedisConfig>() {
        config.update::<RedisConfig>(|redis| *redis = RedisConfig::from_env(&env));
    }
    if !config.has::<MaintenanceConfig>() {
        config.update::<MaintenanceConfig>(|maintenance| *maintenance = MaintenanceConfig::from_env(&env));
    }
    for change in std::mem::take(&mut app.configure) {
        change(&mut config);
    }
    let config = Arc::new(config);
    let about = config.get::<AppConfig>();
    if about.env.is_production() && about.debug {
        return Err(Error::internal(
            "APP_DEBUG is on in production: it would show visitors the app's inside; turn it off",
        ));
    }

    let mut warnings = Vec::new();
    if about.env.is_production() && !about.is_secure() && !about.is_local() {
        warnings.push(format!(
            "APP_URL is {} in production: over plain http cookies are not `Secure`, there is no HSTS, and whoever is on the \
             way reads every password. Set it to the https address that visitors use.",
            about.url
        ));
    }
    let mut services = Services::builder();
    let background = Background::default();
    let encrypter = Arc::new(encrypter(&config, &about, &mut warnings)?);
    services.insert(app.clock.clone()).insert(env.clone()).insert(paths.clone()).insert(background.clone());
    services.insert_shared(config.clone()).insert_shared(about.clone()).insert_shared(encrypter.clone());
    // Before the cache, which may live there. Neither connects before it is used.
    #[cfg(feature = "database")]
    services.insert(housekey_database::Databases::new(&config.get(), &paths));
    #[cfg(feature = "redis")]
    services.insert(RedisServers::new(&config.get::<RedisConfig>(), &about)?);
    #[cfg(feature = "http-client")]
    services.insert(crate::client::of_app(&config.get(), &about));
    let cache = Cache::from_services(&config.get::<CacheConfig>(), &services)?;
    let maintenance =
        Maintenance::from_config(&config.get::<MaintenanceConfig>(), &paths, &cache, encrypter.clone())?;
    let maintenance = Arc::new(maintenance);
    services.insert(RateLimiter::new(cache.clone())).insert(cache).insert_shared(maintenance.clone());

    let mut guards = std::mem::take(&mut app.guards);
    guards.insert_missing("throttle", Arc::new(throttle::factory));
    guards.insert_missing("signed", Arc::new(signed::factory));
    services.insert(std::mem::take(&mut app.limiters));
    let mut routes = Routes::new();
    let mut renderers = Vec::new();
    let mut global: Vec<Arc<dyn Guard>> = Vec::new();
    for provider in &app.providers {
        let mut registrar = Registrar {
            config: &config,
            env: &env,
            paths: &paths,
            services: &mut services,
            routes: &mut routes,
            guards: &mut guards,
            global: &mut global,
            renderers: &mut renderers,
            warnings: &mut warnings,
        };
        let registered = provider.register(&mut registrar);
        registered.map_err(|error| error.context(format!("registering {}", provider.name())))?;
    }
    for write in app.routes {
        write(&mut routes);
    }
    services.contribute(|limiters: &mut Limiters| limiters.configure(&config.get::<ThrottleConfig>()));

    let drivers = SessionDrivers::from_services(&config.get::<SessionConfig>(), &services)?;
    let sessions =
        Arc::new(session_manager(&config, &about, &paths, &drivers, encrypter, app.clock.clone())?);
    services.insert_shared(sessions.clone());
    let urls = Arc::new(urls(routes.definitions(), &about.url)?);
    services.insert_shared(urls.clone());
    services.insert(KernelHandle::default());
    let services = services.build();

    global.append(&mut app.global);
    let parts = TableParts { guards: &guards, global: &global, services: &services, shared: &app.shared };
    let routes = Arc::new(RouteTable::build(routes.into_definitions(), &parts)?);
    app.renderers.append(&mut renderers);
    let http = config.get::<HttpConfig>();
    let kernel = Kernel::new(KernelParts {
        shared: Arc::new(Shared {
            services: services.clone(),
            sessions,
            clock: app.clock,
            secret_paths: routes.secret_paths().clone(),
        }),
        trusted: TrustedProxies::parse(&http.trusted_proxies)?,
        static_files: static_files(&paths, &config.get::<AssetsConfig>()),
        security: SecurityHeaders::new(&config.get::<SecurityConfig>(), &about)?,
        cors: Cors::new(&http.cors),
        maintenance,
        renderers: app.renderers,
        routes: routes.clone(),
        app: about,
        http,
    });
    Ok(Application(Arc::new(Booted { config, paths, services, background, routes, urls, warnings, kernel })))
}

/// Without a key nothing can be signed, so none is refused in production. Elsewhere a key of the moment serves, and
/// sessions end with the process.
fn encrypter(config: &Config, app: &AppConfig, warnings: &mut Vec<String>) -> Result<Encrypter> {
    let encryption = config.get::<EncryptionConfig>();
    if encryption.key.is_empty() && !app.env.is_production() {
        if !app.env.is_testing() {
            warnings.push(
                "APP_KEY is not set: sessions will not survive a restart. Run `housekey key:generate`."
                    .to_owned(),
            );
        }
        return Ok(Encrypter::new(housekey_core::AppKey::generate()));
    }
    Encrypter::from_config(&encryption)
}

fn static_files(paths: &Paths, assets: &AssetsConfig) -> StaticFiles {
    StaticFiles::new(PublicFolder {
        path: &paths.public(),
        build_directory: &assets.build_directory,
        guard_build_directory: assets.guard_build_directory,
        service_worker: assets.service_worker.as_deref(),
    })
}

fn session_manager(
    config: &Config,
    app: &AppConfig,
    paths: &Paths,
    drivers: &SessionDrivers,
    encrypter: Arc<Encrypter>,
    clock: Clock,
) -> Result<SessionManager> {
    SessionManager::from_config(&config.get::<SessionConfig>(), app, paths, drivers, encrypter, clock)
}
