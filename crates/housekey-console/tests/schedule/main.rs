//! `schedule:*` and the schedule inside `serve`, each run of the console in a process of its own: this test binary, started
//! again, with a clock that stands at the time it is told.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a helper that fails fails its test, and a task speaks to it"
)]

use std::ffi::OsString;
use std::process::{Command as Process, ExitCode, Stdio};

use housekey_console::{AppCommands, Command, CommandContext};
use housekey_core::{
    AppConfig, AppKey, Clock, ConfigFile, ConfigFiles, EncryptionConfig, Env, Error, Result,
};
use housekey_database::db;
use housekey_http::App;
use housekey_queue::{Job, QueueProvider, job};
use housekey_schedule::{AppSchedule, Schedule, ScheduleConfig, tables};
use housekey_test_support::{Program, run, this_test, until};
use serde::{Deserialize, Serialize};
use tempfile::TempDir;
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

const CHILD: &str = "HOUSEKEY_CONSOLE_TEST_ARGUMENTS";

#[derive(Serialize, Deserialize)]
struct Remind;

impl Job for Remind {
    const NAME: &'static str = "remind";

    async fn handle(self) -> Result<()> {
        println!("somebody was reminded");
        Ok(())
    }
}

/// `tables`: makes the table of the schedule.
struct Tables;

impl Command for Tables {
    fn name(&self) -> &'static str {
        "tables"
    }

    fn about(&self) -> &'static str {
        "Make the table of the schedule"
    }

    async fn run(&self, _: CommandContext) -> Result<()> {
        db()?.schema(tables::create).await
    }
}

fn schedule(schedule: &mut Schedule) {
    schedule.daily_at("07:00", job::<Remind>()).timezone("Europe/Berlin").catch_up();
    let print = async || {
        if std::env::var("PAPER").is_ok_and(|paper| paper == "none") {
            return Err(Error::internal("there is no paper"));
        }
        println!("a page was printed");
        Ok(())
    };
    schedule.cron("0 9 * * MON-FRI", print).name("print").without_overlapping();
}

#[test]
#[ignore = "a process of the app, which the tests below start"]
fn runs_the_console_when_started_as_a_child_process() {
    let arguments =
        std::env::var(CHILD).expect("the tests below start it, with the arguments of the console");
    let variable = |name: &str| std::env::var(name).unwrap_or_default();
    let (key, store) = (variable("APP_KEY"), variable("SCHEDULE_STORE"));
    let files = ConfigFiles::new()
        .with(ConfigFile::new("app", "config/app.rs", || AppConfig {
            env: "development".into(),
            ..AppConfig::default()
        }))
        .with(ConfigFile::new("encryption", "config/encryption.rs", move || EncryptionConfig {
            key: key.as_str().into(),
            ..EncryptionConfig::default()
        }))
        .with(ConfigFile::new("schedule", "config/schedule.rs", move || ScheduleConfig {
            store: store.clone(),
            serve: true,
            ..ScheduleConfig::default()
        }));
    let now = OffsetDateTime::parse(&variable("NOW"), &Rfc3339).unwrap();
    let mut app = App::new(files)
        .root(variable("APP_ROOT"))
        .env(Env::empty().with("HOUSEKEY_DEV_PIPE", variable("HOUSEKEY_DEV_PIPE")))
        .clock(Clock::frozen(now))
        .provider(QueueProvider)
        .command(Tables);
    if variable("TASKS") != "none" {
        app = app.schedule(schedule);
    }
    let arguments = std::iter::once("app").chain(arguments.split_whitespace()).map(OsString::from);
    assert_eq!(housekey_console::run_with(app, arguments), ExitCode::SUCCESS);
}

struct Site {
    folder: TempDir,
    key: String,
}

impl Site {
    fn new() -> Self {
        let key = AppKey::generate().to_text().reveal().to_owned();
        let site = Self { folder: tempfile::tempdir().unwrap(), key };
        site.ok("tables", "2026-11-17T00:00:00Z");
        site
    }

    fn command(&self, arguments: &str, now: &str) -> Process {
        let mut command = this_test("runs_the_console_when_started_as_a_child_process");
        command
            .env(CHILD, arguments)
            .env("APP_ROOT", self.folder.path())
            .env("APP_KEY", &self.key)
            .env("SCHEDULE_STORE", "database")
            .env("NOW", now);
        command
    }

    #[track_caller]
    fn ok(&self, arguments: &str, now: &str) -> String {
        said(&mut self.command(arguments, now), true)
    }
}

#[track_caller]
fn said(command: &mut Process, succeeds: bool) -> String {
    let output = run(command);
    let said = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
    assert_eq!(output.status.success(), succeeds, "{said}");
    said
}

