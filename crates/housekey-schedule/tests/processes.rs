//! Schedulers that are processes of their own, and what becomes of their tasks when they race, are killed or asked to stop.
//!
//! All of them read one clock: a file that the test writes.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod support;

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use housekey_core::{Clock, Result};
use housekey_database::ConnectionConfig;
use housekey_database::testing::TestDatabase;
use housekey_queue::{Job, job};
use housekey_schedule::{Schedule, Scheduler, tables, task_run};
use housekey_test_support::{Program, happens, this_test, until_async};
use serde::{Deserialize, Serialize};
use support::{Site, moment, time_of_run};
use time::OffsetDateTime;

const CHILD: &str = "HOUSEKEY_SCHEDULE_TEST_ORDERS";

#[derive(Serialize, Deserialize)]
struct Remind;

impl Job for Remind {
    const NAME: &'static str = "remind";
    async fn handle(self) -> Result<()> {
        Ok(())
    }
}

/// What a parent tells its children.
#[derive(Clone, Serialize, Deserialize)]
struct Orders {
    folder: PathBuf,
    database: ConnectionConfig,
    scene: Scene,
}

#[derive(Clone, Copy, Serialize, Deserialize)]
enum Scene {
    /// Short tasks every minute.
    Minutes,
    /// A daily task that waits for the file `go`.
    Long,
}

impl Orders {
    fn start(&self) -> Program {
        let mut command = this_test("runs_the_schedule_when_started_as_a_child_process");
        Program::start(command.env(CHILD, serde_json::to_string(self).unwrap()))
    }

