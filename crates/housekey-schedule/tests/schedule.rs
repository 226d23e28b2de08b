//! A schedule in an app, on a clock that stands still until the test moves it.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod support;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use housekey_cache::Cache;
use housekey_core::{Clock, Error, Result};
use housekey_queue::{Job, job};
use housekey_schedule::{Schedule, ScheduleReport, Scheduler, local_moment, local_now, task_run};
use housekey_test_support::{happens, in_time};
use serde::{Deserialize, Serialize};
use support::{FailingLocks, Notes, Site, moment, time_of_run};

const MINUTE: Duration = Duration::from_secs(60);

fn ran(done: u64) -> ScheduleReport {
    ScheduleReport { done, ..ScheduleReport::default() }
}

// spec: WRK-1
#[tokio::test]
async fn a_task_is_told_which_day_it_is_in_a_place() {
    let folder = tempfile::tempdir().unwrap();
    // Winter in Berlin and one hour before midnight there; in Tokyo the next day has begun.
    let clock = Clock::frozen(moment("2026-03-28T22:00:00Z"));
    let days = Notes::default();
    let scheduler = Site::new(folder.path(), &clock).scheduler({
        let days = days.clone();
        move |schedule| {
            let days = days.clone();
            let look = move || {
                let shown = ["Europe/Berlin", "Asia/Tokyo", "UTC"].map(|zone| local_now(zone).unwrap());
                days.add(shown.map(|now| format!("{} {}", now.date(), now.hour())).join(", "));
                assert!(local_now("Europe/Atlantis").unwrap_err().to_string().contains("Europe/Atlantis"));
                async { Ok(()) }
            };
            schedule.hourly(look).name("look");
        }
    });
    scheduler.run_task("look").await.unwrap();
    // Clocks have gone forward in Berlin.
    clock.advance(MINUTE * 60 * 24);
    scheduler.run_task("look").await.unwrap();
    assert_eq!(
        days.all(),
        ["2026-03-28 23, 2026-03-29 7, 2026-03-28 22", "2026-03-30 0, 2026-03-30 7, 2026-03-29 22"]
    );
}

// spec: WRK-1
#[test]
fn a_time_on_the_wall_is_a_moment_also_when_clocks_change() {
    for (zone, shown, expected) in [
        ("Europe/Lisbon", "2027-01-10T18:30", "2027-01-10T18:30:00Z"),
        ("Europe/Lisbon", "2027-07-10T18:30", "2027-07-10T17:30:00Z"),
        // Not there, and there twice.
        ("Europe/Berlin", "2026-03-29T02:30", "2026-03-29T01:30:00Z"),
        ("Europe/Berlin", "2026-10-25T02:30", "2026-10-25T00:30:00Z"),
    ] {
        let (day, time) = shown.split_once('T').unwrap();
        let day = time::Date::parse(day, &time::format_description::well_known::Iso8601::DATE).unwrap();
        let (hour, minute) = time.split_once(':').unwrap();
        let time = time::Time::from_hms(hour.parse().unwrap(), minute.parse().unwrap(), 0).unwrap();
        let found = local_moment(zone, day, time).unwrap();
        assert_eq!(found, moment(expected), "{shown} in {zone}");
    }
    let day = time::Date::from_calendar_date(2026, time::Month::May, 1).unwrap();
    assert!(local_moment("Europe/Atlantis", day, time::Time::MIDNIGHT).is_err());
}

