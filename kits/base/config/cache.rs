use housekey::{CacheConfig, default, env};

/// Where counters, rate limits and remembered values are kept.
pub fn cache() -> CacheConfig {
    CacheConfig {
        // `file` is shared by all processes on this machine, so rate limits count over all of them.
        // `memory` is faster and forgets everything when the process ends.
        store: env("CACHE_STORE", "file"),

        // Keeps the keys of several apps apart when they share a store.
        prefix: env("CACHE_PREFIX", ""),

        ..default()
    }
}
