//! `migrate*` and `db:*`, each run of the console in a process of its own: this test binary, started again.

#![allow(clippy::unwrap_used, reason = "a helper that fails fails its test")]

use std::ffi::OsString;
use std::process::ExitCode;

use housekey_console::AppDatabase;
use housekey_core::{AppConfig, AppKey, ConfigFile, ConfigFiles, EncryptionConfig, Env, Result};
use housekey_database::{ConnectionConfig, Database, DatabaseConfig, Migration, Migrations, Seeder, record};
use housekey_http::App;
use housekey_test_support::{run, this_test};
use tempfile::TempDir;

const CHILD: &str = "HOUSEKEY_CONSOLE_TEST_ARGUMENTS";

fn migrations() -> Migrations {
    let mut all = Migrations::new()
        .with(Migration::new(
            "2026_01_01_000000_create_plans",
            |schema| {
                schema.create("plans", |table| {
                    table.id();
                    table.string("slug", 40).unique();
                });
            },
            |schema| schema.drop("plans"),
        ))
        .with(Migration::new(
            "2026_01_02_000000_create_teams",
            |schema| {
                schema.create("teams", |table| {
                    table.id();
                    table.big_integer("plan_id").references("plans", "id").on_delete_cascade();
                });
            },
            |schema| schema.drop("teams"),
        ));
    if std::env::var_os("BROKEN").is_some() {
        all = all.with(Migration::new(
            "2026_01_03_000000_broken",
            |schema| {
                schema.create("never", |table| {
                    table.id();
                });
                schema.raw("this is no sql");
            },
            |_| {},
        ));
    }
    all
}

struct Plans;

impl Seeder for Plans {
    async fn run(&self, db: Database) -> Result<()> {
        db.table("plans").upsert([record! { "slug" => "free" }], &["slug"], &["slug"]).await
    }
}

#[test]
#[ignore = "a process of the app, which the tests below start"]
fn runs_the_console_when_started_as_a_child_process() {
    let arguments =
        std::env::var(CHILD).expect("the tests below start it, with the arguments of the console");
    let variable = |name: &str| std::env::var(name).unwrap_or_default();
    let (env, key) = (variable("APP_ENV"), variable("APP_KEY"));
    let files = ConfigFiles::new()
        .with(ConfigFile::new("app", "config/app.rs", move || AppConfig {
            env: env.as_str().into(),
            ..AppConfig::default()
        }))
        .with(ConfigFile::new("database", "config/database.rs", || {
            DatabaseConfig::default().with("reports", ConnectionConfig::sqlite("storage/reports.sqlite"))
        }))
        .with(ConfigFile::new("encryption", "config/encryption.rs", move || EncryptionConfig {
            key: key.as_str().into(),
            ..EncryptionConfig::default()
        }));
    let app =
        App::new(files).root(variable("APP_ROOT")).env(Env::empty()).migrations(migrations()).seeder(Plans);
    let arguments = std::iter::once("app").chain(arguments.split_whitespace()).map(OsString::from);
    assert_eq!(housekey_console::run_with(app, arguments), ExitCode::SUCCESS);
}

struct Site {
    folder: TempDir,
    key: String,
    env: &'static str,
    broken: bool,
}

impl Site {
    fn new(env: &'static str) -> Self {
        let key = AppKey::generate().to_text().reveal().to_owned();
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("Cargo.toml"), "").unwrap();
        Self { folder, key, env, broken: false }
    }

    fn run(&self, arguments: &str) -> (bool, String) {
        let mut process = this_test("runs_the_console_when_started_as_a_child_process");
        process
            .env(CHILD, arguments)
            .env("APP_ROOT", self.folder.path())
            .env("APP_ENV", self.env)
            .env("APP_KEY", &self.key);
        if self.broken {
            process.env("BROKEN", "1");
        }
        let output = run(&mut process);
        let said = [output.stdout, output.stderr].concat();
        (output.status.success(), String::from_utf8(said).unwrap())
    }

    #[track_caller]
    fn ok(&self, arguments: &str) -> String {
        let (success, said) = self.run(arguments);
        assert!(success, "{arguments}: {said}");
        said
    }

    #[track_caller]
    fn fails(&self, arguments: &str) -> String {
        let (success, said) = self.run(arguments);
        assert!(!success, "{arguments}: {said}");
        said
    }
}

