use housekey_core::{Clock, Error, Result, service};
use time::{Date, OffsetDateTime, Time};

use crate::timing::Zone;

/// What clocks in a time zone show now: `local_now("Europe/Berlin")?.date()` is today there. It is the app's clock that is
/// asked, so a test can move it.
///
/// ```
/// use housekey_schedule::local_now;
///
/// let in_tokyo = local_now("Asia/Tokyo")?;
/// assert_eq!(in_tokyo.offset().whole_hours(), 9);
/// # Ok::<(), housekey_core::Error>(())
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

/// The moment at which clocks in a time zone show a day and a time. Where they show it twice, because they went back, it is
/// the first; where they never do, because they went forward, it is as much later: 02:30 becomes 03:30.
///
/// ```
/// use housekey_schedule::local_moment;
/// use time::macros::{date, datetime, time};
///
/// let lesson = local_moment("Europe/Lisbon", date!(2027-07-10), time!(18:30))?;
/// assert_eq!(lesson, datetime!(2027-07-10 17:30 UTC));
/// # Ok::<(), housekey_core::Error>(())
/// ```
///
/// # Errors
///
/// Fails if there is no time zone of that name.
pub fn local_moment(timezone: &str, day: Date, time: Time) -> Result<OffsetDateTime> {
    let zone = Zone::named(timezone).map_err(Error::internal)?;
    let moment = zone.moment(day, time)?;
    Ok(moment.to_offset(zone.offset(moment)?))
}
