//! Times as text: ISO 8601 in UTC with milliseconds and a `Z`, so that text order is time order.

use time::format_description::well_known::Rfc3339;
use time::macros::format_description;
use time::{Date, OffsetDateTime, PrimitiveDateTime, UtcOffset};

pub(crate) use housekey_core::iso8601::{date_text, time_text as text};

/// In UTC and cut to milliseconds: what all three engines keep.
pub(crate) fn to_millis(time: OffsetDateTime) -> OffsetDateTime {
    let time = time.to_offset(UtcOffset::UTC);
    time.replace_millisecond(time.millisecond()).unwrap_or(time)
}

/// Reads what we write, and nothing that says an hour as well: which day that is depends on where one stands.
pub(crate) fn parse_date(text: &str) -> Option<Date> {
    Date::parse(text, format_description!("[year]-[month]-[day]")).ok()
}

/// Reads what we write, what other programs write with an offset, and `2026-01-31 09:05:07`, which is taken as UTC.
pub(crate) fn parse(text: &str) -> Option<OffsetDateTime> {
    if let Ok(time) = OffsetDateTime::parse(text, &Rfc3339) {
        return Some(time.to_offset(UtcOffset::UTC));
    }
    let spaced = text.replacen(' ', "T", 1);
    let with_fraction = format_description!("[year]-[month]-[day]T[hour]:[minute]:[second].[subsecond]");
    let without = format_description!("[year]-[month]-[day]T[hour]:[minute]:[second]");
    let time = PrimitiveDateTime::parse(&spaced, with_fraction)
        .or_else(|_| PrimitiveDateTime::parse(&spaced, without));
    if let Ok(time) = time {
        return Some(time.assume_utc());
    }
    Some(parse_date(text)?.midnight().assume_utc())
}

#[cfg(test)]
mod tests {
    use super::*;
    use time::macros::datetime;

    #[test]
    fn times_are_kept_in_utc_with_milliseconds() {
        assert_eq!(
            to_millis(datetime!(2026-01-31 10:05:07.0429 +01:00)),
            datetime!(2026-01-31 9:05:07.042 UTC)
        );
    }

    #[test]
    fn every_common_spelling_is_read() {
        let time = datetime!(2026-01-31 9:05:07 UTC);
        for spelling in [
            "2026-01-31T09:05:07.000Z",
            "2026-01-31T09:05:07Z",
            "2026-01-31T10:05:07+01:00",
            "2026-01-31 09:05:07",
            "2026-01-31 09:05:07.000",
        ] {
            assert_eq!(parse(spelling), Some(time), "{spelling}");
        }
        assert_eq!(parse("2026-01-31"), Some(datetime!(2026-01-31 0:00 UTC)));
        assert_eq!(parse("yesterday"), None);
    }
}
