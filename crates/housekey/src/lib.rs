//! Housekey: a web framework whose strong side is people. This is the only crate of ours that an app names; everything
//! else is here under one roof.
//!
//! ```no_run
//! use housekey::prelude::*;
//!
//! fn web(route: &mut Routes) {
//!     route.get("/", async || "Welcome").name("home");
//!     route.group().prefix("/api").middleware("throttle:60,1").routes(|route| {
//!         route.get("/time", async || Json(serde_json::json!({ "unix": Clock::system().unix() })));
//!     });
//! }
//!
//! fn main() -> std::process::ExitCode {
//!     housekey::run(housekey::app(ConfigFiles::new()).routes(web))
//! }
//! ```
//!
//! - [`app`] starts an app with the parts its cargo features bring; [`run`] is its console, `serve` among the commands.
//! - [`prelude`] is what a controller, a view or a route file imports.
//! - [`config!`](macro@config) turns the files of `config/` into modules; [`test`](macro@test) boots the app for a test.
//! - [`log`], [`view`], [`mod@session`], [`validation`], [`throttle`], [`security`], [`mod@cookies`], [`websocket`], [`cache`],
//!   [`translation`] and [`console`] hold one subject each.
//! - `database`, `mail`, `notifications`, `queue`, `schedule` and `storage` come with a cargo feature each: `database-sqlite`,
//!   `database-postgres`, `database-mysql`, `mail`, `notifications`, `queue`, `schedule`, `storage` (with buckets: `storage-s3`).
//!   `http-client` brings requests to other hosts (`http()`), `live` live updates, over server-sent events and websockets.
//!   `redis` adds Redis as a place for the cache, sessions and jobs, `redis-tls` a secure way to it, `testing` what tests
//!   are written with, `types` the TypeScript of typed routes ([`mod@types`]), and `openapi` their description for
//!   everybody else.

pub mod prelude;

pub use housekey_cache::CacheConfig;
pub use housekey_console::{AppCommands, Command, CommandContext, run};
pub use housekey_core::translation::LangConfig;
pub use housekey_core::{
    AppConfig, AppKey, Background, Clock, Config, ConfigCache, ConfigFile, ConfigFiles, Encrypter,
    EncryptionConfig, Env, Environment, Error, FieldErrors, Hook, Paths, Result, Scope, Secret, Services,
    Signer, constant_time_eq, default, encryption, env, env_list, random, service, spawn, translation,
};
#[cfg(feature = "database")]
pub use housekey_database::{ConnectionConfig, DatabaseConfig};
#[cfg(feature = "events")]
pub use housekey_events::EventsConfig;
#[cfg(feature = "database")]
pub use housekey_http::Bound;
pub use housekey_http::axum;
#[cfg(feature = "http-client")]
pub use housekey_http::client::HttpClientConfig;
pub use housekey_http::config::AssetsConfig;
pub use housekey_http::cors::CorsConfig;
pub use housekey_http::logging::{LogFormat, LoggingConfig};
pub use housekey_http::response::{self, Redirect, back, redirect};
pub use housekey_http::{
    App, Application, ErrorContext, ErrorRenderer, Guard, HttpConfig, Next, Provider, Registrar, Request,
    RequestContext, Response, RouteTable, Routes, TranslationProvider, absolute_url, actions, client_ip,
    cookies, csp_nonce, csrf, guard, maintenance, path_to, path_to_with, request_id, route, route_url,
    routing, security, server, session, signed, signed_path, signed_url, throttle, uploads, url_with_query,
    wants_json, websocket,
};
#[cfg(feature = "live")]
pub use housekey_live::LiveConfig;
#[cfg(feature = "database")]
pub use housekey_macros::migrations;
pub use housekey_macros::{config, test, typescript};
#[cfg(feature = "mail")]
pub use housekey_mail::MailConfig;
#[cfg(feature = "notifications")]
pub use housekey_notifications::NotificationsConfig;
#[cfg(feature = "openapi")]
pub use housekey_openapi::OpenApiConfig;
#[cfg(feature = "queue")]
pub use housekey_queue::QueueConfig;
#[cfg(feature = "schedule")]
pub use housekey_schedule::ScheduleConfig;
#[cfg(feature = "storage")]
pub use housekey_storage::StorageConfig;
pub use housekey_view as view;
pub use housekey_view::ViewConfig;
pub use serde_json;

/// `rsx!` and `#[component]` write `::hypertext::…` into the app, whose Cargo.toml does not name that crate. So
/// `config!()` makes this crate known under that name too, and what the macros write is found here and in
/// [`validation`].
#[doc(hidden)]
pub use housekey_view::hypertext::{
    AttributeBuffer, Buffer, Debugged, Displayed, Lazy, Raw, Renderable, RenderableExt, Rendered, context,
};

