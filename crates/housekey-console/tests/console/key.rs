//! `key:generate`.

use crate::support::{Folder, KEY};

fn value<'a>(text: &'a str, key: &str) -> &'a str {
    text.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix('=')).unwrap_or_default()
}

// spec: CLI-5
#[test]
fn a_key_is_written_and_the_rest_of_the_file_stays() {
    let folder = Folder::with_env("# mine\r\nAPP_NAME=\"My  Shop\"\r\nAPP_KEY=\r\n\r\nAUTH_SECRET=s3cret");
    folder.run("key:generate").ok().out("APP_KEY written to ");
    let text = folder.read(".env");
    let key = value(&text, "APP_KEY").trim_end();
    assert!(key.starts_with("base64:") && key.len() == 51, "{key}");
    assert_eq!(text, format!("# mine\r\nAPP_NAME=\"My  Shop\"\r\nAPP_KEY={key}\r\n\r\nAUTH_SECRET=s3cret"));
    assert_ne!(key, "s3cret");
    folder.run("about").ok();
}

// spec: CLI-5
#[test]
fn a_key_is_not_overwritten_without_force() {
    let folder = Folder::new();
    let before = folder.read(".env");
    folder.run("key:generate").code(1).err("APP_KEY is set already").err("--force").hides(KEY);
    assert_eq!(folder.read(".env"), before);
}

#[test]
fn a_replaced_key_still_opens_what_it_sealed() {
    let folder = Folder::new();
    folder.run("key:generate --force").ok().out("APP_PREVIOUS_KEYS").hides(KEY);
    let text = folder.read(".env");
    assert_ne!(value(&text, "APP_KEY"), KEY);
    assert_eq!(value(&text, "APP_PREVIOUS_KEYS"), KEY);
    let second = value(&text, "APP_KEY").to_owned();

    folder.run("key:generate --force").ok();
    assert_eq!(value(&folder.read(".env"), "APP_PREVIOUS_KEYS"), format!("{second},{KEY}"));
    folder.run("about").ok();
}

#[test]
fn show_prints_a_key_and_changes_nothing() {
    let folder = Folder::new();
    let before = folder.read(".env");
    let (first, second) =
        (folder.run("key:generate --show").ok().out, folder.run("key:generate --show").ok().out);
    assert!(first.starts_with("base64:") && first.lines().count() == 1 && first != second, "{first}{second}");
    assert_eq!(folder.read(".env"), before);
}

#[test]
fn a_missing_env_file_starts_from_the_example() {
    let folder = Folder::new();
    std::fs::remove_file(folder.path(".env")).unwrap();
    folder.write(".env.example", "APP_NAME=Shop\nAPP_KEY=\n");
    folder.run("key:generate").ok().out(".env.example");
    assert!(folder.read(".env").starts_with("APP_NAME=Shop\nAPP_KEY=base64:"));
    assert_eq!(folder.read(".env.example"), "APP_NAME=Shop\nAPP_KEY=\n");
}

#[test]
fn a_key_can_be_made_for_an_app_that_does_not_boot() {
    let folder = Folder::with_env("APP_KEY=\nBROKEN=\"open\n");
    folder.run("key:generate").ok();
    assert!(folder.read(".env").ends_with("\nBROKEN=\"open\n"));
}

#[test]
fn a_key_in_the_process_is_pointed_out() {
    let folder = Folder::with_env("");
    folder.run_with("key:generate", &[("APP_KEY", KEY)]).ok().err("wins over .env");
}

#[test]
fn a_cached_configuration_is_pointed_out() {
    let folder = Folder::new();
    folder.run("config:cache").ok();
    folder.run("key:generate --force").ok().err("run config:cache again");
}
