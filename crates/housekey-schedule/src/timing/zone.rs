use std::sync::LazyLock;

use housekey_core::Result;
use jiff::Timestamp;
use jiff::civil::{Date, DateTime};
use jiff::tz::{TimeZone, TimeZoneDatabase};
use time::{OffsetDateTime, Time, UtcOffset};

/// A time zone by its name. The rules are the ones compiled in, whatever the machine has.
#[derive(Clone, Debug)]
pub(crate) struct Zone(TimeZone);

static RULES: LazyLock<TimeZoneDatabase> = LazyLock::new(TimeZoneDatabase::bundled);

impl Zone {
    pub(crate) fn named(name: &str) -> std::result::Result<Self, String> {
        let unknown = |_| {
            format!("there is no time zone `{name}`; its name is a place, such as `Europe/Berlin`, or `UTC`")
        };
        RULES.get(name.trim()).map(Self).map_err(unknown)
    }

    pub(crate) fn name(&self) -> &str {
        self.0.iana_name().unwrap_or("UTC")
    }

    /// The time on the wall there, for people: `2026-03-29 03:00 +02:00`.
    pub(crate) fn shown(&self, moment: i64) -> String {
        let Ok(moment) = Timestamp::from_millisecond(moment) else { return String::new() };
        moment.to_zoned(self.0.clone()).strftime("%Y-%m-%d %H:%M %:z").to_string()
    }

    /// How far clocks there are ahead of UTC at a moment.
    pub(crate) fn offset(&self, moment: OffsetDateTime) -> Result<UtcOffset> {
        let moment = Timestamp::from_second(moment.unix_timestamp())?;
        Ok(UtcOffset::from_whole_seconds(self.0.to_offset(moment).seconds())?)
    }

    /// When clocks there show a day and a time: the first of two moments, or the moment after a gap.
    pub(crate) fn moment(&self, day: time::Date, time: Time) -> Result<OffsetDateTime> {
        let part = |number: u8| i8::try_from(number);
        let shown = DateTime::new(
            i16::try_from(day.year())?,
            part(day.month().into())?,
            part(day.day())?,
            part(time.hour())?,
            part(time.minute())?,
            part(time.second())?,
            i32::try_from(time.nanosecond())?,
        )?;
        let moment = self.0.to_ambiguous_timestamp(shown).compatible()?;
        Ok(OffsetDateTime::from_unix_timestamp_nanos(moment.as_nanosecond())?)
    }

    pub(super) fn date(&self, moment: i64) -> Option<Date> {
        Some(self.0.to_datetime(Timestamp::from_millisecond(moment).ok()?).date())
    }

    pub(super) fn tz(&self) -> &TimeZone {
        &self.0
    }
}
