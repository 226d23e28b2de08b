//! When a task runs: moments as milliseconds since 1970, found from times on the wall of a time zone.

mod clock_change;
mod days;
mod parse;
mod zone;

pub(crate) use zone::Zone;

use jiff::civil::Date;
use time::Weekday;

use clock_change::moments;
use days::Days;

/// When a task runs.
#[derive(Clone, Debug)]
pub(crate) struct Timing {
    kind: Kind,
    /// For people: `every day at 07:00`.
    words: String,
}

#[derive(Clone, Debug)]
enum Kind {
    /// Every so many milliseconds, counted from 1970 in UTC: clocks that change do not concern it.
    Every(i64),
    OnTheWall(WallTimes),
}

#[derive(Clone, Debug)]
struct WallTimes {
    hours: Vec<i8>,
    minutes: Vec<i8>,
    days: Days,
    /// Whether it names an interval (`*` for the hour or the minute) and not times of the day. An interval goes on
    /// through an hour that comes twice; a time of the day comes once.
    is_interval: bool,
}

/// The 29th of February can be eight years away, and on a certain weekday forty.
const FARTHEST_DAYS: i64 = 366 * 41;

impl Timing {
    pub(crate) fn every_minutes(minutes: u32) -> Result<Self, String> {
        if !(1..=1440).contains(&minutes) {
            return Err(format!("every {minutes} minutes is no schedule: 1 to 1440 are"));
        }
        let words = if minutes == 1 { "every minute".into() } else { format!("every {minutes} minutes") };
        Ok(Self { kind: Kind::Every(i64::from(minutes) * 60_000), words })
    }

    pub(crate) fn hourly_at(minute: u8) -> Result<Self, String> {
        let minute = i8::try_from(minute).ok().filter(|minute| *minute < 60);
        let minute = minute.ok_or("the minute of an hour is 0 to 59")?;
        let hours = (0..24).collect();
        let times = WallTimes { hours, minutes: vec![minute], days: Days::Every, is_interval: true };
        Ok(Self { kind: Kind::OnTheWall(times), words: format!("every hour at :{minute:02}") })
    }

    pub(crate) fn daily_at(at: &str) -> Result<Self, String> {
        Self::at(at, Days::Every, "every day")
    }

    pub(crate) fn weekly_on(day: Weekday, at: &str) -> Result<Self, String> {
        Self::at(at, Days::Weekday(day), &format!("every {day}"))
    }

    pub(crate) fn monthly_on(day: u8, at: &str) -> Result<Self, String> {
        if !(1..=31).contains(&day) {
            return Err(format!("a month has no day {day}"));
        }
        Self::at(at, Days::OfMonth(day), &format!("on day {day} of the month"))
    }

    pub(crate) fn cron(expression: &str) -> Result<Self, String> {
        let pattern = parse::cron(expression)?;
        let values = |part: &croner::CronComponent| {
            part.values().into_iter().filter_map(|value| i8::try_from(value).ok()).collect()
        };
        let times = WallTimes {
            hours: values(&pattern.hours),
            minutes: values(&pattern.minutes),
            days: Days::Cron(Box::new(pattern)),
            is_interval: parse::is_interval(expression),
        };
        Ok(Self { kind: Kind::OnTheWall(times), words: expression.trim().to_owned() })
    }

    fn at(at: &str, days: Days, words: &str) -> Result<Self, String> {
        let (hour, minute) = parse::time_of_day(at)?;
        let times = WallTimes { hours: vec![hour], minutes: vec![minute], days, is_interval: false };
        Ok(Self { kind: Kind::OnTheWall(times), words: format!("{words} at {hour:02}:{minute:02}") })
    }

    /// For people: `every day at 07:00`.
    pub(crate) fn words(&self) -> &str {
        &self.words
    }

    /// The first moment after this one; none if there is none within decades.
    pub(crate) fn next_after(&self, moment: i64, zone: &Zone) -> Option<i64> {
        let times = match &self.kind {
            Kind::Every(step) => return Some((moment.div_euclid(*step) + 1) * step),
            Kind::OnTheWall(times) => times,
        };
        let first = |day: Date| times.on(day, zone).into_iter().find(|found| *found > moment);
        // From the day before: where clocks go back at midnight, yesterday is not over when today begins. For the same
        // reason the day after the one that is found may be earlier.
        let mut day = zone.date(moment)?.yesterday().ok()?;
        for _ in 0..FARTHEST_DAYS {
            let next_day = day.tomorrow().ok()?;
            if let Some(found) = first(day) {
                return Some(first(next_day).map_or(found, |other| found.min(other)));
            }
            day = next_day;
        }
        None
    }

    /// The last moment that is not after this one; none if there is none within decades.
    pub(crate) fn latest(&self, moment: i64, zone: &Zone) -> Option<i64> {
        let times = match &self.kind {
            Kind::Every(step) => return Some(moment.div_euclid(*step) * step),
            Kind::OnTheWall(times) => times,
        };
        let last = |day: Date| times.on(day, zone).into_iter().rev().find(|found| *found <= moment);
        let mut day = zone.date(moment)?.tomorrow().ok()?;
        for _ in 0..FARTHEST_DAYS {
            let day_before = day.yesterday().ok()?;
            if let Some(found) = last(day) {
                return Some(last(day_before).map_or(found, |other| found.max(other)));
            }
            day = day_before;
        }
        None
    }
}

impl WallTimes {
    /// The moments of a day, in order.
    fn on(&self, day: Date, zone: &Zone) -> Vec<i64> {
        if !self.days.have(day) {
            return Vec::new();
        }
        let times =
            self.hours.iter().flat_map(|hour| self.minutes.iter().map(move |minute| (*hour, *minute)));
        let mut found: Vec<i64> = times
            .flat_map(|(hour, minute)| moments(day.at(hour, minute, 0, 0), self.is_interval, zone))
            .collect();
        found.sort_unstable();
        found.dedup();
        found
    }
}

#[cfg(test)]
mod tests;
