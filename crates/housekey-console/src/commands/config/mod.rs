//! `config:*`: freeze, thaw and show the configuration.

mod cache;
mod clear;
mod show;

pub(crate) use cache::ConfigCache;
pub(crate) use clear::ConfigClear;
pub(crate) use show::ConfigShow;
