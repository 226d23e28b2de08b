//! `config:*` and `optimize*`.

use crate::support::{Folder, KEY};

const CACHE: &str = "storage/framework/config.json";
const SKIPPED: &str = "config/auth.rs holds a function at [auth.plugins.0], read live\n";

// spec: CLI-7
#[test]
fn a_frozen_configuration_counts_until_it_is_cleared() {
    for (freeze, clear) in [("config:cache", "config:clear"), ("optimize", "optimize:clear")] {
        let folder = Folder::with_env(&format!("APP_KEY={KEY}\nAPP_NAME=First\n"));
        folder.run(freeze).ok().out(SKIPPED).out("Configuration of 5 files cached in ");
        let frozen: serde_json::Value = serde_json::from_str(&folder.read(CACHE)).unwrap();
        assert_eq!(frozen["files"]["app"]["name"], "First");
        assert!(frozen["files"].get("auth").is_none(), "a file with a function is not frozen");

        folder.write(".env", format!("APP_KEY={KEY}\nAPP_NAME=Second\nAUTH_BASE_PATH=/second\n"));
        folder.run("config:show app.name").ok().out("First");
        folder.run("about").ok().out("First").out("cached");
        folder.run("config:show auth.basePath").ok().out("/second");

        folder.run(clear).ok().out("removed");
        folder.run("config:show app.name").ok().out("Second");
        folder.run(clear).ok().out("There was no cached configuration.");
    }
}

// spec: CLI-7
#[test]
fn freezing_again_reads_the_files_and_not_the_old_cache() {
    let folder = Folder::with_env("APP_NAME=First\n");
    folder.run("config:cache").ok();
    folder.write(".env", "APP_NAME=Second\n");
    folder.run("config:cache").ok();
    folder.run("config:show app.name").ok().out("Second");
}

// spec: CLI-7
#[test]
fn config_show_prints_what_was_resolved() {
    let folder = Folder::new();
    folder
        .run("config:show")
        .ok()
        .out("app.name ")
        .out("session.lifetime ")
        .out("auth.plugins.0 ")
        .out("[function]");
    folder.run("config:show http.port").ok().out("3000");
    folder.run_with("config:show http.port", &[("PORT", "8080")]).ok().out("8080");
    let json: serde_json::Value =
        serde_json::from_str(&folder.run("config:show app --json").ok().out).unwrap();
    assert_eq!(json["fallbackLocale"], "en");
    folder
        .run("config:show app.nmae")
        .code(1)
        .err("no configuration value `app.nmae`")
        .err("Did you mean `app.name`?");
    folder.run("config:show zebra").code(1).err("The files are: app, auth, cache,");
}

#[test]
fn secrets_show_only_to_those_who_ask() {
    let folder = Folder::with_env(&format!("APP_KEY={KEY}\nAPP_PREVIOUS_KEYS={KEY}\n"));
    for line in ["config:show", "config:show encryption", "config:show encryption.key", "config:show --json"]
    {
        folder.run(line).ok().out("[secret]").hides(KEY);
    }
    folder.run("config:show encryption.key --reveal").ok().out(KEY);
    folder.run("config:cache").ok().hides(KEY);
}

#[test]
fn a_damaged_cache_stops_the_app_and_config_clear_repairs_it() {
    let folder = Folder::new();
    folder.write(CACHE, "{ not json");
    folder.run("about").code(1).err("config:clear");
    folder.run("config:clear").ok();
    folder.run("about").ok();
}

#[test]
fn clearing_works_where_nothing_else_does() {
    let folder = Folder::with_env("APP_KEY=\"broken\n");
    folder.write(CACHE, "{}");
    folder.run("config:clear").ok();
    assert!(!folder.path(CACHE).exists());
    folder.run("config:cache").code(1).err("line 1").hides("broken\n");
}

#[test]
fn a_wrong_variable_freezes_nothing() {
    let folder = Folder::new();
    folder.run_with("config:cache", &[("PORT", "eighty")]).code(1).err("PORT must be a whole number");
    assert!(!folder.path(CACHE).exists());
}
