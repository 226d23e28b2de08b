//! Many schedulers, each with connections of its own, and one store: each time has one run, wherever it is kept.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod support;

use std::time::Duration;

use housekey_core::{Clock, Result};
use housekey_database::testing::TestDatabase;
use housekey_database::{Databases, on_every_engine};
use housekey_queue::{Job, Queue, job};
use housekey_schedule::{ScheduleReport, Scheduler, tables};
use serde::{Deserialize, Serialize};
use support::{Notes, Site, moment, time_of_run};
use tokio::task::JoinSet;

const MINUTE: Duration = Duration::from_secs(60);

#[derive(Serialize, Deserialize)]
struct Remind;

impl Job for Remind {
    const NAME: &'static str = "remind";
    async fn handle(self) -> Result<()> {
        Ok(())
    }
}

/// Ten minutes, eight schedulers that all look at once, a closure and a job.
async fn each_time_has_one_run(site: Site<'_>) -> (Vec<String>, u64) {
    let notes = Notes::default();
    let schedulers: Vec<Scheduler> = (0..8)
        .map(|_| {
            let notes = notes.clone();
            site.scheduler(move |schedule| {
                let notes = notes.clone();
                let work = move || {
                    let notes = notes.clone();
                    async move {
                        notes.add(time_of_run());
                        // Others look while it runs.
                        tokio::time::sleep(Duration::from_millis(5)).await;
                        Ok(())
                    }
                };
                schedule.every_minutes(1, work).name("tick");
                schedule.every_minutes(1, job::<Remind>());
            })
        })
        .collect();
    let mut done = 0;
    for _ in 0..=10 {
        let mut looks = JoinSet::new();
        for scheduler in schedulers.clone() {
            looks.spawn(async move { scheduler.run_due().await.unwrap() });
        }
        let reports: Vec<ScheduleReport> = looks.join_all().await;
        assert!(
            reports.iter().all(|report| report.failed + report.missed + report.skipped == 0),
            "{reports:?}"
        );
        done += reports.iter().map(|report| report.done).sum::<u64>();
        site.clock.advance(MINUTE);
    }
    (notes.all(), done)
}

fn ten_minutes() -> Vec<String> {
    (1..=10).map(|minute| format!("2026-11-17T06:{minute:02}:00Z")).collect()
}

// spec: WRK-1
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn in_a_cache_of_files_each_time_has_one_run() {
    let folder = tempfile::tempdir().unwrap();
    let clock = Clock::frozen(moment("2026-11-17T06:00:00Z"));
    let (notes, done) = each_time_has_one_run(Site::new(folder.path(), &clock)).await;
    assert_eq!((notes, done), (ten_minutes(), 20));
}

on_every_engine!(
    each_time_has_one_run_and_one_job,
    a_job_and_its_time_are_written_together_or_not_at_all,
    a_missing_table_says_what_to_do,
);

// spec: WRK-1
async fn each_time_has_one_run_and_one_job(test: TestDatabase) {
    test.db.schema(tables::create).await.unwrap();
    test.db.schema(housekey_queue::tables::create).await.unwrap();
    let folder = tempfile::tempdir().unwrap();
    let clock = Clock::frozen(moment("2026-11-17T06:00:00Z"));
    let (notes, done) = each_time_has_one_run(Site::new(folder.path(), &clock).on(&test.config)).await;
    assert_eq!((notes, done), (ten_minutes(), 20));
    assert_eq!(test.db.table("jobs").count().await.unwrap(), 10);
}

async fn a_job_and_its_time_are_written_together_or_not_at_all(test: TestDatabase) {
    test.db.schema(tables::create).await.unwrap();
    let folder = tempfile::tempdir().unwrap();
    let clock = Clock::frozen(moment("2026-11-17T06:59:00Z"));
    let application = Site::new(folder.path(), &clock)
        .on(&test.config)
        .boot(|schedule| {
            schedule.daily_at("07:00", job::<Remind>());
        })
        .unwrap();
    let scheduler = Scheduler::new(application.services()).unwrap();
    scheduler.run_due().await.unwrap();
    clock.set(moment("2026-11-17T07:00:00Z"));
    let error = scheduler.run_due().await.unwrap_err().to_string();
    assert!(error.contains("make:queue-table"), "{error}");
    assert_eq!(scheduler.status().await.unwrap()[0].last, None, "the time is not used up");

    // Somebody makes the tables; it is not too late.
    test.db.schema(housekey_queue::tables::create).await.unwrap();
    clock.advance(Duration::from_secs(20));
    assert_eq!(scheduler.run_due().await.unwrap().done, 1);
    assert_eq!(scheduler.run_due().await.unwrap().done, 0);
    let queue = application.services().require::<Queue>().unwrap();
    assert_eq!(queue.driver().size("default").await.unwrap().total(), 1);
    assert!(application.services().get::<Databases>().is_some());
}

async fn a_missing_table_says_what_to_do(test: TestDatabase) {
    let folder = tempfile::tempdir().unwrap();
    let site = Site::new(folder.path(), &Clock::frozen_now()).on(&test.config);
    let scheduler = site.scheduler(|schedule| {
        schedule.hourly(async || Ok(())).name("hour");
    });
    let error = scheduler.run_due().await.unwrap_err().to_string();
    assert!(error.contains("make:schedule-table") && error.contains("migrate"), "{error}");
}
