//! Which day it is. The app's clock says it, so a test can move it.

use housekey::database::Date;
use housekey::prelude::*;
use time::OffsetDateTime;

/// The day it is now, in UTC.
pub fn today() -> Date {
    service::<Clock>().map_or_else(OffsetDateTime::now_utc, |clock| clock.now()).date()
}
