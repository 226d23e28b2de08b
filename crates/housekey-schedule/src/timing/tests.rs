#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use jiff::Timestamp;

use super::*;

fn at(text: &str) -> i64 {
    text.parse::<Timestamp>().unwrap().as_millisecond()
}

/// What the clocks of a zone show at the next moments, with the offset from UTC.
fn next(timing: &Timing, zone: &str, from: &str, count: usize) -> Vec<String> {
    let zone = Zone::named(zone).unwrap();
    let mut moment = at(from);
    let mut all = Vec::new();
    for _ in 0..count {
        let later = timing.next_after(moment, &zone).unwrap();
        assert!(later > moment);
        moment = later;
        all.push(moment);
    }
    // The other direction agrees, from the first moment to the last one in between.
    for pair in all.windows(2) {
        for moment in (pair[0]..pair[1]).step_by(13 * 60_000).chain([pair[1] - 1]) {
            assert_eq!(timing.latest(moment, &zone), Some(pair[0]), "{}", zone.shown(moment));
            assert_eq!(timing.next_after(moment, &zone), Some(pair[1]), "{}", zone.shown(moment));
        }
    }
    all.into_iter().map(|moment| zone.shown(moment)).collect()
}

fn daily(time: &str) -> Timing {
    Timing::daily_at(time).unwrap()
}

fn cron(expression: &str) -> Timing {
    Timing::cron(expression).unwrap()
}

// spec: WRK-1
#[test]
fn a_daily_time_that_is_skipped_comes_when_clocks_go_forward_and_once() {
    for timing in [daily("02:30"), cron("30 2 * * *"), cron("15,45 2 * * *")] {
        let berlin = next(&timing, "Europe/Berlin", "2026-03-28T12:00:00Z", 2);
        assert_eq!(berlin[0], "2026-03-29 03:00 +02:00");
        assert!(berlin[1].starts_with("2026-03-30 02:"), "{berlin:?}");
        let new_york = next(&timing, "America/New_York", "2026-03-07T12:00:00Z", 2);
        assert_eq!(new_york[0], "2026-03-08 03:00 -04:00");
        assert!(new_york[1].starts_with("2026-03-09 02:"), "{new_york:?}");
    }
}

// spec: WRK-1
#[test]
fn a_daily_time_that_comes_twice_counts_once_when_clocks_go_back() {
    for timing in [daily("02:30"), cron("30 2 * * *")] {
        let berlin = next(&timing, "Europe/Berlin", "2026-10-24T12:00:00Z", 2);
        assert_eq!(berlin, ["2026-10-25 02:30 +02:00", "2026-10-26 02:30 +01:00"]);
    }
    let new_york = next(&daily("01:30"), "America/New_York", "2026-10-31T12:00:00Z", 2);
    assert_eq!(new_york, ["2026-11-01 01:30 -04:00", "2026-11-02 01:30 -05:00"]);
}

// spec: WRK-1
#[test]
fn a_daily_time_beside_the_change_comes_once_on_that_day() {
    for time in ["00:00", "01:30", "01:59", "03:00", "03:30", "23:59"] {
        for (zone, from) in [
            ("Europe/Berlin", "2026-03-28T10:00:00Z"),
            ("Europe/Berlin", "2026-10-24T10:00:00Z"),
            ("America/New_York", "2026-03-07T10:00:00Z"),
            ("America/New_York", "2026-10-31T10:00:00Z"),
        ] {
            let times = next(&daily(time), zone, from, 4);
            let mut days: Vec<&str> = times.iter().map(|time| &time[..10]).collect();
            days.dedup();
            assert_eq!(days.len(), 4, "{times:?}");
            assert!(times.iter().all(|shown| shown.contains(time)), "{times:?}");
        }
    }
}

// spec: WRK-1
#[test]
fn an_interval_goes_on_through_both_changes_without_a_jump() {
    for timing in [Timing::hourly_at(0).unwrap(), cron("0 * * * *"), cron("@hourly")] {
        assert_eq!(
            next(&timing, "Europe/Berlin", "2026-03-28T23:30:00Z", 3),
            ["2026-03-29 01:00 +01:00", "2026-03-29 03:00 +02:00", "2026-03-29 04:00 +02:00"]
        );
        assert_eq!(
            next(&timing, "Europe/Berlin", "2026-10-24T23:30:00Z", 3),
            ["2026-10-25 02:00 +02:00", "2026-10-25 02:00 +01:00", "2026-10-25 03:00 +01:00"]
        );
        assert_eq!(
            next(&timing, "America/New_York", "2026-11-01T04:30:00Z", 3),
            ["2026-11-01 01:00 -04:00", "2026-11-01 01:00 -05:00", "2026-11-01 02:00 -05:00"]
        );
    }
    for timing in [Timing::every_minutes(15).unwrap(), cron("*/15 * * * *")] {
        let zone = Zone::named("Europe/Berlin").unwrap();
        let mut moment = at("2026-10-24T12:00:00Z");
        for _ in 0..96 {
            let later = timing.next_after(moment, &zone).unwrap();
            assert_eq!(later - moment, 15 * 60_000);
            moment = later;
        }
    }
}

