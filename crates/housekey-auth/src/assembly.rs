use std::sync::Arc;

use housekey_cache::Cache;
use housekey_core::{AppConfig, Background, Clock, Error, Result};
use housekey_database::{Database, Databases};
use housekey_engine::options::{AdditionalFields, CacheStrategy, EngineOptions, RateLimitStorage, Shared};
use housekey_engine::plugins::organization::{OrganizationOptions, organization};
use housekey_engine::{BoxFuture, Engine, Plugins, RateLimitStore};
use housekey_engine_sql::SqlStorage;
use housekey_http::Registrar;
use housekey_mail::MailPreviews;

use crate::address::CLIENT_ADDRESS;
use crate::auth::Inner;
#[cfg(all(feature = "social", debug_assertions))]
use crate::dev_provider;
use crate::epoch::Epoch;
use crate::limits::CacheLimits;
#[cfg(feature = "social")]
use crate::social;
use crate::{AccountChanges, Auth, AuthConfig, checks, events, guards, notifications, schema};

/// Builds the engine of an app: its own options, and the framework's parts wherever the app left a place open.
pub(crate) fn assemble(app: &mut Registrar<'_>) -> Result<Auth> {
    let config = app.config().get::<AuthConfig>();
    let about = app.config().get::<AppConfig>();
    let clock = app.services().require::<Clock>()?;
    let cache = app.services().require::<Cache>()?;
    let databases = app.services().require::<Databases>()?;

    let (mut options, mut plugins) = (config.engine.clone(), config.plugins.clone());
    checks::check(app, &options, &plugins, &cache)?;
    #[cfg(feature = "social")]
    offer_providers(app, &mut options, &config, &clock)?;
    options.production = about.env.is_production();
    keep_own_columns(app, &mut options);
    if options.app_name == EngineOptions::default().app_name {
        options.app_name.clone_from(&about.name);
    }
    let tells_address = tell_addresses(&mut options);
    notifications::wire(&mut options, &config);
    notifications::wire_sign_in_mail(&mut plugins, &options, &config);
    complete_organizations(app, &mut plugins, &config, &options.base_url);
    send_behind_answers(&mut options, &*app.services().require::<Background>()?);
    notifications::translate(app)?;
    if let Some(previews) = app.services().get::<MailPreviews>() {
        notifications::preview(&previews, &options.base_url, &plugins);
    }
    share_limits(&mut options, &cache, &clock);
    let database = databases.connection(config.connection.as_deref())?;
    watch_copies(&mut options, &cache, &clock, &database);
    if let Some(hooks) = AccountChanges::of(app.services()).hooks(&database) {
        options.database_hooks.extend(hooks);
    }

    // Behind the plugins of the app: one of them may be what knows who is there.
    plugins.push(guards::action::plugin(&config.demands));
    plugins.extend(events::plugin(config.events));
    if plugins.contains("device-authorization") {
        guards::confirm::in_person::listen(&mut options);
    }
    events::listen(&mut options, config.events, &database);

    let takes_bearer = plugins.contains("bearer");
    let builder = Engine::builder(options).plugins(plugins).hooks(config.hooks.clone());
    let storage = SqlStorage::new(database.clone());
    let engine = builder.clock(clock.as_ref().clone()).build(storage).map_err(|error| {
        Error::internal(format!(
            "config/auth.rs: {error}. `housekey auth:secret` writes a good secret to .env"
        ))
    })?;
    guards::action::check_paths(&config.demands, engine.endpoints())?;
    let tables = engine.schema().tables().iter().map(|table| table.name.as_str());
    database.tables_are_made_by(tables, schema::REMEDY);
    Ok(Auth::new(Inner { engine, config, databases, tells_address, takes_bearer }))
}

