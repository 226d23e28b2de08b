//! The commands `auth:*`, each run of the console in a process of its own: this test binary, started again.
//!
//! The migrations that the command writes are compiled into this test already, as files of the crate that writes them;
//! a run of the console has those that are in the app's folder, as an app has after `cargo run`.

#![allow(clippy::unwrap_used, reason = "a helper that fails fails its test")]
#![allow(missing_docs, unreachable_pub, reason = "the migrations look as they do in an app")]

#[path = "../../../housekey-auth/tests/schema/made/add_two_factor_to_auth.rs"]
mod add_two_factor_to_auth;
mod admins;
#[path = "../../../housekey-auth/tests/schema/made/create_auth_tables.rs"]
mod create_auth_tables;
mod events;
mod providers;

use std::ffi::OsString;
use std::process::{Command as Process, ExitCode};

use housekey_auth::config::{Provider, SocialProviders};
use housekey_auth::engine::options::{EmailAndPassword, EngineOptions};
use housekey_auth::engine::plugins::{admin, two_factor};
use housekey_auth::events::Events;
use housekey_auth::{AuthConfig, AuthProvider};
use housekey_console::AppDatabase;
use housekey_core::{AppConfig, AppKey, ConfigFile, ConfigFiles, EncryptionConfig, Env};
use housekey_database::testing::TestDatabase;
use housekey_database::{
    ConnectionConfig, Database, DatabaseConfig, Driver, Migration, Migrations, Seeder, on_every_engine,
};
use housekey_http::App;
use housekey_test_support::{Program, run, this_test};
use tempfile::TempDir;

const CHILD: &str = "HOUSEKEY_CONSOLE_TEST_ARGUMENTS";
const SECRET: &str = "a secret of at least thirty-two characters";

const CREATE: &str = include_str!("../../../housekey-auth/tests/schema/made/create_auth_tables.rs");
const TWO_FACTOR: &str = include_str!("../../../housekey-auth/tests/schema/made/add_two_factor_to_auth.rs");

/// The files in the app's folder that are compiled into this binary.
fn migrations(root: &str) -> Migrations {
    let entries = std::fs::read_dir(format!("{root}/database/migrations")).into_iter().flatten();
    let files = entries.map(|entry| entry.unwrap().path());
    files
        .filter_map(|file| {
            let name = file.file_stem().unwrap().to_str().unwrap().to_owned();
            match std::fs::read_to_string(&file).unwrap().as_str() {
                CREATE => Some(Migration::new(name, create_auth_tables::up, create_auth_tables::down)),
                TWO_FACTOR => {
                    Some(Migration::new(name, add_two_factor_to_auth::up, add_two_factor_to_auth::down))
                }
                _ => None,
            }
        })
        .collect()
}