/// Rules for what visitors send, and the extractors that apply them.
pub mod validation {
    pub use housekey_http::validation::*;
    #[doc(hidden)]
    pub use housekey_view::hypertext::validation::{
        Attribute, AttributeNamespace, AttributeSymbol, Element, ElementKind, Normal, Void,
    };
}

/// What typed routes take and answer, as TypeScript: see [`typescript`](macro@typescript).
pub mod types {
    pub use housekey_http::types::*;
    #[cfg(feature = "types")]
    pub use housekey_types::TypeFiles;
}

/// The console an app carries, and how to add commands to it.
pub mod console {
    pub use housekey_console::*;
}

/// Cache stores, counters and locks.
pub mod cache {
    pub use housekey_cache::*;

    /// The Redis servers an app knows, and the cache store on one of them.
    // It hides the cache's own module of this name, which has the store only.
    #[cfg(feature = "redis")]
    pub mod redis {
        pub use housekey_cache::redis::*;
        pub use housekey_redis::*;
    }
}

/// Connections, queries, transactions, the schema and its migrations, models.
#[cfg(feature = "database")]
pub mod database {
    pub use housekey_console::AppDatabase;
    pub use housekey_database::*;
}

/// Accounts: who is signed in, guards, the gate, the auth engine.
#[cfg(feature = "auth")]
pub mod auth {
    pub use housekey_auth::*;
}

/// Something happened, and others want to know: events and their listeners.
#[cfg(feature = "events")]
pub mod events {
    pub use housekey_events::*;
}

/// Requests to other hosts, and fakes of them for tests.
#[cfg(feature = "http-client")]
pub mod http_client {
    pub use housekey_http::client::*;
}

/// The log: `log::info!(order = 7, "paid")`, and fields for all lines of a request.
///
/// ```
/// use housekey::log;
///
/// async fn pay(order: u64) {
///     log::context("order", order);
///     log::info!(cents = 1200, "paid");
///     log::warn!("the receipt could not be printed");
/// }
/// # drop(pay(7));
/// ```
pub mod log {
    pub use housekey_http::logging::context;
    pub use tracing::{debug, error, info, trace, warn};
}

/// Live updates: server-sent events and websockets with channels.
#[cfg(feature = "live")]
pub mod live {
    pub use housekey_live::*;
}

/// Mail: messages, the ways they can go, the mailbox of development.
#[cfg(feature = "mail")]
pub mod mail {
    pub use housekey_mail::*;
}

/// One thing to say, told over mail, the database, the log or a channel of one's own.
#[cfg(feature = "notifications")]
pub mod notifications {
    pub use housekey_notifications::*;
}

/// The description of the API, made from typed routes.
#[cfg(feature = "openapi")]
pub mod openapi {
    pub use housekey_openapi::*;
}

/// Work that is done later: jobs and their workers.
#[cfg(feature = "queue")]
pub mod queue {
    pub use housekey_queue::*;
}

/// Work at its time: what an app does every day, every hour, or by cron expression.
#[cfg(feature = "schedule")]
pub mod schedule {
    pub use housekey_schedule::*;
}

/// Files an app keeps, on disks by name.
#[cfg(feature = "storage")]
pub mod storage {
    pub use housekey_storage::*;
}

/// What tests are written with: [`TestApp`](testing::TestApp) and its answers.
#[cfg(feature = "testing")]
pub mod testing {
    pub use housekey_testing::*;
}

/// An app with these config files and every part of the framework that its cargo features bring.
///
/// ```
/// let app = housekey::app(housekey::ConfigFiles::new()).routes(|route| {
///     route.get("/health", async || "ok");
/// });
/// # drop(app);
/// ```
pub fn app(files: ConfigFiles) -> App {
    let app = App::new(files).provider(TranslationProvider).provider(view::ViewProvider);
    // Databases, Redis and the cache are there before any provider: booting brings them.
    #[cfg(feature = "queue")]
    let app = app.provider(queue::QueueProvider);
    #[cfg(feature = "events")]
    let app = app.provider(events::EventsProvider);
    #[cfg(feature = "mail")]
    let app = app.provider(mail::MailProvider::new());
    #[cfg(feature = "notifications")]
    let app = app.provider(notifications::NotificationsProvider::new());
    #[cfg(all(feature = "mail", feature = "queue"))]
    let app = app.provider(housekey_notifications::QueueingProvider);
    // In front of accounts, which tell it who signs out.
    #[cfg(feature = "live")]
    let app = app.provider(live::LiveProvider);
    #[cfg(feature = "auth")]
    let app = app.provider(auth::AuthProvider);
    #[cfg(feature = "storage")]
    let app = app.provider(storage::StorageProvider);
    #[cfg(feature = "openapi")]
    let app = app.provider(openapi::OpenApiProvider);
    app
}
