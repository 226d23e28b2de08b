use housekey_core::{Clock, Error, Result, service};
use time::OffsetDateTime;

use crate::timing::Zone;

/// What clocks in a time zone show now: `local_now("Europe/Berlin")?.date()` is today there. It is the app's clock that is
/// asked, so a test can move it.
///
/// ```
/// use housekey_schedule::local_now;
///
/// let in_tokyo = local_now("Asia/Tokyo")?;
/// assert_eq!(in_tokyo.offset().whole_hours(), 9);
/// # housekey_core::Result::Ok(())
/// ```
///
/// # Errors
///
/// Fails if there is no time zone of that name.
pub fn local_now(timezone: &str) -> Result<OffsetDateTime> {
    let zone = Zone::named(timezone).map_err(Error::internal)?;
    let now = service::<Clock>().map_or_else(OffsetDateTime::now_utc, |clock| clock.now());
    Ok(now.to_offset(zone.offset(now)?))
}