    fn file(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    fn set_clock(&self, to: OffsetDateTime) {
        let millis = to.unix_timestamp_nanos() / 1_000_000;
        // Whole or not at all: a child may be reading.
        let new = self.file("clock.new");
        fs::write(&new, millis.to_string()).unwrap();
        fs::rename(new, self.file("clock")).unwrap();
    }

    fn read_clock(&self) -> OffsetDateTime {
        let millis: i128 = fs::read_to_string(self.file("clock")).unwrap().parse().unwrap();
        OffsetDateTime::from_unix_timestamp_nanos(millis * 1_000_000).unwrap()
    }

    fn write(&self, schedule: &mut Schedule) {
        let once = self.clone();
        match self.scene {
            Scene::Minutes => {
                let work = move || {
                    let file = once.file("once");
                    async move {
                        // Long enough to be killed in.
                        tokio::time::sleep(Duration::from_millis(10)).await;
                        note(&file, &time_of_run());
                        Ok(())
                    }
                };
                schedule.every_minutes(1, work).name("once");
                let sure = self.clone();
                let work = move || {
                    let file = sure.file("sure");
                    async move {
                        tokio::time::sleep(Duration::from_millis(10)).await;
                        note(&file, &time_of_run());
                        Ok(())
                    }
                };
                schedule.every_minutes(1, work).name("sure").catch_up();
                schedule.every_minutes(1, job::<Remind>()).catch_up();
            }
            Scene::Long => {
                for (name, catches_up) in [("once", false), ("sure", true)] {
                    let orders = self.clone();
                    let work = move || {
                        let orders = orders.clone();
                        async move {
                            let attempt = task_run().unwrap().attempt;
                            note(&orders.file(name), &format!("begun {attempt}"));
                            has_lines(&orders.file("go"), 1).await;
                            note(&orders.file(name), &format!("ended {attempt}"));
                            Ok(())
                        }
                    };
                    let task = schedule.daily_at("07:00", work).name(name);
                    if catches_up {
                        task.catch_up();
                    }
                }
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "the process of the tests in this file, which start it"]
async fn runs_the_schedule_when_started_as_a_child_process() {
    let orders = std::env::var(CHILD).expect("the tests in this file start it, with its orders");
    let orders: Orders = serde_json::from_str(&orders).unwrap();
    let clock = Clock::frozen(orders.read_clock());
    let mut site = Site::new(&orders.folder, &clock).on(&orders.database);
    site.schedule.lease = 6;
    let scheduler = site.scheduler({
        let orders = orders.clone();
        move |schedule| orders.write(schedule)
    });
    let scheduler = scheduler.poll(Duration::from_millis(2));
    let ticking = async {
        loop {
            tokio::time::sleep(Duration::from_millis(2)).await;
            clock.set(orders.read_clock());
        }
    };
    note(&orders.file("ready"), &std::process::id().to_string());
    tokio::select! {
        report = scheduler.run() => { report.unwrap(); }
        () = ticking => {}
    }
}

fn note(file: &Path, line: &str) {
    let mut file = fs::OpenOptions::new().create(true).append(true).open(file).unwrap();
    // One write, so that lines of several processes do not mix.
    file.write_all(format!("{line}\n").as_bytes()).unwrap();
}

fn lines(file: &Path) -> Vec<String> {
    fs::read_to_string(file).unwrap_or_default().lines().map(str::to_owned).collect()
}

async fn has_lines(file: &Path, count: usize) {
    let written = || fs::read_to_string(file).unwrap_or_default().matches('\n').count();
    happens(&format!("{count} lines in {}", file.display()), || written() >= count).await;
}

async fn made(test: &TestDatabase, folder: &Path, scene: Scene, at: &str) -> Orders {
    test.db.schema(tables::create).await.unwrap();
    test.db.schema(housekey_queue::tables::create).await.unwrap();
    let orders = Orders { folder: folder.to_owned(), database: test.config.clone(), scene };
    orders.set_clock(moment(at));
    // The tasks are known from here on.
    let clock = Clock::frozen(moment(at));
    let scheduler: Scheduler = Site::new(folder, &clock).on(&test.config).scheduler({
        let orders = orders.clone();
        move |schedule| orders.write(schedule)
    });
    scheduler.run_due().await.unwrap();
    orders
}

/// Processes race for every minute, and one of them is killed at each, at whatever it is doing.
async fn races(test: TestDatabase) {
    const MINUTES: usize = 20;
    let folder = tempfile::tempdir().unwrap();
    let orders = made(&test, folder.path(), Scene::Minutes, "2026-11-17T06:00:00Z").await;
    let mut processes: Vec<Program> = (0..3).map(|_| orders.start()).collect();
    has_lines(&orders.file("ready"), 3).await;
    let mut now = moment("2026-11-17T06:00:00Z");
    for minute in 1..=MINUTES {
        now += Duration::from_secs(60);
        orders.set_clock(now);
        // Somewhere between the first look and the last word.
        tokio::time::sleep(Duration::from_millis((minute as u64 * 7) % 40)).await;
        processes[minute % 3].kill();
        processes[minute % 3] = orders.start();
        let sure = || lines(&orders.file("sure")).iter().any(|time| *time == shown(now));
        // A run that was cut off counts as such when its lease is over.
        happens("the run of this minute, by whom ever", || {
            if !sure() {
                let clock = orders.read_clock();
                if clock < now + Duration::from_secs(50) {
                    orders.set_clock(clock + Duration::from_millis(100));
                }
            }
            sure()
        })
        .await;
        let (count, jobs) = (minute as u64, async || test.db.table("jobs").count().await.unwrap());
        until_async("the job of this minute", async || jobs().await >= count).await;
        assert_eq!(jobs().await, count, "each time has its job, and no time two");
    }
    let mut runs = BTreeMap::new();
    for time in lines(&orders.file("once")) {
        *runs.entry(time).or_insert(0) += 1;
    }
    assert!(runs.values().all(|count| *count == 1), "what runs once ran twice: {runs:?}");
    // A kill can take a run with it, not more.
    assert!(runs.len() >= MINUTES / 4, "{runs:?}");
}

fn shown(time: OffsetDateTime) -> String {
    time.format(&time::format_description::well_known::Rfc3339).unwrap()
}

// spec: WRK-1
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn processes_that_race_and_are_killed_lose_nothing_and_do_nothing_twice_on_sqlite() {
    races(TestDatabase::sqlite().await).await;
}

// spec: WRK-1
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn processes_that_race_and_are_killed_lose_nothing_and_do_nothing_twice_on_postgres() {
    races(TestDatabase::postgres().await).await;
}

// spec: WRK-1
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn processes_that_race_and_are_killed_lose_nothing_and_do_nothing_twice_on_mysql() {
    races(TestDatabase::mysql().await).await;
}

// spec: WRK-1
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_run_that_is_killed_in_the_middle_is_made_up_for_by_the_next_process_if_asked() {
    let test = TestDatabase::sqlite().await;
    let folder = tempfile::tempdir().unwrap();
    let orders = made(&test, folder.path(), Scene::Long, "2026-11-17T06:00:00Z").await;
    let mut victim = orders.start();
    has_lines(&orders.file("ready"), 1).await;
    orders.set_clock(moment("2026-11-17T07:00:00Z"));
    has_lines(&orders.file("once"), 1).await;
    has_lines(&orders.file("sure"), 1).await;
    victim.kill();

    // It comes back, again and again over restarts; first the lease must be over.
    let mut next = orders.start();
    has_lines(&orders.file("ready"), 2).await;
    assert_eq!(lines(&orders.file("sure")), ["begun 1"]);
    note(&orders.file("go"), "go");
    orders.set_clock(moment("2026-11-17T07:00:15Z"));
    has_lines(&orders.file("sure"), 3).await;
    assert_eq!(lines(&orders.file("sure")), ["begun 1", "begun 2", "ended 2"]);
    assert_eq!(lines(&orders.file("once")), ["begun 1"], "nobody asked for a second run");
    next.kill();
}

// spec: WRK-1
#[cfg(unix)]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_process_that_gets_sigterm_finishes_its_tasks_and_ends_in_peace() {
    let test = TestDatabase::sqlite().await;
    let folder = tempfile::tempdir().unwrap();
    let orders = made(&test, folder.path(), Scene::Long, "2026-11-17T06:00:00Z").await;
    let mut process = orders.start();
    has_lines(&orders.file("ready"), 1).await;
    orders.set_clock(moment("2026-11-17T07:00:00Z"));
    has_lines(&orders.file("once"), 1).await;
    has_lines(&orders.file("sure"), 1).await;
    let asked = Command::new("kill").args(["-TERM", &process.id().to_string()]).status().unwrap();
    assert!(asked.success());
    tokio::time::sleep(Duration::from_millis(200)).await;
    assert!(process.status().is_none(), "it waits for its tasks");
    note(&orders.file("go"), "go");
    assert!(process.ended().success());
    assert_eq!(lines(&orders.file("once")), ["begun 1", "ended 1"]);
    assert_eq!(lines(&orders.file("sure")), ["begun 1", "ended 1"]);
}
