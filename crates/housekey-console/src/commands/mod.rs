//! The commands every app has, one file each.

mod about;
mod cache_clear;
mod config;
mod key_generate;
mod list;
mod make;
mod optimize;
mod route_list;
mod serve;
mod session_gc;

use std::sync::Arc;

use crate::command::AnyCommand;

pub(crate) fn built_in() -> Vec<Arc<dyn AnyCommand>> {
    vec![
        Arc::new(about::About),
        Arc::new(cache_clear::CacheClear),
        Arc::new(config::ConfigCache),
        Arc::new(config::ConfigClear),
        Arc::new(config::ConfigShow),
        Arc::new(key_generate::KeyGenerate),
        Arc::new(list::List),
        Arc::new(make::CONTROLLER),
        Arc::new(make::MIDDLEWARE),
        Arc::new(make::REQUEST),
        Arc::new(make::VIEW),
        Arc::new(make::COMMAND),
        Arc::new(make::TEST),
        Arc::new(optimize::Optimize),
        Arc::new(optimize::OptimizeClear),
        Arc::new(route_list::RouteList),
        Arc::new(serve::Serve),
        Arc::new(session_gc::SessionGc),
    ]
}
