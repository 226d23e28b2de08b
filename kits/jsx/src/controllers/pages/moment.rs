use housekey::prelude::*;
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

use crate::views::components::Moment;

/// A moment in words: `just now`, `5 minutes ago`, `4 May 2026`.
pub(super) fn moment(at: OffsetDateTime) -> Moment {
    let now = service::<Clock>().map_or_else(OffsetDateTime::now_utc, |clock| clock.now());
    Moment { iso: at.format(&Rfc3339).unwrap_or_default(), text: words(now, at) }
}

fn words(now: OffsetDateTime, at: OffsetDateTime) -> String {
    let past = now - at;
    match past.whole_minutes() {
        ..1 => t("just now"),
        minutes @ 1..60 => t_plural("one minute ago|:count minutes ago", minutes),
        _ if past.whole_hours() < 24 => t_plural("one hour ago|:count hours ago", past.whole_hours()),
        _ if past.whole_days() < 14 => t_plural("yesterday|:count days ago", past.whole_days()),
        _ => format!("{} {} {}", at.day(), t(month(at)), at.year()),
    }
}

fn month(at: OffsetDateTime) -> &'static str {
    const MONTHS: [&str; 12] = [
        "January",
        "February",
        "March",
        "April",
        "May",
        "June",
        "July",
        "August",
        "September",
        "October",
        "November",
        "December",
    ];
    MONTHS[usize::from(u8::from(at.month())) - 1]
}
