use time::format_description::well_known::Rfc3339;
use time::{OffsetDateTime, UtcOffset};

/// `2026-01-31T12:00:00.000Z`: always UTC, always milliseconds, as JavaScript writes dates.
pub(crate) use housekey_base::iso8601::time_text as iso;

/// Reads a date as JavaScript writes it, or any other RFC 3339 form.
pub fn parse_iso(text: &str) -> Option<OffsetDateTime> {
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