// spec: WRK-1
#[tokio::test]
async fn each_night_of_a_clock_change_has_its_runs_once() {
    // Forward and back, in two zones: the hours of that day, and when the daily task runs.
    for (zone, from, hours, runs) in [
        ("Europe/Berlin", "2026-03-28T23:00:00Z", 23, "2026-03-29T01:00:00Z"),
        ("Europe/Berlin", "2026-10-24T22:00:00Z", 25, "2026-10-25T00:30:00Z"),
        ("America/New_York", "2026-03-08T05:00:00Z", 23, "2026-03-08T07:00:00Z"),
        ("America/New_York", "2026-11-01T04:00:00Z", 25, "2026-11-01T07:30:00Z"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let clock = Clock::frozen(moment(from) - Duration::from_secs(1));
        let (daily, hourly) = (Notes::default(), Notes::default());
        let site = Site { cache: "memory", ..Site::new(folder.path(), &clock) };
        let scheduler = site.scheduler({
            let (daily, hourly) = (daily.clone(), hourly.clone());
            move |schedule| {
                let (daily, hourly) = (daily.clone(), hourly.clone());
                let night = move || {
                    daily.add(time_of_run());
                    async { Ok(()) }
                };
                schedule.daily_at("02:30", night).name("night").timezone(zone);
                let hour = move || {
                    hourly.add("hour");
                    async { Ok(()) }
                };
                schedule.hourly(hour).name("hour").timezone(zone);
            }
        });
        assert_eq!(scheduler.run_due().await.unwrap(), ran(0), "tasks are seen first");
        for _ in 0..hours * 60 {
            clock.advance(MINUTE);
            scheduler.run_due().await.unwrap();
        }
        assert_eq!(daily.all(), [runs], "{zone}");
        assert_eq!(hourly.all().len(), hours, "{zone}");
    }
}

// spec: WRK-1
#[tokio::test]
async fn what_was_missed_is_noted_or_made_up_for_once_if_asked() {
    let folder = tempfile::tempdir().unwrap();
    let clock = Clock::frozen(moment("2026-11-17T06:00:00Z"));
    let notes = Notes::default();
    let boot = || {
        let notes = notes.clone();
        Site::new(folder.path(), &clock).scheduler(move |schedule| {
            let (plain, eager) = (notes.clone(), notes.clone());
            let plain = move || {
                plain.add(format!("plain {}", time_of_run()));
                async { Ok(()) }
            };
            schedule.daily_at("07:00", plain).name("plain");
            let eager = move || {
                eager.add(format!("eager {}", time_of_run()));
                async { Ok(()) }
            };
            schedule.daily_at("07:00", eager).name("eager").catch_up();
        })
    };
    assert_eq!(boot().run_due().await.unwrap(), ran(0));
    // Nobody is there for three days and a half.
    clock.set(moment("2026-11-20T18:00:00Z"));
    let back = boot();
    assert_eq!(back.run_due().await.unwrap(), ScheduleReport { done: 1, missed: 1, ..ran(0) });
    assert_eq!(notes.all(), ["eager 2026-11-20T07:00:00Z"]);
    assert_eq!(back.run_due().await.unwrap(), ran(0));
    let status = back.status().await.unwrap();
    let outcome = |name: &str| status.iter().find(|task| task.name == name).unwrap().outcome.clone();
    assert_eq!((outcome("plain").as_deref(), outcome("eager").as_deref()), (Some("missed"), Some("done")));

    // A restart of half a minute at the time itself is no absence.
    clock.set(moment("2026-11-21T07:00:30Z"));
    assert_eq!(boot().run_due().await.unwrap(), ran(2));
}

#[tokio::test]
async fn a_task_that_fails_or_panics_is_told_and_runs_at_its_next_time() {
    let folder = tempfile::tempdir().unwrap();
    let clock = Clock::frozen(moment("2026-11-17T06:00:00Z"));
    let scheduler = Site::new(folder.path(), &clock).scheduler(|schedule| {
        schedule.every_minutes(1, async || Err(Error::internal("no paper"))).name("print");
        schedule.every_minutes(1, async || -> Result<()> { panic!("boom") }).name("fall");
        let slow = async || {
            std::future::pending::<()>().await;
            Ok(())
        };
        schedule.every_minutes(1, slow).name("slow").timeout(Duration::from_millis(20));
    });
    scheduler.run_due().await.unwrap();
    for _ in 0..2 {
        clock.advance(MINUTE);
        assert_eq!(scheduler.run_due().await.unwrap(), ScheduleReport { failed: 3, ..ran(0) });
    }
    let error = scheduler.run_task("print").await.unwrap_err().to_string();
    assert!(error.contains("no paper"), "{error}");
    let unknown = scheduler.run_task("sprint").await.unwrap_err().to_string();
    assert!(unknown.contains("print") && unknown.contains("fall"), "{unknown}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_time_that_comes_during_a_run_is_left_out_or_waits() {
    let folder = tempfile::tempdir().unwrap();
    let clock = Clock::frozen(moment("2026-11-17T06:00:00Z"));
    let (notes, go) = (Notes::default(), Arc::new(AtomicBool::new(false)));
    let mut site = Site::new(folder.path(), &clock);
    // Longer than the test's jumps of the clock.
    site.schedule.lease = 600;
    let scheduler = site.scheduler({
        let (notes, go) = (notes.clone(), go.clone());
        move |schedule| {
            for (name, waits) in [("skips", false), ("waits", true)] {
                let (notes, go) = (notes.clone(), go.clone());
                let work = move || {
                    let go = go.clone();
                    notes.add(format!("{name} {}", time_of_run()));
                    async move {
                        happens("the word", || go.load(Ordering::SeqCst)).await;
                        Ok(())
                    }
                };
                let task = schedule.every_minutes(1, work).name(name).without_overlapping();
                if waits {
                    task.catch_up();
                }
            }
        }
    });
    scheduler.run_due().await.unwrap();
    clock.advance(MINUTE);
    let first = tokio::spawn({
        let scheduler = scheduler.clone();
        async move { scheduler.run_due().await }
    });
    happens("both tasks to run", || notes.all().len() == 2).await;
    clock.advance(MINUTE);
    assert_eq!(scheduler.run_due().await.unwrap(), ScheduleReport { skipped: 1, ..ran(0) });
    go.store(true, Ordering::SeqCst);
    assert_eq!(in_time("the first runs", first).await.unwrap().unwrap(), ran(2));
    assert_eq!(scheduler.run_due().await.unwrap(), ran(1));
    assert_eq!(notes.all()[2..], ["waits 2026-11-17T06:02:00Z"]);
}

// spec: WRK-1
#[tokio::test]
async fn a_time_whose_lock_could_not_be_asked_for_is_not_lost() {
    let folder = tempfile::tempdir().unwrap();
    let clock = Clock::frozen(moment("2026-11-17T06:59:00Z"));
    let (notes, locks) = (Notes::default(), FailingLocks::new(&clock));
    let mut site = Site::new(folder.path(), &clock);
    site.own_cache = Some(Cache::new(locks.clone(), clock.clone()));
    let scheduler = site.scheduler({
        let notes = notes.clone();
        move |schedule| {
            let notes = notes.clone();
            let work = move || {
                notes.add(time_of_run());
                async { Ok(()) }
            };
            schedule.daily_at("07:00", work).name("report").without_overlapping();
        }
    });
    scheduler.run_due().await.unwrap();
    clock.advance(MINUTE);
    locks.fail_once();
    let error = scheduler.run_due().await.unwrap_err().to_string();
    assert!(error.contains("does not answer"), "{error}");
    assert_eq!(scheduler.status().await.unwrap()[0].last, None, "the time is not used up");

    clock.advance(Duration::from_secs(5));
    assert_eq!(scheduler.run_due().await.unwrap(), ran(1));
    assert_eq!(notes.all(), ["2026-11-17T07:00:00Z"]);
}

// spec: WRK-1
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_shutdown_is_told_to_tasks_and_what_it_cuts_off_is_made_up_for() {
    let folder = tempfile::tempdir().unwrap();
    let clock = Clock::frozen(moment("2026-11-17T06:00:00Z"));
    let notes = Notes::default();
    let boot = |grace: u64| {
        let notes = notes.clone();
        let mut site = Site::new(folder.path(), &clock);
        site.schedule.grace = grace;
        site.scheduler(move |schedule| {
            let (polite, deaf) = (notes.clone(), notes.clone());
            let polite = move || {
                let notes = polite.clone();
                async move {
                    notes.add("polite begins");
                    task_run().unwrap().stopping().await;
                    notes.add("polite ends");
                    Ok(())
                }
            };
            schedule.daily_at("07:00", polite).name("polite");
            let deaf = move || {
                let notes = deaf.clone();
                async move {
                    let attempt = task_run().unwrap().attempt;
                    notes.add(format!("deaf, attempt {attempt}"));
                    if attempt == 1 {
                        std::future::pending::<()>().await;
                    }
                    Ok(())
                }
            };
            schedule.daily_at("07:00", deaf).name("deaf").catch_up();
        })
    };
    boot(0).run_due().await.unwrap();
    clock.set(moment("2026-11-17T07:00:00Z"));
    let begun = happens("both tasks to run", || notes.all().len() == 2);
    let report = in_time("the end", boot(5).run_until(begun)).await.unwrap();
    assert_eq!(report, ScheduleReport { done: 1, cut_off: 1, ..ran(0) });
    assert!(notes.all().contains(&"polite ends".to_owned()));

    assert_eq!(boot(0).run_due().await.unwrap(), ran(1), "the next process makes up for it at once");
    assert_eq!(notes.all().last().unwrap(), "deaf, attempt 2");
    assert_eq!(boot(0).run_due().await.unwrap(), ran(0));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_loop_follows_the_clock() {
    let folder = tempfile::tempdir().unwrap();
    let clock = Clock::frozen(moment("2026-11-17T06:59:00Z"));
    let notes = Notes::default();
    let scheduler = Site::new(folder.path(), &clock).scheduler({
        let notes = notes.clone();
        move |schedule| {
            let notes = notes.clone();
            let work = move || {
                notes.add(time_of_run());
                async { Ok(()) }
            };
            schedule.daily_at("07:00", work).name("breakfast");
        }
    });
    let watcher = scheduler.clone();
    let passing = async {
        // The first look has been taken when the task is known.
        tokio::time::sleep(Duration::from_millis(200)).await;
        let _ = watcher.run_due().await;
        for day in 17..20 {
            clock.set(moment(&format!("2026-11-{day}T07:00:00Z")));
            let count = day - 16;
            happens("breakfast", || notes.all().len() == count).await;
        }
    };
    let report = in_time("three days", scheduler.run_until(passing)).await.unwrap();
    assert_eq!(report.failed + report.missed + report.skipped, 0);
    assert_eq!(notes.all(), ["2026-11-17T07:00:00Z", "2026-11-18T07:00:00Z", "2026-11-19T07:00:00Z"]);
}

#[derive(Serialize, Deserialize)]
struct Remind;

impl Job for Remind {
    const NAME: &'static str = "remind";
    async fn handle(self) -> Result<()> {
        housekey_cache::cache()?.increment("reminded", 1, None).await.map(drop)
    }
    fn queue(&self) -> &str {
        "mails"
    }
}

#[derive(Serialize, Deserialize)]
struct RemindAll {
    days: u32,
}

impl Job for RemindAll {
    const NAME: &'static str = "remind-all";
    async fn handle(self) -> Result<()> {
        housekey_cache::cache()?.increment("reminded", self.days.into(), None).await.map(drop)
    }
}

#[tokio::test]
async fn a_queue_that_does_jobs_at_once_does_them_here() {
    let folder = tempfile::tempdir().unwrap();
    let clock = Clock::frozen(moment("2026-11-17T06:00:00Z"));
    let application = Site::new(folder.path(), &clock)
        .boot(|schedule| {
            schedule.hourly_at(5, job::<Remind>());
            schedule.hourly_at(5, RemindAll { days: 3 });
        })
        .unwrap();
    let scheduler = Scheduler::new(application.services()).unwrap();
    scheduler.run_due().await.unwrap();
    clock.advance(5 * MINUTE);
    assert_eq!(scheduler.run_due().await.unwrap(), ran(2));
    let reminded = application.scope().enter(async { housekey_cache::cache()?.get::<i64>("reminded").await });
    assert_eq!(reminded.await.unwrap(), Some(4));
}

#[test]
fn what_is_wrong_with_a_task_is_found_when_the_app_boots() {
    let folder = tempfile::tempdir().unwrap();
    let clock = Clock::frozen(moment("2026-11-17T06:00:00Z"));
    let fails =
        |write: fn(&mut Schedule)| Site::new(folder.path(), &clock).boot(write).unwrap_err().to_string();
    /// A schedule with one mistake, and words of what is said about it.
    type Mistake = (fn(&mut Schedule), &'static [&'static str]);
    let wrong: [Mistake; 9] = [
        (
            |schedule| {
                schedule.hourly(async || Ok(()));
            },
            &["schedule.rs:", "`.name("],
        ),
        (
            |schedule| {
                schedule.daily_at("25:00", async || Ok(())).name("a");
            },
            &["25:00", "07:00"],
        ),
        (
            |schedule| {
                schedule.cron("* *", async || Ok(())).name("a");
            },
            &["five fields"],
        ),
        (
            |schedule| {
                schedule.cron("0 0 30 2 *", async || Ok(())).name("a");
            },
            &["never runs"],
        ),
        (
            |schedule| {
                schedule.hourly(async || Ok(())).name("a").timezone("Mars");
            },
            &["Mars", "Europe/Berlin"],
        ),
        (
            |schedule| {
                schedule.hourly(job::<RemindAll>());
            },
            &["remind-all", "fields"],
        ),
        (
            |schedule| {
                schedule.hourly(job::<Remind>()).without_overlapping();
            },
            &["remind", "closures"],
        ),
        (
            |schedule| {
                schedule.hourly(async || Ok(())).name(" ");
            },
            &["empty"],
        ),
        (
            |schedule| {
                schedule.hourly(job::<Remind>());
                schedule.daily_at("07:00", job::<Remind>());
            },
            &["two tasks are named `remind`", "schedule.rs:"],
        ),
    ];
    for (write, words) in wrong {
        let error = fails(write);
        assert!(words.iter().all(|word| error.contains(word)), "{error}");
    }
    let mut site = Site::new(folder.path(), &clock);
    site.schedule.store = "paper".into();
    let error = site.boot(|_| ()).unwrap_err().to_string();
    assert!(error.contains("`paper`") && error.contains("SCHEDULE_STORE"), "{error}");
}

#[tokio::test]
async fn the_list_says_what_comes_next_as_clocks_there_show_it() {
    let folder = tempfile::tempdir().unwrap();
    let clock = Clock::frozen(moment("2026-03-28T12:00:00Z"));
    let scheduler = Site::new(folder.path(), &clock).scheduler(|schedule| {
        schedule.daily_at("02:30", async || Ok(())).name("night").timezone("Europe/Berlin").catch_up();
        schedule.every_minutes(5, job::<Remind>());
    });
    let status = scheduler.status().await.unwrap();
    assert_eq!((status[0].name.as_str(), status[0].kind), ("remind", "job"));
    assert_eq!(status[0].next.as_deref(), Some("2026-03-28 12:05 +00:00"));
    assert_eq!(status[1].next.as_deref(), Some("2026-03-29 03:00 +02:00"));
    assert_eq!(
        (status[1].when.as_str(), status[1].timezone.as_str()),
        ("every day at 02:30", "Europe/Berlin")
    );
    assert!(status.iter().all(|task| task.last.is_none() && task.outcome.is_none()));
}
