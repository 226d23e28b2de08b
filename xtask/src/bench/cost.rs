use std::time::{Duration, Instant};

use super::cpu;

/// What something took: by the clock, and of the processors.
pub(crate) struct Cost {
    pub(crate) wall: Duration,
    pub(crate) cpu: Duration,
}

impl Cost {
    /// What programs took that have come to their end.
    pub(crate) fn of(action: impl FnOnce() -> Result<(), String>) -> Result<Self, String> {
        let begun = Instant::now();
        let before = cpu::of_children().unwrap_or_default();
        action()?;
        Ok(Self { wall: begun.elapsed(), cpu: cpu::of_children().unwrap_or_default().saturating_sub(before) })
    }
}
