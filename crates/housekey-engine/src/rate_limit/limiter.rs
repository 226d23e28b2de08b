use std::sync::{Arc, Once};

use super::memory::MemoryCounters;
use super::store::RateLimitStore;
use crate::Clock;
use crate::options::{EngineOptions, RateLimitStorage, RateRule};

/// Limits requests by the rules and counters that the options choose.
pub(crate) struct Limiter {
    pub(super) counters: Counters,
    /// Rules of plugins, by the pattern of their paths.
    pub(super) plugin_rules: Vec<(String, RateRule)>,
    /// Whether somebody was told about clients without an address.
    pub(super) warned: Once,
}

pub(super) enum Counters {
    Memory(MemoryCounters),
    Database,
    Custom(Arc<dyn RateLimitStore>),
}

impl Limiter {
    /// The limiter for some options, or none when limits are off.
    pub(crate) fn new(
        options: &EngineOptions,
        plugin_rules: Vec<(String, RateRule)>,
        clock: &Clock,
    ) -> Option<Self> {
        let limits = &options.rate_limit;
        if !limits.enabled.unwrap_or(options.production) {
            return None;
        }
        let counters = match (&*limits.custom_storage, limits.storage) {
            (Some(store), _) => Counters::Custom(Arc::clone(store)),
            (None, RateLimitStorage::Memory) => Counters::Memory(MemoryCounters::new(clock.clone())),
            (None, RateLimitStorage::Database) => Counters::Database,
        };
        Some(Self { counters, plugin_rules, warned: Once::new() })
    }
}
