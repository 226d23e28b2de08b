//! `queue:*`, each run of the console in a process of its own: this test binary, started again.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a helper that fails fails its test, and a job speaks to it"
)]

use std::ffi::OsString;
use std::process::{Command as Process, ExitCode, Stdio};

use housekey_console::{AppCommands, Command, CommandContext, clap};
use housekey_core::{AppConfig, AppKey, ConfigFile, ConfigFiles, EncryptionConfig, Env, Error, Result};
use housekey_database::db;
use housekey_http::App;
use housekey_queue::{AppJobs, Job, QueueConfig, QueueProvider, job, permanent_failure, tables};
use housekey_test_support::{Program, run, this_test};
use serde::{Deserialize, Serialize};
use tempfile::TempDir;

const CHILD: &str = "HOUSEKEY_CONSOLE_TEST_ARGUMENTS";
const SECRET: &str = "open-sesame-4711";

/// Works when the word is right, and gives up when it is not.
#[derive(Serialize, Deserialize)]
struct Open {
    word: String,
}

impl Job for Open {
    const NAME: &'static str = "open-door";

    async fn handle(self) -> Result<()> {
        if std::env::var("DOOR").is_ok_and(|door| door == "open") {
            println!("the door is open");
            return Ok(());
        }
        Err(permanent_failure(Error::internal(format!("the door did not take {}", self.word))))
    }
}

/// `knock`: makes the tables and dispatches a job.
struct Knock;

impl Command for Knock {
    fn name(&self) -> &'static str {
        "knock"
    }

    fn about(&self) -> &'static str {
        "Dispatch a job"
    }

    fn args(&self, command: clap::Command) -> clap::Command {
        command.arg(clap::arg!(--tables "Make the tables first"))
    }

    async fn run(&self, context: CommandContext) -> Result<()> {
        if context.flag("tables") {
            db()?.schema(tables::create).await?;
        }
        Open { word: SECRET.into() }.dispatch().await.map(drop)
    }
}

#[test]
#[ignore = "a process of the app, which the tests below start"]
fn runs_the_console_when_started_as_a_child_process() {
    let arguments =
        std::env::var(CHILD).expect("the tests below start it, with the arguments of the console");
    let variable = |name: &str| std::env::var(name).unwrap_or_default();
    let (env, driver, key) = (variable("APP_ENV"), variable("QUEUE_DRIVER"), variable("APP_KEY"));
    let files = ConfigFiles::new()
        .with(ConfigFile::new("app", "config/app.rs", move || AppConfig {
            env: env.as_str().into(),
            ..AppConfig::default()
        }))
        .with(ConfigFile::new("encryption", "config/encryption.rs", move || EncryptionConfig {
            key: key.as_str().into(),
            ..EncryptionConfig::default()
        }))
        .with(ConfigFile::new("queue", "config/queue.rs", move || QueueConfig {
            driver: driver.clone(),
            ..QueueConfig::default()
        }));
    let app = App::new(files)
        .root(variable("APP_ROOT"))
        .env(Env::empty().with("HOUSEKEY_DEV_PIPE", variable("HOUSEKEY_DEV_PIPE")))
        .provider(QueueProvider)
        .jobs([job::<Open>()])
        .command(Knock);
    let arguments = std::iter::once("app").chain(arguments.split_whitespace()).map(OsString::from);
    assert_eq!(housekey_console::run_with(app, arguments), ExitCode::SUCCESS);
}

struct Site {
    folder: TempDir,
    key: String,
    env: &'static str,
    driver: &'static str,
}

impl Site {
    fn new(env: &'static str) -> Self {
        let key = AppKey::generate().to_text().reveal().to_owned();
        Self { folder: tempfile::tempdir().unwrap(), key, env, driver: "database" }
    }

    /// Whether it succeeded, and everything it said.
    fn run(&self, arguments: &str, door: &str) -> (bool, String) {
        let output = run(&mut self.command(arguments, door));
        let said = [output.stdout, output.stderr].concat();
        (output.status.success(), String::from_utf8(said).unwrap())
    }

