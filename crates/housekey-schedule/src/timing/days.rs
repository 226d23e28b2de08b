use croner::CronPattern;
use jiff::civil::Date;
use time::Weekday;

/// On which days a task runs.
#[derive(Clone, Debug)]
pub(super) enum Days {
    Every,
    Weekday(Weekday),
    /// In a shorter month its last day.
    OfMonth(u8),
    Cron(Box<CronPattern>),
}

impl Days {
    pub(super) fn have(&self, day: Date) -> bool {
        match self {
            Self::Every => true,
            Self::Weekday(weekday) => {
                day.weekday().to_sunday_zero_offset().unsigned_abs() == weekday.number_days_from_sunday()
            }
            Self::OfMonth(number) => {
                let last = day.days_in_month().unsigned_abs();
                day.day().unsigned_abs() == last.min(*number)
            }
            Self::Cron(pattern) => matches(pattern, day).unwrap_or(false),
        }
    }
}

fn matches(pattern: &CronPattern, day: Date) -> Option<bool> {
    let month = u32::from(day.month().unsigned_abs());
    let number = u32::from(day.day().unsigned_abs());
    let weekday = croner_weekday(day);
    let is_month = pattern.month_match(month).ok()?;
    Some(is_month && pattern.day_match(day.year().into(), month, number, weekday).ok()?)
}

fn croner_weekday(day: Date) -> croner::Weekday {
    use croner::Weekday as Theirs;

    match day.weekday() {
        jiff::civil::Weekday::Monday => Theirs::Monday,
        jiff::civil::Weekday::Tuesday => Theirs::Tuesday,
        jiff::civil::Weekday::Wednesday => Theirs::Wednesday,
        jiff::civil::Weekday::Thursday => Theirs::Thursday,
        jiff::civil::Weekday::Friday => Theirs::Friday,
        jiff::civil::Weekday::Saturday => Theirs::Saturday,
        jiff::civil::Weekday::Sunday => Theirs::Sunday,
    }
}
