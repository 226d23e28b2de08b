//! What an app is told about its environment.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

/// As `housekey::config!()` declares it: by the whole path of the file.
#[path = "config/shop.rs"]
mod shop;

use housekey_core::{Config, ConfigCache, ConfigFile, ConfigFiles, Env, env};

fn beside() -> u16 {
    env("SHOP_BESIDE", 1_u16)
}

#[test]
fn a_wrong_variable_names_the_apps_own_file_and_line() {
    let files = ConfigFiles::new().with(ConfigFile::new("shop", "config/shop.rs", shop::shop));
    let names = ["SHOP_PORT", "SHOP_DOOR", "SHOP_FLOORS", "SHOP_BESIDE"];
    let env = names.iter().fold(Env::empty(), |env, name| env.with(*name, "many"));
    let folder = tempfile::tempdir().unwrap();
    let told = [
        Config::load(&files, &env, None).map(drop).unwrap_err().to_string(),
        ConfigCache::write(&folder.path().join("config.json"), &files, &env).unwrap_err().to_string(),
    ];
    for told in told {
        assert_eq!(
            told,
            "the environment is wrong:\n  \
             SHOP_PORT must be a whole number (asked for in config/shop.rs:5)\n  \
             SHOP_DOOR must be a whole number (asked for in config/shop.rs:6)\n  \
             SHOP_FLOORS must be a whole number (asked for in config/shop.rs:7)\n  \
             SHOP_BESIDE must be a whole number (asked for in crates/housekey-core/tests/environment.rs:11)"
        );
    }
}
