//! The console as people meet it: help, mistakes, failures, the app's own commands.

use std::io::{Read, Seek};

use housekey_test_support::until;

use crate::support::Folder;

#[test]
fn a_bare_call_lists_the_commands_in_groups() {
    let folder = Folder::new();
    for line in ["", "list", "--help", "-h"] {
        folder
            .run(line)
            .ok()
            .out("Usage: housekey-sample <command> [options]")
            .out("\n  serve  ")
            .out("  Serve the app\n")
            .out("\n config\n  config:cache  ")
            .out("  Freeze the configuration as JSON\n  config:clear ")
            .out("\n memo\n  memo:fail ");
    }
}

#[test]
fn every_command_explains_itself() {
    let folder = Folder::new();
    let listed = folder.run("list").ok().out;
    let names: Vec<&str> = listed
        .lines()
        .filter(|line| line.starts_with("  "))
        .filter_map(|line| line.split_whitespace().next())
        .collect();
    assert!(names.len() >= 18, "{names:?}");
    for name in names {
        folder.run(&format!("{name} --help")).ok().out(&format!("Usage: housekey-sample {name}"));
    }
}

#[test]
fn the_version_is_the_frameworks() {
    Folder::new().run("--version").ok().out(env!("CARGO_PKG_VERSION"));
}

#[test]
fn an_unknown_command_is_answered_with_the_near_one() {
    let folder = Folder::new();
    folder
        .run("route:lst")
        .code(2)
        .err("error: there is no command `route:lst`\n  Did you mean `route:list`?");
    folder.run("memo:gte").code(2).err("memo:get");
    folder.run("config").code(2).err("Did you mean one of these?\n    config:cache\n    config:clear");
    folder.run("brew-coffee").code(2).err("`housekey-sample list` shows all commands.");
}

#[test]
fn wrong_arguments_end_with_two() {
    let folder = Folder::new();
    folder.run("make:controller").code(2).err("<name>");
    folder.run("route:list --sideways").code(2).err("--sideways");
    folder.run("serve --port eighty").code(2).err("eighty");
}

#[test]
fn the_apps_own_commands_run_with_its_services() {
    let folder = Folder::new();
    folder.run("memo:get").ok().out("nothing");
    folder.run("memo:put hello").ok().out("remembered hello");
    folder.run("memo:get").ok().out("hello");
    folder.run("cache:clear").ok().out("The file cache is empty.");
    folder.run("memo:get").ok().out("nothing");
}

#[test]
fn a_failure_says_what_happened_why_and_what_to_do() {
    let folder = Folder::new();
    folder.run("memo:fail").code(1).err("error: the printer is out of paper\n  Put paper in.\n");
    folder.run("memo:fail io").code(1).err("error: writing the report\n  disk full\n");
    folder.run("memo:fail public").code(1).err("error: We could not find what you asked for.\n");
}

#[test]
fn what_cannot_be_undone_asks_in_production() {
    let folder = Folder::new();
    folder.run("memo:wipe").ok().out("wiped");
    let production = [("APP_ENV", "production")];
    folder
        .run_with("memo:wipe", &production)
        .code(1)
        .err("This wipes every memo.")
        .err("--force")
        .hides("wiped");
    folder.run_with("memo:wipe --force", &production).ok().out("wiped");
}

#[test]
fn nothing_is_coloured_away_from_a_terminal() {
    let folder = Folder::new();
    for line in ["list", "route:list", "route:lst", "memo:fail", "serve --help", "serve --sideways"] {
        folder.run(line).hides("\u{1b}");
    }
}

#[test]
fn a_closed_pipe_is_no_panic() {
    let folder = Folder::new();
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let mut errors = tempfile::tempfile().unwrap();
    let mut command = folder.command("list");
    command.stdout(writer).stderr(errors.try_clone().unwrap());
    let mut child = command.spawn().unwrap();
    let mut status = None;
    until("the end of the command", || {
        status = child.try_wait().unwrap();
        status.is_some()
    });
    let mut said = String::new();
    errors.rewind().unwrap();
    errors.read_to_string(&mut said).unwrap();
    assert!(status.unwrap().success() && said.is_empty(), "{said}");
}

#[test]
fn an_app_that_does_not_boot_says_why() {
    Folder::with_env("APP_ENV=production\nAPP_KEY=\n")
        .run("about")
        .code(1)
        .err("error: the app does not boot\n  APP_KEY is not set")
        .err("key:generate");
    Folder::with_env("APP_KEY=\"open\n")
        .run("route:list")
        .code(1)
        .err("error: the app does not boot\n")
        .err(".env cannot be read: line 1")
        .hides("open\n");
    let folder = Folder::new();
    folder
        .run_with("about", &[("PORT", "eighty")])
        .code(1)
        .err("PORT must be a whole number")
        .hides("eighty");
    folder
        .run_with("about", &[("SAMPLE_UNKNOWN_GUARD", "true")])
        .code(1)
        .err("unknown guard \"staf\"")
        .err("did you mean \"staff\"?");
}

#[test]
fn the_app_at_a_glance() {
    let folder = Folder::new();
    folder.run("about").ok().out("Environment     development").out("Cache           file").out("read live");
    let said = folder.run("about --json").ok();
    let facts: serde_json::Value = serde_json::from_str(&said.out).unwrap();
    assert_eq!(facts["App"]["Name"], "Sample");
}

#[test]
fn without_expired_sessions_nothing_is_swept() {
    Folder::new().run("session:gc").ok().out("0 expired sessions removed.");
}
