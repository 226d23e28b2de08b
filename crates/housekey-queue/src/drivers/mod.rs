//! The places where jobs wait, one file each.

#[cfg(feature = "database")]
mod database;
#[cfg(feature = "redis")]
mod redis;
mod sync;

#[cfg(feature = "database")]
pub use database::DatabaseDriver;
#[cfg(feature = "redis")]
pub use redis::RedisDriver;
pub use sync::SyncDriver;
