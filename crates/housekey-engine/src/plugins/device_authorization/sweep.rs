use std::sync::atomic::{AtomicI64, Ordering};

use time::Duration;

use crate::storage::{Comparison, Filter};
use crate::{Api, Result};

/// How long a row is kept after its end, so that whoever comes late hears that it was too late.
const KEPT: Duration = Duration::HOUR;

/// When rows were last swept away. Anybody may ask for codes, so rows that nobody polls for must not stay.
#[derive(Default)]
pub(super) struct Sweep(AtomicI64);

/// Removes what ended long ago, once an hour.
pub(super) async fn sweep(api: &Api) -> Result<()> {
    let Some(last) = api.plugin_state::<Sweep>() else { return Ok(()) };
    let now = api.clock().now();
    let (then, at) = (last.0.load(Ordering::Relaxed), now.unix_timestamp());
    if at < then + KEPT.whole_seconds()
        || last.0.compare_exchange(then, at, Ordering::Relaxed, Ordering::Relaxed).is_err()
    {
        return Ok(());
    }
    let mut changes = api.changes();
    changes.delete("deviceCode", Filter::all().and("expiresAt", Comparison::Less, now - KEPT)).await?;
    changes.commit().await.map(drop)
}