// spec: WRK-1
#[test]
fn what_is_due_runs_once_however_often_a_crontab_asks() {
    let site = Site::new();
    assert!(site.ok("schedule:run", "2026-11-17T05:00:00Z").contains("0 tasks done."));
    let ran = site.ok("schedule:run", "2026-11-17T06:00:20Z");
    assert!(ran.contains("somebody was reminded") && ran.contains("1 task done."), "{ran}");
    assert!(ran.contains("scheduled task done") && ran.contains("2026-11-17 07:00 +01:00"), "{ran}");
    assert!(site.ok("schedule:run", "2026-11-17T06:00:40Z").contains("0 tasks done."));

    let failed = said(site.command("schedule:run", "2026-11-17T09:00:00Z").env("PAPER", "none"), false);
    assert!(failed.contains("1 failed") && failed.contains("there is no paper"), "{failed}");
    assert!(site.ok("schedule:run print", "2026-11-17T12:00:00Z").contains("a page was printed"));
    let unknown = said(&mut site.command("schedule:run sprint", "2026-11-17T12:00:00Z"), false);
    assert!(unknown.contains("print, remind") || unknown.contains("remind, print"), "{unknown}");
}

#[test]
fn the_list_shows_what_comes_next_and_how_it_went_last() {
    let site = Site::new();
    let list = site.ok("schedule:list", "2026-03-28T12:00:00Z");
    let line = |list: &str, task: &str| list.lines().find(|line| line.contains(task)).unwrap().to_owned();
    let remind = line(&list, "remind");
    for word in ["every day at 07:00", "Europe/Berlin", "2026-03-29 07:00 +02:00", "job, catch up"] {
        assert!(remind.contains(word), "{list}");
    }
    let print = line(&list, "print");
    for word in ["0 9 * * MON-FRI", "UTC", "2026-03-30 09:00 +00:00", "without overlapping"] {
        assert!(print.contains(word), "{list}");
    }
    site.ok("schedule:run", "2026-03-28T12:00:00Z");
    site.ok("schedule:run", "2026-03-29T05:00:00Z");
    let list = site.ok("schedule:list", "2026-03-29T05:01:00Z");
    assert!(line(&list, "remind").contains("2026-03-29 07:00 +02:00  done"), "{list}");
    let json = site.ok("schedule:list --json", "2026-03-29T05:01:00Z");
    assert!(json.contains("\"nextUnix\"") && json.contains("\"outcome\": \"done\""), "{json}");
}

#[test]
fn a_scheduler_makes_up_for_what_was_missed_and_ends_when_it_is_asked_to() {
    let site = Site::new();
    site.ok("schedule:run", "2026-11-17T05:00:00Z");
    let mut worker = Program::start(&mut site.command("schedule:work", "2026-11-19T15:00:00Z"));
    worker.says("Running the schedule (2 tasks).");
    // On two streams, in whatever order they are read.
    for text in ["somebody was reminded", "scheduled task done", "scheduled task missed"] {
        until(text, || worker.said().contains(text));
    }
    terminate(&worker);
    assert!(worker.ended().success());
    assert!(worker.said().contains("1 task done, 1 missed."), "{}", worker.said());
}

#[test]
fn a_server_runs_the_schedule_too_when_it_is_configured_so() {
    let site = Site::new();
    site.ok("schedule:run", "2026-11-17T05:00:00Z");
    let mut server = Program::start(&mut site.command("serve --port 0", "2026-11-17T06:00:30Z"));
    server.says("is ready on");
    server.says("somebody was reminded");
    terminate(&server);
    assert!(server.ended().success());

    let mut command = site.command("serve --port 0", "2026-11-18T06:00:30Z");
    let mut server = Program::start(command.env("HOUSEKEY_DEV_PIPE", "1").stdin(Stdio::piped()));
    server.says("somebody was reminded");
    server.close_input();
    assert!(server.ended().success());
}

#[test]
fn without_tasks_or_a_table_the_console_says_what_to_do() {
    let site = Site::new();
    let now = "2026-11-17T05:00:00Z";
    let without =
        |arguments: &str, succeeds| said(site.command(arguments, now).env("TASKS", "none"), succeeds);
    assert!(without("schedule:list", true).contains("Nothing is scheduled."));
    for command in ["schedule:run", "schedule:work"] {
        assert!(without(command, false).contains(".schedule("), "{command}");
    }
    let bare = Site { folder: tempfile::tempdir().unwrap(), key: site.key.clone() };
    for command in ["schedule:run", "schedule:work", "schedule:list"] {
        let said = said(&mut bare.command(command, now), false);
        assert!(said.contains("make:schedule-table") && said.contains("migrate"), "{said}");
    }
}

fn terminate(program: &Program) {
    let asked = Process::new("kill").args(["-TERM", &program.id().to_string()]).status().unwrap();
    assert!(asked.success());
}
