//! Times and days as text, as databases keep them and as JavaScript writes them.

use time::{Date, OffsetDateTime, UtcOffset};

/// `2026-01-31T09:05:07.042Z`
///
/// Digit by digit: most rows have two or three times, and `format!` takes longer for one than SQLite for the value.
pub fn time_text(time: OffsetDateTime) -> String {
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
pub fn date_text(date: Date) -> String {
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
        let digit = usize::from(number / 10_u16.pow(place) % 10);
        text.push(char::from(b"0123456789"[digit]));
    }
}

#[cfg(test)]
mod tests {
    use time::macros::{date, datetime};

    use super::*;

    #[test]
    fn times_are_written_in_utc_with_milliseconds() {
        assert_eq!(time_text(datetime!(2026-01-31 10:05:07.0429 +01:00)), "2026-01-31T09:05:07.042Z");
        assert_eq!(time_text(datetime!(0987-12-31 23:59:59.999 UTC)), "0987-12-31T23:59:59.999Z");
        assert_eq!(date_text(date!(-0044 - 03 - 15)), "-044-03-15");
    }
}
