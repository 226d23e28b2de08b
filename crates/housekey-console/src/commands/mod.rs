//! The commands every app has, one file each.

mod about;
#[cfg(feature = "auth")]
mod auth;
mod cache_clear;
mod config;
#[cfg(feature = "database")]
mod database;
mod dev_pipe;
mod down;
mod key_generate;
mod list;
mod make;
pub(crate) mod missing_feature;
#[cfg(feature = "openapi")]
mod openapi;
mod optimize;
#[cfg(feature = "queue")]
mod queue;
mod route_list;
#[cfg(feature = "schedule")]
mod schedule;
mod secrets;
mod serve;
mod session_gc;
mod types;
mod up;

use std::sync::Arc;

use crate::command::AnyCommand;

pub(crate) fn built_in() -> Vec<Arc<dyn AnyCommand>> {
    vec![
        Arc::new(about::About),
        #[cfg(feature = "auth")]
        Arc::new(auth::AuthAdmin),
        #[cfg(feature = "auth")]
        Arc::new(auth::AuthEvents),
        #[cfg(feature = "social")]
        Arc::new(auth::AuthProviders),
        #[cfg(feature = "auth")]
        Arc::new(auth::AuthPrune),
        #[cfg(feature = "auth")]
        Arc::new(auth::AuthSchema),
        #[cfg(feature = "auth")]
        Arc::new(auth::AuthSecret),
        Arc::new(cache_clear::CacheClear),
        Arc::new(config::ConfigCache),
        Arc::new(config::ConfigClear),
        Arc::new(config::ConfigShow),
        #[cfg(feature = "database")]
        Arc::new(database::DbSeed),
        #[cfg(feature = "database")]
        Arc::new(database::DbShow),
        #[cfg(feature = "database")]
        Arc::new(database::DbTable),
        #[cfg(feature = "database")]
        Arc::new(database::DbWipe),
        Arc::new(down::Down),
        Arc::new(key_generate::KeyGenerate),
        Arc::new(list::List),
        Arc::new(make::CONTROLLER),
        Arc::new(make::MIDDLEWARE),
        Arc::new(make::REQUEST),
        Arc::new(make::VIEW),
        Arc::new(make::COMMAND),
        Arc::new(make::TEST),
        #[cfg(feature = "events")]
        Arc::new(make::EVENT),
        #[cfg(feature = "queue")]
        Arc::new(make::JOB),
        #[cfg(feature = "mail")]
        Arc::new(make::MAIL),
        #[cfg(feature = "notifications")]
        Arc::new(make::NOTIFICATION),
        #[cfg(feature = "auth")]
        Arc::new(make::AUTH_PLUGIN),
        #[cfg(feature = "auth")]
        Arc::new(make::POLICY),
        #[cfg(feature = "database")]
        Arc::new(database::CACHE_TABLE),
        #[cfg(feature = "database")]
        Arc::new(database::EVENTS_TABLE),
        #[cfg(feature = "database")]
        Arc::new(database::NOTIFICATIONS_TABLE),
        #[cfg(feature = "database")]
        Arc::new(database::QUEUE_TABLE),
        #[cfg(feature = "database")]
        Arc::new(database::SCHEDULE_TABLE),
        #[cfg(feature = "database")]
        Arc::new(database::SESSION_TABLE),
        #[cfg(feature = "database")]
        Arc::new(database::FACTORY),
        #[cfg(feature = "database")]
        Arc::new(database::MakeMigration),
        #[cfg(feature = "database")]
        Arc::new(database::MakeModel),
        #[cfg(feature = "database")]
        Arc::new(database::SEEDER),
        #[cfg(feature = "database")]
        Arc::new(database::Migrate),
        #[cfg(feature = "database")]
        Arc::new(database::MigrateFresh),
        #[cfg(feature = "database")]
        Arc::new(database::MigrateInstall),
        #[cfg(feature = "database")]
        Arc::new(database::MigrateRefresh),
        #[cfg(feature = "database")]
        Arc::new(database::MigrateReset),
        #[cfg(feature = "database")]
        Arc::new(database::MigrateRollback),
        #[cfg(feature = "database")]
        Arc::new(database::MigrateStatus),
        #[cfg(feature = "openapi")]
        Arc::new(openapi::OpenApi),
        Arc::new(optimize::Optimize),
        Arc::new(optimize::OptimizeClear),
        #[cfg(feature = "queue")]
        Arc::new(queue::QueueClear),
        #[cfg(feature = "queue")]
        Arc::new(queue::QueueFailed),
        #[cfg(feature = "queue")]
        Arc::new(queue::QueueFlush),
        #[cfg(feature = "queue")]
        Arc::new(queue::QueueRetry),
        #[cfg(feature = "queue")]
        Arc::new(queue::QueueSize),
        #[cfg(feature = "queue")]
        Arc::new(queue::QueueWork),
        Arc::new(route_list::RouteList),
        #[cfg(feature = "schedule")]
        Arc::new(schedule::ScheduleList),
        #[cfg(feature = "schedule")]
        Arc::new(schedule::ScheduleRun),
        #[cfg(feature = "schedule")]
        Arc::new(schedule::ScheduleWork),
        Arc::new(serve::Serve),
        Arc::new(session_gc::SessionGc),
        Arc::new(types::Types),
        Arc::new(up::Up),
    ]
}
