//! Times as text: ISO 8601 in UTC with milliseconds and a `Z`, so that text order is time order.

use time::format_description::well_known::Rfc3339;
use time::macros::format_description;
use time::{Date, OffsetDateTime, PrimitiveDateTime, UtcOffset};

/// In UTC and cut to milliseconds: what all three engines keep.
pub(crate) fn to_millis(time: OffsetDateTime) -> OffsetDateTime {
    let time = time.to_offset(UtcOffset::UTC);
    time.replace_millisecond(time.millisecond()).unwrap_or(time)
}

/// `2026-01-31T09:05:07.042Z`
///
/// Digit by digit: most rows have two or three times, and `format!` takes longer for one than SQLite for the value.
pub(crate) fn text(time: OffsetDateTime) -> String {
    let time = time.to_offset(UtcOffset::UTC);
    let (hour, minute, second, millisecond) = time.time().as_hms_milli();
    let mut text = date_text(time.date());
    for (mark, number, places) in [('T', hour.into(), 2), (':', minute.into(), 2), (':', second.into(), 2)] {
        text.push(mark);
        push_digits(&mut text, number, places);
    }
    text.push('.');
    push_digits(&mut text, millisecond, 3);
    text.push('Z');
    text
}

/// `2026-01-31`
pub(crate) fn date_text(date: Date) -> String {
    let mut text = String::with_capacity("2026-01-31T09:05:07.042Z".len());
    match u16::try_from(date.year()) {
        Ok(year @ 0..=9999) => push_digits(&mut text, year, 4),
        _ => text.push_str(&format!("{:04}", date.year())),
    }
    for number in [u8::from(date.month()), date.day()] {
        text.push('-');
        push_digits(&mut text, number.into(), 2);
    }
    text
}

/// The last digits of a number, zeros included.
fn push_digits(text: &mut String, number: u16, places: u32) {
    for place in (0..places).rev() {
        let digit = number / 10_u16.pow(place) % 10;
        text.extend(char::from_digit(digit.into(), 10));
    }
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
    fn times_are_written_in_utc_with_milliseconds() {
        assert_eq!(text(datetime!(2026-01-31 10:05:07.0429 +01:00)), "2026-01-31T09:05:07.042Z");
        assert_eq!(text(datetime!(0987-12-31 23:59:59.999 UTC)), "0987-12-31T23:59:59.999Z");
        assert_eq!(date_text(time::macros::date!(-0044 - 03 - 15)), "-044-03-15");
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
