use jiff::SignedDuration;
use jiff::civil::DateTime;
use jiff::tz::AmbiguousOffset;

use super::Zone;

/// The moments at which the clocks of a zone show a time: one, mostly.
///
/// A time that is skipped when clocks go forward: an interval has nothing to do then; a time of the day comes at the
/// moment of the change, so that a daily task runs on that day too. A time that comes twice when clocks go back: an
/// interval goes on through both; a time of the day counts when it comes first.
pub(super) fn moments(shown: DateTime, is_interval: bool, zone: &Zone) -> Vec<i64> {
    let at = zone.tz().to_ambiguous_timestamp(shown);
    let moment = |offset: jiff::tz::Offset| offset.to_timestamp(shown).ok();
    let found = match at.offset() {
        AmbiguousOffset::Unambiguous { offset } => vec![moment(offset)],
        AmbiguousOffset::Gap { .. } if is_interval => Vec::new(),
        AmbiguousOffset::Gap { before, .. } => {
            // In the old offset it lies behind the change, or right on it.
            let behind =
                moment(before).and_then(|behind| behind.checked_add(SignedDuration::from_secs(1)).ok());
            vec![
                behind.and_then(|behind| zone.tz().preceding(behind).next()).map(|change| change.timestamp()),
            ]
        }
        AmbiguousOffset::Fold { before, .. } if !is_interval => vec![moment(before)],
        AmbiguousOffset::Fold { before, after } => vec![moment(before), moment(after)],
    };
    found.into_iter().flatten().map(|moment| moment.as_millisecond()).collect()
}
