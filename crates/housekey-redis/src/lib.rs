//! Redis: the servers an application knows.
//!
//! - [`RedisConfig`] (`config/redis.rs`) names the servers.
//! - [`RedisServers`] is the service that holds them.
//! - [`Redis`] is a handle to one, connected when it is first used and again whenever the connection broke.
//! - [`Subscription`] is what somebody publishes there, on a connection of its own.
//! - [`client`] is the client underneath, for commands of one's own; [`script`] makes a Lua script.
//!
//! What is kept there is the business of those who keep it: the cache, sessions, the queue and live updates each have a
//! driver of their own on these handles.

mod config;
mod handle;
mod servers;

pub use config::RedisConfig;
pub use handle::{Redis, Subscription, script};
/// The client underneath ([redis](https://docs.rs/redis)), for commands of one's own.
pub use redis as client;
pub use servers::RedisServers;
