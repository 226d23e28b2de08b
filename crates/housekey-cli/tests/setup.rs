//! What a new app needs once: written down by `housekey create`, done by `housekey dev` with the app's own program.

#![cfg(unix)]

mod support;

use std::fs;

use housekey_test_support::until;
use support::Sandbox;
use support::app::{Dev, is_alive, terminate, wait_for_line, write_app, write_version};

const HTML: &str = "text/html,application/xhtml+xml";
const JSON: &str = "application/json";
const SETUP: &str = "app/storage/framework/setup";
const MIGRATION: &str = "app/database/migrations/2026_01_01_000000_create_auth_tables.rs";
const DEMO: &str = "demo@example.com / correct horse battery staple";

fn write_setup(sandbox: &Sandbox, commands: &str) {
    // There in every kit, so that it is watched from the start.
    sandbox.write("app/database/migrations/.gitkeep", "");
    sandbox.write(SETUP, &format!("# Demo login: {DEMO}\n{commands}"));
}

fn ran(sandbox: &Sandbox) -> Vec<String> {
    fs::read_to_string(sandbox.path("ran")).unwrap_or_default().lines().map(str::to_owned).collect()
}

#[test]
fn a_new_app_is_set_up_once_before_it_serves_and_is_not_compiled_again_for_it() {
    let sandbox = Sandbox::new();
    write_app(&sandbox, "one");
    write_setup(&sandbox, "tables --migrate\nseed\n");
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
    sandbox.script("bin/cargo", &format!("echo build >> ../builds\nexec {cargo} \"$@\"\n"));
    let cargo = sandbox.path("bin/cargo").display().to_string();

    let dev = Dev::start_with(&sandbox, &[("CARGO", cargo)]);
    dev.wait_for("/", HTML, "version one");

    assert_eq!(ran(&sandbox), ["tables --migrate", "seed"]);
    assert!(sandbox.path(MIGRATION).exists());
    assert!(!sandbox.path(SETUP).exists(), "nothing is left to do");
    let address = format!("http://127.0.0.1:{}", dev.port());
    dev.wait_to_say("Setting up tables --migrate");
    dev.wait_to_say(&format!("Ready {address}"));
    dev.wait_to_say(DEMO);
    dev.wait_to_say(&format!("{address}/dev/mailbox"));

    write_version(&sandbox, "two");
    dev.wait_for("/", HTML, "version two");
    assert_eq!(sandbox.read("builds").lines().count(), 2, "one build for each version");
    assert_eq!(ran(&sandbox).len(), 2, "and nothing is set up again");

    // From now on the file is the person's: a change of it counts.
    sandbox.write(MIGRATION, "// changed by hand");
    until("a third build", || sandbox.read("builds").lines().count() >= 3);
}

#[test]
fn a_command_that_fails_is_shown_and_tried_again_after_the_next_build() {
    let sandbox = Sandbox::new();
    write_app(&sandbox, "unseedable");
    write_setup(&sandbox, "tables\nseed\nlast\n");
    let dev = Dev::start(&sandbox);

    let page = dev.wait_for("/", HTML, "Setting up the app failed at `seed`");
    assert!(page.starts_with("HTTP/1.1 500 "), "{page}");
    assert!(page.contains("there is no table &lt;user&gt;") && page.contains("exit code 4"), "{page}");
    assert!(page.contains("storage/framework/setup"), "{page}");
    assert!(dev.get("/", JSON).starts_with("HTTP/1.1 503 "), "an app without its tables does not serve");
    assert_eq!(ran(&sandbox), ["tables", "seed"]);

    write_version(&sandbox, "mended");
    dev.wait_for("/", HTML, "version mended");
    assert_eq!(ran(&sandbox), ["tables", "seed", "seed", "last"], "it goes on where it stopped");
    dev.wait_to_say(DEMO);
    assert!(!sandbox.path(SETUP).exists());
}