// spec: CLI-4
#[test]
fn a_schema_goes_forward_and_back() {
    let site = Site::new("development");
    assert!(site.ok("migrate:status").contains("2026_01_01_000000_create_plans  pending"));
    let pretended = site.ok("migrate --pretend");
    assert!(pretended.contains("-- 2026_01_01_000000_create_plans\ncreate table `plans` ("), "{pretended}");
    assert!(site.ok("db:show").contains("No tables yet"));

    let migrated = site.ok("migrate --seed");
    assert!(migrated.contains("2026_01_02_000000_create_teams migrated in"), "{migrated}");
    assert!(migrated.contains("Plans seeded"), "{migrated}");
    assert!(site.ok("migrate").contains("Nothing to migrate."));
    assert!(site.ok("migrate:status").contains("2026_01_02_000000_create_teams  ran (batch 1)"));

    let shown = site.ok("db:show --counts");
    assert!(shown.contains("SQLite 3") && shown.contains("plans       2        1        1"), "{shown}");
    let table = site.ok("db:table teams");
    assert!(table.contains("plan_id") && table.contains("plans (id)  the row goes too"), "{table}");
    let missing = site.fails("db:table team");
    assert!(missing.contains("has no table `team`") && missing.contains("plans, teams"), "{missing}");

    assert!(site.ok("migrate:rollback --step 1").contains("create_teams taken back"));
    assert!(site.ok("migrate:refresh --seed").contains("create_teams migrated"));
    assert!(site.ok("migrate:fresh").contains("create_plans migrated"));
    assert!(site.ok("db:show --counts").contains("plans       2        1        0"));
    assert!(site.ok("db:seed --class Plans").contains("Plans seeded"));
    assert!(site.fails("db:seed --class Plan").contains("the app has Plans"));
    assert!(site.ok("migrate:reset").contains("create_plans taken back"));
    assert!(site.ok("db:wipe").contains("1 tables dropped: migrations"));
    assert!(site.ok("migrate:install --database reports").contains("was made"));
    assert!(site.folder.path().join("storage/reports.sqlite").is_file());
    assert!(site.fails("migrate --database report").contains("config/database.rs has reports, sqlite"));
}

// spec: CLI-4
#[test]
fn a_failing_migration_leaves_nothing_half_done() {
    let mut site = Site::new("development");
    site.broken = true;
    let said = site.fails("migrate");
    assert!(said.contains("`2026_01_03_000000_broken` failed; nothing of it was kept"), "{said}");
    assert!(said.contains("this is no sql"), "{said}");
    assert!(!site.ok("db:show").contains("never"));
    assert!(site.ok("migrate:status").contains("2026_01_03_000000_broken        pending"));
    site.broken = false;
    assert!(site.ok("migrate").contains("Nothing to migrate."));
}

#[test]
fn what_cannot_be_undone_is_asked_for_in_production() {
    let site = Site::new("production");
    for command in [
        "migrate",
        "migrate:rollback",
        "migrate:reset",
        "migrate:refresh",
        "migrate:fresh",
        "db:seed",
        "db:wipe",
    ] {
        let refused = site.fails(command);
        assert!(refused.contains("--force"), "{command}: {refused}");
    }
    assert!(site.ok("migrate --pretend").contains("create table"), "looking is free");
    site.ok("migrate --force");
    site.ok("migrate:fresh --force --seed");
    assert!(site.ok("db:wipe --force").contains("3 tables dropped"));
}

#[test]
fn a_migration_file_is_made_with_its_time_in_its_name() {
    let site = Site::new("development");
    let said = site.ok("make:migration create_posts");
    assert!(said.contains("database/migrations/") && said.contains("_create_posts.rs created"), "{said}");
    assert!(site.fails("make:migration create_posts").contains("already"));
}
