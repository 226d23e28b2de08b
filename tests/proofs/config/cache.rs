use housekey::{CacheConfig, default, env};

pub fn cache() -> CacheConfig {
    // Redis where processes are killed: the locks of the schedule are for all of them.
    CacheConfig { store: env("CACHE_STORE", "memory"), ..default() }
}
