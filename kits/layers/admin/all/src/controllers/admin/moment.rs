use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

use crate::views::components::Moment;

/// A moment to the minute, in UTC: whoever looks for what happened compares it with a log.
pub(super) fn moment(at: OffsetDateTime) -> Moment {
    let at = at.to_offset(time::UtcOffset::UTC);
    let text = format!(
        "{:04}-{:02}-{:02} {:02}:{:02}",
        at.year(),
        u8::from(at.month()),
        at.day(),
        at.hour(),
        at.minute()
    );
    Moment { iso: at.format(&Rfc3339).unwrap_or_default(), text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_moment_is_told_to_the_minute() {
        let at = OffsetDateTime::from_unix_timestamp(1_777_887_000).unwrap();
        assert_eq!(moment(at).text, "2026-05-04 09:30");
    }
}
