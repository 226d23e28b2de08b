use time::OffsetDateTime;
use time::UtcOffset;
use time::format_description::well_known::Rfc3339;

/// `2026-01-31T12:00:00.000Z`: always UTC, always milliseconds, as JavaScript writes dates.
///
/// Digit by digit: an answer about a session holds five dates, and `format!` took as long as all its other fields.
pub(crate) fn iso(moment: OffsetDateTime) -> String {
    let moment = moment.to_offset(UtcOffset::UTC);
    let mut text = String::with_capacity(24);
    if moment.year() < 0 {
        text.push('-');
    }
    digits(&mut text, moment.year().unsigned_abs(), 1000, '-');
    digits(&mut text, u8::from(moment.month()).into(), 10, '-');
    digits(&mut text, moment.day().into(), 10, 'T');
    digits(&mut text, moment.hour().into(), 10, ':');
    digits(&mut text, moment.minute().into(), 10, ':');
    digits(&mut text, moment.second().into(), 10, '.');
    digits(&mut text, moment.millisecond().into(), 100, 'Z');
    text
}

/// A number from the digit of this weight down, and what follows it.
fn digits(text: &mut String, number: u32, mut weight: u32, end: char) {
    while weight > 0 {
        text.push(char::from_digit(number / weight % 10, 10).unwrap_or('0'));
        weight /= 10;
    }
    text.push(end);
}

/// Reads a date as [`iso`] writes it, or any other RFC 3339 form.
pub(crate) fn parse_iso(text: &str) -> Option<OffsetDateTime> {
    let moment = OffsetDateTime::parse(text, &Rfc3339).ok()?.to_offset(UtcOffset::UTC);
    moment.replace_millisecond(moment.millisecond()).ok()
}

#[cfg(test)]
mod tests {
    use time::macros::datetime;

    use super::*;

    #[test]
    fn dates_are_written_as_javascript_writes_them() {
        let moment = datetime!(2026-01-02 03:04:05.006 +01:00);
        assert_eq!(iso(moment), "2026-01-02T02:04:05.006Z");
        assert_eq!(parse_iso("2026-01-02T02:04:05.006Z"), Some(moment));
        assert_eq!(parse_iso("yesterday"), None);
        assert_eq!(iso(datetime!(0987-12-31 23:59:59.999 UTC)), "0987-12-31T23:59:59.999Z");
    }
}
