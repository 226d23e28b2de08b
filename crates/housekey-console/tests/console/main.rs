//! The console, driven as a process: the sample app in `../sample-app`, each test in a folder of its own.
#![allow(clippy::unwrap_used, reason = "a helper that fails fails its test")]

mod config;
mod everyday;
mod key;
#[cfg(unix)]
mod maintenance;
mod make;
mod routes;
#[cfg(unix)]
mod serve;
mod support;
#[cfg(all(unix, feature = "types"))]
mod types;
