use housekey_core::{Clock, service};
use time::OffsetDateTime;

/// The application's time, which tests can stop.
pub(crate) fn now() -> OffsetDateTime {
    service::<Clock>().map_or_else(|| Clock::system().now(), |clock| clock.now())
}