#[test]
fn clocks_that_change_at_midnight_are_no_exception() {
    // Beirut goes forward at 00:00, Havana back from 01:00 to 00:00, Azores back from 01:00 to 00:00.
    assert_eq!(
        next(&daily("00:00"), "Asia/Beirut", "2026-03-28T12:00:00Z", 2),
        ["2026-03-29 01:00 +03:00", "2026-03-30 00:00 +03:00"]
    );
    assert_eq!(
        next(&daily("00:30"), "America/Havana", "2026-10-31T12:00:00Z", 2),
        ["2026-11-01 00:30 -04:00", "2026-11-02 00:30 -05:00"]
    );
    next(&cron("*/30 * * * *"), "America/Havana", "2026-10-31T20:00:00Z", 30);
    // St. John's went back at 00:01 to 23:01 of the day before, until 2011.
    next(&cron("*/20 * * * *"), "America/St_Johns", "2010-11-06T20:00:00Z", 40);
    next(&daily("23:30"), "America/St_Johns", "2010-11-05T20:00:00Z", 4);
}

#[test]
fn weeks_and_months_are_those_of_the_calendar() {
    let monday = Timing::weekly_on(Weekday::Monday, "08:00").unwrap();
    assert_eq!(
        next(&monday, "Europe/Berlin", "2026-03-24T12:00:00Z", 2),
        ["2026-03-30 08:00 +02:00", "2026-04-06 08:00 +02:00"]
    );
    let last = Timing::monthly_on(31, "00:00").unwrap();
    assert_eq!(
        next(&last, "UTC", "2028-01-31T00:00:00Z", 3),
        ["2028-02-29 00:00 +00:00", "2028-03-31 00:00 +00:00", "2028-04-30 00:00 +00:00"]
    );
    let leap = next(&cron("0 12 29 2 *"), "UTC", "2026-01-01T00:00:00Z", 1);
    assert_eq!(leap, ["2028-02-29 12:00 +00:00"]);
    let weekday = next(&cron("0 9 * * MON-FRI"), "UTC", "2026-11-13T10:00:00Z", 1);
    assert_eq!(weekday, ["2026-11-16 09:00 +00:00"]);
}

#[test]
fn a_day_that_never_comes_is_found_out() {
    let zone = Zone::named("UTC").unwrap();
    assert_eq!(cron("0 0 30 2 *").next_after(0, &zone), None);
}

#[test]
fn what_cannot_be_read_says_how_to_write_it() {
    for time in ["7", "24:00", "07:60", "7:0", "seven", "-1:00", "+7:00", "07:00:00", ""] {
        assert!(Timing::daily_at(time).unwrap_err().contains("07:00"), "{time}");
    }
    assert!(Timing::daily_at("7:05").is_ok());
    for expression in ["", "61 * * * *", "* * *", "0 0 0 * * *", "every day"] {
        assert!(Timing::cron(expression).unwrap_err().contains("five fields"), "{expression}");
    }
    assert!(Zone::named("Berlin").unwrap_err().contains("Europe/Berlin"));
    assert!(Timing::every_minutes(0).is_err() && Timing::every_minutes(1441).is_err());
    assert!(Timing::monthly_on(0, "07:00").is_err() && Timing::monthly_on(32, "07:00").is_err());
    assert!(Timing::hourly_at(60).is_err());
}

#[test]
fn a_schedule_has_words_for_people() {
    assert_eq!(daily("7:05").words(), "every day at 07:05");
    assert_eq!(Timing::weekly_on(Weekday::Monday, "08:00").unwrap().words(), "every Monday at 08:00");
    assert_eq!(Timing::every_minutes(1).unwrap().words(), "every minute");
    assert_eq!(Timing::hourly_at(5).unwrap().words(), "every hour at :05");
    assert_eq!(cron(" */5 * * * * ").words(), "*/5 * * * *");
}