    fn command(&self, arguments: &str, door: &str) -> Process {
        let mut command = this_test("runs_the_console_when_started_as_a_child_process");
        command
            .env(CHILD, arguments)
            .env("APP_ROOT", self.folder.path())
            .env("APP_ENV", self.env)
            .env("APP_KEY", &self.key)
            .env("QUEUE_DRIVER", self.driver)
            .env("DOOR", door);
        command
    }

    #[track_caller]
    fn ok(&self, arguments: &str) -> String {
        let (success, said) = self.run(arguments, "shut");
        assert!(success, "{arguments}: {said}");
        said
    }

    #[track_caller]
    fn fails(&self, arguments: &str) -> String {
        let (success, said) = self.run(arguments, "shut");
        assert!(!success, "{arguments}: {said}");
        said
    }
}

#[test]
fn a_job_waits_fails_is_shown_without_what_it_carries_and_is_tried_again() {
    let site = Site::new("development");
    site.ok("knock --tables");
    let size = site.ok("queue:size");
    assert!(size.contains("default  1    0      0"), "{size}");

    let worked = site.ok("queue:work --stop-when-empty");
    assert!(worked.contains("0 jobs done, 1 failed") && worked.contains("queue:failed"), "{worked}");
    assert!(!worked.contains(SECRET), "{worked}");
    let failed = site.ok("queue:failed");
    assert!(failed.contains("open-door") && failed.contains("the door did not take […]"), "{failed}");
    assert!(!failed.contains(SECRET), "{failed}");

    let asked = site.fails("queue:retry");
    assert!(asked.contains("--all"), "{asked}");
    let nobody = site.ok("queue:retry nobody");
    assert!(nobody.contains("0 jobs put back") && nobody.contains("did not fail"), "{nobody}");
    let id =
        failed.lines().find(|line| line.contains("open-door")).unwrap().split(' ').next().unwrap().to_owned();
    assert!(site.ok(&format!("queue:retry {id}")).contains("1 job put back."));
    let (success, worked) =
        site.run("queue:work --stop-when-empty --queue urgent,default --concurrency 2", "open");
    assert!(success && worked.contains("the door is open") && worked.contains("1 job done."), "{worked}");
    assert!(site.ok("queue:failed").contains("No job has failed."));
}

#[test]
fn what_cannot_be_undone_is_asked_for_in_production() {
    let site = Site::new("production");
    site.ok("knock --tables");
    site.ok("knock");
    assert!(site.ok("queue:work --max-jobs 1").contains("1 failed"));
    for command in ["queue:flush", "queue:clear"] {
        let refused = site.fails(command);
        assert!(refused.contains("--force"), "{refused}");
    }
    assert!(site.ok("queue:size").contains("default  1"));
    assert!(site.ok("queue:clear --force").contains("1 job removed from default."));
    assert!(site.ok("queue:flush --force").contains("1 job removed."));
    assert!(site.ok("queue:failed").contains("No job has failed."));
}

#[test]
fn missing_tables_and_a_queue_without_a_store_say_what_to_do() {
    let site = Site::new("development");
    let said = site.fails("queue:work");
    assert!(said.contains("make:queue-table") && said.contains("migrate"), "{said}");
    let site = Site { driver: "sync", ..site };
    for command in ["queue:work", "queue:size", "queue:failed"] {
        let said = site.fails(command);
        assert!(said.contains("QUEUE_DRIVER"), "{said}");
    }
}

#[test]
fn where_no_job_waits_a_worker_that_is_only_started_if_needed_ends_without_a_word() {
    let site = Site { driver: "sync", ..Site::new("development") };
    let said = site.ok("queue:work --if-needed");
    assert!(!said.contains("Working") && !said.contains("QUEUE_DRIVER"), "{said}");
}

#[test]
fn behind_housekey_dev_a_worker_works_and_ends_with_its_input() {
    let site = Site::new("development");
    site.ok("knock --tables");
    let mut command = site.command("queue:work --all --if-needed", "open");
    let mut worker = Program::start(command.env("HOUSEKEY_DEV_PIPE", "1").stdin(Stdio::piped()));
    worker.says("the door is open");
    assert!(worker.status().is_none(), "the worker ended while its input was open");

    worker.close_input();

    assert!(worker.ended().success());
}
