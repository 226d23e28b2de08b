//! Counts in the `rateLimit` table. `lastRequest` is when the window began; every step is conditional on it, so that
//! several processes count as one.

use std::time::Duration;

use super::store::Hit;
use crate::core::Core;
use crate::record::Value;
use crate::storage::{Comparison, Filter};
use crate::{BoxError, Record};

/// How often a step is tried again because someone else was first.
const TRIES: usize = 16;

pub(super) async fn hit(core: &Core, key: &str, window: Duration) -> Result<Hit, BoxError> {
    let table = core.table("rateLimit")?;
    let length = i64::try_from(window.as_millis())?;
    for _ in 0..TRIES {
        let now = core.clock.unix_millis();
        let Some(row) = core.storage.find_one(table, &Filter::by("key", key)).await? else {
            let id = core.new_id("rateLimit").await?;
            let row =
                Record::new().with("id", id).with("key", key).with("count", 1_i64).with("lastRequest", now);
            match core.storage.create(table, &row).await {
                Ok(()) => return Ok(Hit { count: 1, resets_in: window }),
                Err(error) if error.is_conflict() => continue,
                Err(error) => return Err(error.into()),
            }
        };
        let began = row.get("lastRequest").and_then(Value::as_integer).unwrap_or(0);
        let same_window = Filter::by("key", key).and_by("lastRequest", began);
        if now.saturating_sub(began) >= length {
            let fresh = Record::new().with("count", 1_i64).with("lastRequest", now);
            if core.storage.update(table, &same_window, &fresh).await? == 1 {
                // Whoever begins a window sweeps: rows of clients that stay away would stay for ever.
                let stale = Filter::all().and("lastRequest", Comparison::Less, now - length.max(86_400_000));
                core.storage.delete(table, &stale).await?;
                return Ok(Hit { count: 1, resets_in: window });
            }
        } else if let Some(count) = core.storage.increment(table, &same_window, "count", 1).await? {
            let left = u64::try_from(began + length - now)?;
            return Ok(Hit {
                count: u32::try_from(count).unwrap_or(u32::MAX),
                resets_in: Duration::from_millis(left),
            });
        }
    }
    Err("the counter was changed by others at every try".into())
}

pub(super) async fn forget(core: &Core, key: &str) -> Result<(), BoxError> {
    core.storage.delete(core.table("rateLimit")?, &Filter::by("key", key)).await?;
    Ok(())
}