/// A column of the app's own is set by a client only where the app says so. In the reference it is unless the app says
/// no, and a `role` that was forgotten is whatever a visitor writes into the sign-up.
fn keep_own_columns(app: &mut Registrar<'_>, options: &mut EngineOptions) {
    let tables = [
        ("user", &mut options.user.additional_fields),
        ("session", &mut options.session.additional_fields),
        ("account", &mut options.account.additional_fields),
    ];
    for (table, fields) in tables {
        keep_columns_of(app, table, fields);
    }
}

fn keep_columns_of(app: &mut Registrar<'_>, table: &str, fields: &mut AdditionalFields) {
    for (name, field) in fields.iter_mut().filter(|(_, field)| field.input.is_none()) {
        field.input = Some(false);
        app.warn(format!(
            "config/auth.rs does not say whether clients may set the column `{table}.{name}`, so they may not. Write \
             `input: Some(false)` to agree, or `input: Some(true)` if anybody may write anything there."
        ));
    }
}

/// What the app left open in the options of its organisations: mails, and whether clients may set its columns.
fn complete_organizations(
    app: &mut Registrar<'_>,
    plugins: &mut Plugins,
    config: &AuthConfig,
    base_url: &str,
) {
    let Some(options) = plugins.state::<OrganizationOptions>("organization") else { return };
    let mut options = OrganizationOptions::clone(&options);
    for (table, fields) in &mut options.additional_fields {
        keep_columns_of(app, table, fields);
    }
    notifications::wire_organizations(&mut options, config, base_url);
    plugins.replace(organization(options));
}

/// Whom people may sign in with. Where nobody is configured yet, a developer gets somebody to try it with.
#[cfg(feature = "social")]
fn offer_providers(
    app: &mut Registrar<'_>,
    options: &mut EngineOptions,
    config: &AuthConfig,
    clock: &Clock,
) -> Result<()> {
    let about = app.config().get::<AppConfig>();
    for warning in social::warnings(options, &about, config.mount) {
        app.warn(warning);
    }
    #[cfg(debug_assertions)]
    if config.mount {
        dev_provider::add(app, options, clock)?;
    }
    #[cfg(not(debug_assertions))]
    let _ = clock;
    Ok(())
}

/// The engine reads the client's address from a header of ours, unless the app named headers of its own.
// spec: CFG-11, IP-2
fn tell_addresses(options: &mut EngineOptions) -> bool {
    let headers = &mut options.advanced.ip_address.ip_address_headers;
    let unset = headers.is_none();
    if unset {
        *headers = Some(vec![CLIENT_ADDRESS.to_string()]);
    }
    unset
}

/// No answer waits for a mail server: its time would tell whether there was anybody to write to.
// spec: SEC-5
fn send_behind_answers(options: &mut EngineOptions, background: &Background) {
    let handler = &mut options.advanced.background_tasks.handler;
    if handler.is_none() {
        let background = background.clone();
        *handler = Shared::new(Arc::new(move |what: &'static str, task: BoxFuture<'static, ()>| {
            background.spawn(what, task);
        }));
    }
}

fn share_limits(options: &mut EngineOptions, cache: &Cache, clock: &Clock) {
    let limits = &mut options.rate_limit;
    if limits.custom_storage.is_none() && limits.storage == RateLimitStorage::Memory {
        let shared: Arc<dyn RateLimitStore> = CacheLimits::new(cache, clock.clone());
        limits.custom_storage = Shared::new(shared);
    }
}

/// A copy of the session in a cookie must not outlive the session: see [`Epoch`].
// spec: CFG-10, CFG-14
fn watch_copies(options: &mut EngineOptions, cache: &Cache, clock: &Clock, database: &Database) {
    if !options.session.cookie_cache.enabled {
        return;
    }
    let copies = &mut options.session.cookie_cache;
    copies.strategy.get_or_insert(CacheStrategy::Jwe);
    if copies.version.is_none() {
        let epoch = Epoch::new(cache, clock.clone(), database.clone(), copies);
        copies.version = Some(epoch.version());
        options.database_hooks.extend(epoch.hooks());
    }
}