#[test]
#[ignore = "a process of the app, which the tests below start"]
fn runs_the_console_when_started_as_a_child_process() {
    let arguments =
        std::env::var(CHILD).expect("the tests below start it, with the arguments of the console");
    let root = std::env::var("APP_ROOT").unwrap();
    let (key, with_two_factor) = (std::env::var("KEY").unwrap(), std::env::var_os("TWO_FACTOR").is_some());
    let connection = std::env::var("CONNECTION").ok();
    let keeps_events = std::env::var_os("EVENTS").is_some();
    let people = match std::env::var("PEOPLE") {
        Ok(url) if url.starts_with("postgres:") => ConnectionConfig::postgres(url),
        Ok(url) if url.starts_with("mysql:") => ConnectionConfig::mysql(url),
        file => ConnectionConfig::sqlite(file.unwrap_or_else(|_| "storage/people.sqlite".into())),
    };
    let files = ConfigFiles::new()
        .with(ConfigFile::new("app", "config/app.rs", || AppConfig {
            env: std::env::var("MODE").unwrap_or_else(|_| "development".into()).as_str().into(),
            ..AppConfig::default()
        }))
        .with(ConfigFile::new("auth", "config/auth.rs", move || AuthConfig {
            connection: connection.clone(),
            events: if keeps_events { Events::kept(90) } else { Events::logged() },
            engine: EngineOptions {
                secret: std::env::var("SECRET").unwrap_or_else(|_| SECRET.into()).into(),
                social_providers: social_providers(),
                email_and_password: EmailAndPassword { enabled: true, ..Default::default() },
                ..Default::default()
            },
            plugins: with_two_factor
                .then(|| two_factor(Default::default()))
                .into_iter()
                .chain(std::env::var_os("ADMIN").map(|_| admin(Default::default())))
                .collect(),
            ..Default::default()
        }))
        .with(ConfigFile::new("database", "config/database.rs", move || {
            DatabaseConfig::default().with("people", people.clone())
        }))
        .with(ConfigFile::new("encryption", "config/encryption.rs", move || EncryptionConfig {
            key: key.as_str().into(),
            ..EncryptionConfig::default()
        }));
    let migrations = migrations(&root);
    let app = App::new(files).root(root).env(Env::empty()).migrations(migrations).provider(AuthProvider);
    let app = app.seeder(LooksForPeople).routes(|route| {
        route.delete("/account", async || "gone").middleware(["auth", "action:delete-account"]);
    });
    let arguments = std::iter::once("app").chain(arguments.split_whitespace()).map(OsString::from);
    assert_eq!(housekey_console::run_with(app, arguments), ExitCode::SUCCESS);
}

/// Whom people may sign in with, for tests that ask for somebody.
fn social_providers() -> SocialProviders {
    let github = std::env::var("PROVIDER_SECRET").map(|secret| Provider::github("id", secret));
    let own =
        std::env::var("ISSUER").map(|issuer| Provider::oidc("own", issuer, "id", "secret").with_name("Own"));
    SocialProviders::from(github.into_iter().chain(own))
}

/// As the kits' seeder, which looks before it makes anybody.
struct LooksForPeople;

impl Seeder for LooksForPeople {
    async fn run(&self, db: Database) -> housekey_core::Result<()> {
        db.table("user").count().await.map(drop)
    }
}

struct Site {
    folder: TempDir,
    key: String,
    variables: Vec<(&'static str, String)>,
}

impl Site {
    fn new() -> Self {
        let key = AppKey::generate().to_text().reveal().to_owned();
        let site = Self { folder: tempfile::tempdir().unwrap(), key, variables: Vec::new() };
        site.write("Cargo.toml", "");
        site
    }

    /// With the accounts on the connection `people`, which is this database.
    fn on(test: &TestDatabase) -> Self {
        let ConnectionConfig { driver, url, database, .. } = &test.config;
        let address = if *driver == Driver::Sqlite { database.clone() } else { url.reveal().to_owned() };
        let mut site = Self::new();
        site.variables.extend([("CONNECTION", "people".to_owned()), ("PEOPLE", address)]);
        site
    }