/// `auth:schema --migrate` takes its file away when the database refuses it. That is no change to build for.
#[test]
fn a_failure_that_wrote_a_file_and_took_it_away_is_not_tried_again_by_itself() {
    let sandbox = Sandbox::new();
    write_app(&sandbox, "undoing");
    write_setup(&sandbox, "undo\n");
    let dev = Dev::start(&sandbox);

    dev.wait_for("/", HTML, "Setting up the app failed at `undo`");
    write_version(&sandbox, "mended");
    dev.wait_for("/", HTML, "version mended");
    assert_eq!(ran(&sandbox), ["undo", "undo"]);
}

#[test]
fn people_see_what_is_being_set_up() {
    let sandbox = Sandbox::new();
    write_app(&sandbox, "one");
    write_setup(&sandbox, "tables\nwait for me\n");
    let dev = Dev::start(&sandbox);

    let page = dev.wait_for("/", HTML, "wait for me");
    assert!(page.starts_with("HTTP/1.1 503 ") && page.contains("Setting up your app"), "{page}");
    assert!(page.contains("1 of 2"), "{page}");
    assert!(dev.get("/", JSON).contains("\"message\":\"The app is being set up.\""));
    assert!(dev.get("/__housekey/dev/status", JSON).contains("\"phase\":\"setting up\""));

    sandbox.write("go", "");
    dev.wait_for("/", HTML, "version one");
}

#[test]
fn a_change_during_the_setup_waits_for_the_command_and_is_built() {
    let sandbox = Sandbox::new();
    write_app(&sandbox, "one");
    write_setup(&sandbox, "wait\nseed\n");
    let dev = Dev::start(&sandbox);
    let waiting = wait_for_line(&sandbox, "waiting");

    write_version(&sandbox, "two");
    assert!(is_alive(&waiting), "half a migration helps nobody");
    sandbox.write("go", "");

    dev.wait_for("/", HTML, "version two");
    assert_eq!(ran(&sandbox), ["wait", "seed"]);
}

#[test]
fn stopping_during_the_setup_leaves_nothing_running_and_the_rest_for_the_next_start() {
    let sandbox = Sandbox::new();
    write_app(&sandbox, "one");
    write_setup(&sandbox, "tables\nwait\nseed\n");
    let mut dev = Dev::start(&sandbox);
    let waiting = wait_for_line(&sandbox, "waiting");

    terminate(dev.pid());
    assert_eq!(dev.wait().code(), Some(0));
    assert!(!is_alive(&waiting));

    sandbox.write("go", "");
    let dev = Dev::start(&sandbox);
    dev.wait_for("/", HTML, "version one");
    assert_eq!(ran(&sandbox), ["tables", "wait", "wait", "seed"]);
}

// spec: KIT-6
#[test]
fn a_kit_with_accounts_ships_no_users_table_but_the_commands_that_make_it() {
    let sandbox = Sandbox::new();
    let create = |name: &str, kit: &str| sandbox.housekey(&["create", name, kit, "--no-install", "--no-git"]);

    for kit in ["api", "jsx", "spa"] {
        create(kit, &format!("--kit={kit}"))
            .assert_ok()
            .assert_says("its first start makes the tables")
            .assert_says(DEMO)
            .assert_says("http://localhost:3000/dev/mailbox");
        assert_eq!(sandbox.entries(&format!("{kit}/database/migrations")), [".gitkeep"]);
        let setup = sandbox.read(&format!("{kit}/storage/framework/setup"));
        let commands: Vec<&str> = setup.lines().filter(|line| !line.starts_with('#')).collect();
        assert_eq!(commands, ["auth:schema --migrate", "migrate", "db:seed"]);
        assert!(setup.contains(DEMO));
        let (email, password) = DEMO.split_once(" / ").unwrap();
        assert!(sandbox.read(&format!("{kit}/database/seeders/database_seeder.rs")).contains(email));
        assert!(sandbox.read(&format!("{kit}/database/factories/user_factory.rs")).contains(password));
    }

    let plain = create("plain", "--kit=none");
    assert!(!plain.assert_ok().said().contains("mailbox"), "{}", plain.said());
    assert!(!sandbox.path("plain/storage/framework").exists());
}
