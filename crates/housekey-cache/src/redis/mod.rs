//! Redis: the servers an application knows, and the cache store on one of them.
//!
//! [`RedisConfig`] (`config/redis.rs`) names the servers; [`RedisServers`] is the service that holds them; a
//! [`Redis`] is a handle to one, connected when it is first used and again whenever the connection broke.
//! [`RedisStore`] keeps the cache there. Sessions and queues use the same handles.

mod config;
mod handle;
mod servers;
mod store;

pub use config::RedisConfig;
pub use handle::{Redis, Subscription, script};
/// The client underneath ([redis](https://docs.rs/redis)), for commands of one's own.
pub use redis as client;
pub use servers::RedisServers;
pub use store::RedisStore;