    fn with_two_factor(&mut self) {
        self.variables.push(("TWO_FACTOR", "1".to_owned()));
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.folder.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    fn read(&self, path: &str) -> String {
        std::fs::read_to_string(self.folder.path().join(path)).unwrap()
    }

    fn run(&self, arguments: &str) -> (bool, String) {
        let output = run(&mut self.process(arguments));
        let said = [output.stdout, output.stderr].concat();
        (output.status.success(), String::from_utf8(said).unwrap())
    }

    fn process(&self, arguments: &str) -> Process {
        let mut process = this_test("runs_the_console_when_started_as_a_child_process");
        process
            .env(CHILD, arguments)
            .env("APP_ROOT", self.folder.path())
            .env("KEY", &self.key)
            .env_remove("APP_KEY")
            .env_remove("AUTH_SECRET")
            .envs(self.variables.iter().map(|(name, value)| (name, value)));
        process
    }

    /// Serves until the log has a line with this text, and gives that line.
    #[track_caller]
    fn log_of_serve(&self, text: &str) -> String {
        Program::start(&mut self.process("serve --port 0")).says(text)
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

    /// The migrations by what they do, in order.
    fn migrations(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.folder.path().join("database/migrations")).into_iter().flatten();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names.iter().map(|name| name[18..].to_owned()).collect()
    }
}

// spec: CLI-1, CLI-2, CLI-3, CLI-8
#[test]
fn the_tables_follow_the_configuration() {
    let mut site = Site::new();
    let said = site.ok("auth:schema");
    assert!(said.contains("_create_auth_tables.rs created") && said.contains("housekey migrate\n"), "{said}");
    assert_eq!(site.migrations(), ["create_auth_tables.rs"]);
    assert!(site.ok("migrate").contains("create_auth_tables migrated"));

    let said = site.ok("auth:schema --diff");
    assert!(said.contains("The auth tables already match the configuration."), "{said}");
    assert_eq!(site.migrations().len(), 1);

    site.with_two_factor();
    let said = site.ok("auth:schema --diff");
    assert!(said.contains("_add_two_factor_to_auth.rs created"), "{said}");
    assert!(said.contains("table twoFactor") && said.contains("column user.twoFactorEnabled"), "{said}");
    site.ok("migrate");
    assert!(site.ok("db:table twoFactor").contains("twoFactor_secret_idx"));
    assert!(site.ok("auth:schema --diff").contains("already match the configuration"));
    assert_eq!(site.migrations(), ["create_auth_tables.rs", "add_two_factor_to_auth.rs"]);
    assert!(site.ok("migrate:rollback --step 2").contains("create_auth_tables taken back"));
}

on_every_engine!(
    a_program_that_was_built_before_the_tables_makes_them_and_the_next_build_knows,
    a_migration_that_fails_at_once_leaves_nothing_or_what_migrate_goes_on_with,
);

// spec: CLI-1, CLI-2, CLI-8
async fn a_program_that_was_built_before_the_tables_makes_them_and_the_next_build_knows(test: TestDatabase) {
    let mut site = Site::on(&test);
    let said = site.ok("auth:schema --migrate");
    assert!(said.contains("_create_auth_tables.rs created"), "{said}");
    assert!(said.contains("_create_auth_tables migrated in") && !said.contains("Next:"), "{said}");
    assert!(site.ok("db:table session --database=people").contains("token"));
    // From here on every run has the file compiled in, as after the next build.
    let status = site.ok("migrate:status --database=people");
    assert!(status.contains("ran (batch 1)") && !status.contains("file is gone"), "{status}");
    assert!(site.ok("migrate --database=people").contains("Nothing to migrate"));

    let said = site.ok("auth:schema --migrate");
    assert!(said.contains("The auth tables already match the configuration."), "{said}");
    assert_eq!(site.migrations(), ["create_auth_tables.rs"]);

    site.with_two_factor();
    let said = site.fails("auth:schema --migrate");
    assert!(said.contains("has auth tables already") && said.contains("auth:schema --diff"), "{said}");
    let said = site.ok("auth:schema --diff --migrate");
    assert!(said.contains("_add_two_factor_to_auth migrated in"), "{said}");
    assert_eq!(site.migrations(), ["create_auth_tables.rs", "add_two_factor_to_auth.rs"]);
    assert!(site.ok("migrate --database=people").contains("Nothing to migrate"));
    // The file takes back what the plan did, one batch at a time.
    let said = site.ok("migrate:rollback --database=people");
    assert!(said.contains("add_two_factor_to_auth taken back") && !said.contains("create_auth"), "{said}");
    assert!(site.ok("migrate:rollback --database=people").contains("create_auth_tables taken back"));
    assert!(site.ok("migrate --database=people").contains("create_auth_tables migrated"));
}

async fn a_migration_that_fails_at_once_leaves_nothing_or_what_migrate_goes_on_with(test: TestDatabase) {
    let mut site = Site::on(&test);
    site.ok("auth:schema --migrate");
    site.with_two_factor();
    let said = site.fails("auth:schema --migrate --force");
    let status = site.ok("migrate:status --database=people");
    if test.db.driver().has_transactional_schema() {
        assert!(said.contains("_create_auth_tables_2` failed; nothing of it was kept"), "{said}");
        assert!(said.contains("removed again"), "{said}");
        assert_eq!(site.migrations(), ["create_auth_tables.rs"]);
        assert!(!status.contains("create_auth_tables_2"), "{status}");
    } else {
        assert_eq!(site.migrations(), ["create_auth_tables.rs", "create_auth_tables_2.rs"]);
        assert!(status.contains("stopped after 0 statements; `migrate` goes on from there"), "{status}");
    }
    assert!(!site.ok("db:show --database=people").contains("twoFactor"));
}

#[test]
fn tables_that_were_written_down_and_not_migrated_are_migrated_and_not_written_again() {
    let site = Site::new();
    site.ok("auth:schema");
    assert!(site.ok("auth:schema --migrate").contains("_create_auth_tables migrated in"));
    assert_eq!(site.migrations(), ["create_auth_tables.rs"]);
    assert!(site.ok("migrate").contains("Nothing to migrate"));
}

#[test]
fn tables_that_are_missing_are_told_with_the_command_that_makes_them() {
    let mut site = Site::new();
    let told = "The tables of accounts are not in ";
    let command = "Run `housekey auth:schema --migrate`.";
    let said = site.ok("migrate");
    assert!(said.contains("Nothing to migrate") && said.contains(told) && said.contains(command), "{said}");
    let said = site.fails("db:seed");
    assert!(said.contains("no such table: user. It is one of the tables of accounts"), "{said}");
    assert!(said.contains("`housekey auth:schema --migrate`"), "{said}");
    let line = site.log_of_serve(told);
    assert!(line.contains("WARN housekey::boot") && line.contains(command), "{line}");

    site.ok("auth:schema --migrate");
    assert!(!site.ok("migrate").contains("tables of accounts"));
    site.ok("db:seed");
    site.with_two_factor();
    let said = site.ok("migrate");
    assert!(said.contains("Some tables of accounts are not in ") && said.contains(": twoFactor. "), "{said}");
    assert!(said.contains("Run `housekey auth:schema --diff --migrate`."), "{said}");
}

// spec: CFG-4
#[test]
fn serving_with_a_weak_secret_is_warned_about_in_the_log() {
    for (secret, problem) in [("", "is not set"), ("short", "has 5 characters")] {
        let mut site = Site::new();
        site.variables.push(("SECRET", secret.to_owned()));
        let line = site.log_of_serve("AUTH_SECRET");
        assert!(line.contains("WARN housekey::boot") && line.contains(problem), "{line}");
        assert!(line.contains("Run `housekey auth:secret"), "{line}");
        assert!(site.ok("about").contains(problem));
    }
}

// spec: CLI-7
#[test]
fn config_show_prints_the_accounts_without_functions_and_secrets() {
    let mut site = Site::new();
    site.with_two_factor();
    site.variables.push(("PROVIDER_SECRET", "hunter2".to_owned()));
    let row = |said: &str, key: &str| {
        let row = said.lines().find(|line| line.split_whitespace().next() == Some(key));
        row.unwrap_or_else(|| panic!("{key} is not in {said}")).split_whitespace().last().unwrap().to_owned()
    };
    let said = site.ok("config:show auth");
    for (key, value) in [
        ("auth.mount", "true"),
        ("auth.redirectGuestsTo", "/sign-in"),
        ("auth.basePath", "/api/auth"),
        ("auth.emailAndPassword.minPasswordLength", "8"),
        ("auth.plugins.0", "[function]"),
        ("auth.secret", "[secret]"),
        ("auth.socialProviders.github.clientSecret", "[secret]"),
    ] {
        assert_eq!(row(&said, key), value, "{key}");
    }
    assert!(!said.contains(SECRET) && !said.contains("hunter2"), "{said}");
    assert_eq!(row(&site.ok("config:show auth.mount"), "auth.mount"), "true");
    assert_eq!(row(&site.ok("config:show auth.session.expiresIn"), "auth.session.expiresIn"), "604800");
    let revealed = site.ok("config:show auth --reveal");
    assert!(revealed.contains(SECRET) && revealed.contains("hunter2"), "{revealed}");
    let cached = site.ok("config:cache");
    assert!(cached.contains("config/auth.rs holds a function at [auth.plugins.0], read live"), "{cached}");
}

// spec: CLI-1
#[test]
fn a_second_schema_is_refused_by_the_command_and_by_migrate() {
    let site = Site::new();
    site.ok("auth:schema");
    let said = site.fails("auth:schema");
    assert!(
        said.contains("there is such a migration already") && said.contains("housekey migrate"),
        "{said}"
    );
    site.ok("migrate");
    let said = site.fails("auth:schema");
    assert!(said.contains("has auth tables already: user, session, account, verification"), "{said}");
    assert!(said.contains("auth:schema --diff"), "{said}");
    assert_eq!(site.migrations().len(), 1);

    assert!(site.ok("auth:schema --force").contains("_create_auth_tables_2.rs created"));
    let said = site.fails("migrate");
    assert!(said.contains("_create_auth_tables_2` failed; nothing of it was kept"), "{said}");
    assert!(said.contains("user") && said.contains("already exists"), "{said}");
}

// spec: CLI-2
#[test]
fn pretending_prints_the_migration_and_its_sql_and_writes_nothing() {
    let mut site = Site::new();
    let said = site.ok("auth:schema --pretend");
    assert!(said.contains(CREATE) && said.contains("create table `user` (`id` varchar(36)"), "{said}");
    site.ok("auth:schema");
    site.ok("migrate");
    site.with_two_factor();
    let said = site.ok("auth:schema --diff --pretend");
    assert!(said.contains("…_add_two_factor_to_auth.rs") && said.contains(TWO_FACTOR), "{said}");
    assert!(said.contains("alter table `user` add column `twoFactorEnabled`"), "{said}");
    assert_eq!(site.migrations(), ["create_auth_tables.rs"]);
    assert!(!site.ok("db:show").contains("twoFactor"));
}

#[test]
fn a_comparison_waits_for_migrations_that_have_not_run() {
    let site = Site::new();
    site.ok("auth:schema");
    let said = site.fails("auth:schema --diff");
    assert!(said.contains("_create_auth_tables") && said.contains("`housekey migrate` first"), "{said}");
    assert_eq!(site.migrations().len(), 1);
    site.ok("auth:schema --diff --force");
    assert_eq!(site.migrations(), ["create_auth_tables.rs", "create_auth_tables_2.rs"]);
}

// spec: CLI-2, CFG-2
#[test]
fn the_connection_of_the_accounts_is_the_one_that_is_compared() {
    let mut site = Site::new();
    site.variables.push(("CONNECTION", "people".to_owned()));
    assert!(site.ok("auth:schema").contains("housekey migrate --database=people\n"));
    site.ok("migrate");
    assert!(site.fails("auth:schema --diff").contains("`housekey migrate --database=people` first"));
    site.ok("migrate --database=people");
    assert!(site.ok("auth:schema --diff").contains("already match the configuration"));
}

#[test]
fn in_production_nothing_is_migrated_or_written_unasked() {
    let mut site = Site::new();
    site.variables.push(("MODE", "production".to_owned()));
    let said = site.fails("auth:schema --migrate");
    assert!(said.contains("runs in production") && said.contains("--force"), "{said}");
    assert!(site.migrations().is_empty());
    assert!(!site.ok("db:show").contains("session"));
}

/// The compiler does not see that a folder which a macro reads has a new file.
#[test]
fn an_app_without_a_build_script_is_compiled_again_after_a_new_migration() {
    let site = Site::new();
    site.write("src/lib.rs", "housekey::migrations!();");
    site.write("build.rs", "");
    let source = std::fs::File::options().append(true).open(site.folder.path().join("src/lib.rs")).unwrap();
    let long_ago = std::time::SystemTime::UNIX_EPOCH;
    let is_touched = || {
        let modified = source.metadata().unwrap().modified().unwrap();
        source.set_modified(long_ago).unwrap();
        modified != long_ago
    };
    is_touched();
    site.ok("auth:schema");
    assert!(is_touched(), "the folder is new, so no build script watches it");
    site.ok("make:migration create_posts");
    assert!(!is_touched(), "the build script watches the folder");
    std::fs::remove_file(site.folder.path().join("build.rs")).unwrap();
    site.ok("make:migration create_tags");
    assert!(is_touched());
    assert_eq!(site.read("src/lib.rs"), "housekey::migrations!();");
}

fn secret(env: &str) -> Option<&str> {
    env.lines().find_map(|line| line.strip_prefix("AUTH_SECRET="))
}

// spec: CLI-5
#[test]
fn a_secret_is_written_once_and_replaced_only_by_force() {
    let site = Site::new();
    site.write(".env", "APP_KEY=base64:abc\nAUTH_SECRET=\nPORT=3000\n");
    let said = site.ok("auth:secret");
    assert!(said.contains("AUTH_SECRET written to"), "{said}");
    let env = site.read(".env");
    let first = secret(&env).unwrap().to_owned();
    assert!(first.len() >= 32 && first != "base64:abc" && !said.contains(&first), "{said}");
    assert_eq!(env, format!("APP_KEY=base64:abc\nAUTH_SECRET={first}\nPORT=3000\n"));

    let said = site.fails("auth:secret");
    assert!(said.contains("AUTH_SECRET is set already") && said.contains("--force"), "{said}");
    assert_eq!(site.read(".env"), env);

    site.ok("auth:secret --force");
    let env = site.read(".env");
    let second = secret(&env).unwrap();
    assert!(second.len() >= 32 && second != first);
}

// spec: CLI-5
#[test]
fn a_secret_can_be_shown_and_starts_a_file_from_the_example() {
    let site = Site::new();
    let shown = site.ok("auth:secret --show");
    assert!(shown.contains("base64:"), "{shown}");
    assert!(!site.folder.path().join(".env").exists());
    site.write(".env.example", "APP_KEY=\n# why\n");
    site.ok("auth:secret");
    let env = site.read(".env");
    assert_eq!(env, format!("APP_KEY=\nAUTH_SECRET={}\n# why\n", secret(&env).unwrap()));
}

// spec: SEC-1, CLI-6
#[test]
fn the_list_of_routes_shows_what_an_action_asks_for_at_both_doors() {
    let mut site = Site::new();
    site.with_two_factor();
    let said = site.ok("route:list");
    let asked = |path: &str| {
        let mut lines = said.lines().filter(|line| line.split_whitespace().any(|word| word == path));
        lines.next().unwrap_or_else(|| panic!("{path} is not in {said}")).to_owned()
    };
    for (path, demands) in [
        ("/account", "auth, password.confirm, throttle:6,1"),
        ("/api/auth/two-factor/disable", "password.confirm, throttle:6,1"),
        ("/api/auth/two-factor/enable", "verified, password.confirm, throttle:6,1"),
        ("/api/auth/revoke-sessions", "password.confirm"),
    ] {
        assert!(asked(path).trim_end().ends_with(&format!("  {demands}")), "{}", asked(path));
    }
    assert!(
        asked("/api/auth/sign-out").trim_end().ends_with("auth.sign-out.post"),
        "{}",
        asked("/api/auth/sign-out")
    );
}
