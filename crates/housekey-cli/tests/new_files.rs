//! A file that is new is part of the app when the next command runs: in folders that macros read, and beside a `mod.rs`.

#![allow(clippy::unwrap_used, reason = "a helper that fails has to fail its test")]

mod support;

use std::fs;
use std::path::Path;

use support::{Run, Sandbox};

/// As much of the framework as the macros name, so that the app compiles in a moment.
const FRAMEWORK: &str = r#"
pub use housekey_macros::{config, migrations};

pub mod database {
    pub struct Schema;
    pub struct Migration(pub &'static str);
    #[derive(Default)]
    pub struct Migrations(pub Vec<Migration>);

    impl Migration {
        pub fn new(name: &'static str, _: fn(&mut Schema), _: fn(&mut Schema)) -> Self {
            Self(name)
        }
    }

    impl Migrations {
        pub fn new() -> Self {
            Self::default()
        }

        pub fn with(mut self, migration: Migration) -> Self {
            self.0.push(migration);
            self
        }
    }
}

pub struct ConfigFile(pub &'static str);
#[derive(Default)]
pub struct ConfigFiles(pub Vec<ConfigFile>);

impl ConfigFile {
    pub fn new<T>(name: &'static str, _: &'static str, _: fn() -> T) -> Self {
        Self(name)
    }
}

impl ConfigFiles {
    pub fn new() -> Self {
        Self::default()
    }

    pub fn with(mut self, file: ConfigFile) -> Self {
        self.0.push(file);
        self
    }
}
"#;

/// Says what it is made of.
const APP: &str = r#"
mod greetings;

housekey::config!();
housekey::migrations!();

fn main() {
    let config: Vec<&str> = config::files().0.iter().map(|file| file.0).collect();
    let migrations: Vec<&str> = migrations::all().0.iter().map(|migration| migration.0).collect();
    println!("config: {}; migrations: {}; {}.", config.join(", "), migrations.join(", "), greetings::hello());
}
"#;

const MIGRATION: &str =
    "use housekey::database::Schema;\n\npub fn up(_: &mut Schema) {}\n\npub fn down(_: &mut Schema) {}\n";

fn write_app(sandbox: &Sandbox) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap();
    sandbox.write(
        "housekey/Cargo.toml",
        &format!(
            "[package]\nname = \"housekey\"\nversion = \"0.1.0\"\nedition = \"2024\"\n[workspace]\n\
             [dependencies]\nhousekey-macros = {{ path = {:?} }}\n",
            root.join("crates/housekey-macros")
        ),
    );
    sandbox.write("housekey/src/lib.rs", FRAMEWORK);
    sandbox.write(
        "app/Cargo.toml",
        &format!(
            "[package]\nname = \"tiny\"\nversion = \"0.1.0\"\nedition = \"2024\"\n[workspace]\n\
             [dependencies]\nhousekey = {{ path = \"../housekey\" }}\n\
             [build-dependencies]\nhousekey-build = {{ path = {:?} }}\n",
            root.join("crates/housekey-build")
        ),
    );
    sandbox.write("app/src/greetings/mod.rs", "pub fn hello() -> &'static str {\n    \"hello\"\n}\n");
    sandbox.write("app/src/main.rs", APP);
    sandbox.write("app/config/shop.rs", "pub fn shop() {}\n");
    sandbox.write("app/database/migrations/.gitkeep", "");
    // The build script of every kit, and the versions that are known here already.
    fs::copy(root.join("kits/base/build.rs"), sandbox.path("app/build.rs")).unwrap();
    fs::copy(root.join("Cargo.lock"), sandbox.path("app/Cargo.lock")).unwrap();
}

#[test]
fn a_new_file_is_there_for_the_next_command() {
    let sandbox = Sandbox::new();
    write_app(&sandbox);
    let made_of = || {
        let mut command = sandbox.command();
        Run::of(command.current_dir(sandbox.path("app")).arg("migrate").env("CARGO_NET_OFFLINE", "true"))
    };
    made_of().assert_ok().assert_says("config: shop; migrations: ;");

    // What `auth:schema` and `make:migration` do.
    sandbox.write("app/database/migrations/2026_01_01_000000_create_auth_tables.rs", MIGRATION);
    made_of().assert_ok().assert_says("config: shop; migrations: 2026_01_01_000000_create_auth_tables;");

    // What `git pull` does, in both directions.
    sandbox.write("app/config/auth.rs", "pub fn auth() {}\n");
    made_of().assert_ok().assert_says("config: auth, shop; ");
    fs::remove_file(sandbox.path("app/database/migrations/2026_01_01_000000_create_auth_tables.rs")).unwrap();
    made_of().assert_ok().assert_says("config: auth, shop; migrations: ;");
}

#[test]
fn a_new_module_is_declared_where_its_neighbours_are() {
    let sandbox = Sandbox::new();
    write_app(&sandbox);
    let said = || {
        let mut command = sandbox.command();
        Run::of(command.current_dir(sandbox.path("app")).arg("migrate").env("CARGO_NET_OFFLINE", "true"))
    };
    let list = || fs::read_to_string(sandbox.path("app/src/greetings/mod.rs")).unwrap();
    said().assert_ok().assert_says("hello.");

    // What a person does: one file, and a line that uses it.
    sandbox.write("app/src/greetings/swedish.rs", "pub fn hello() -> &'static str {\n    \"hej\"\n}\n");
    let uses = "pub mod swedish;\n\npub fn hello() -> &'static str {\n    swedish::hello()\n}\n";
    sandbox.write("app/src/greetings/mod.rs", &uses.replace("pub mod swedish;\n\n", ""));
    said().assert_ok().assert_says("hej.");
    assert_eq!(list(), uses);

    // A file with no line that uses it is compiled all the same: what is wrong in it is said.
    sandbox.write("app/src/greetings/broken.rs", "pub fn hello() -> u8 { \"no number\" }\n");
    said().assert_refused(1).assert_says("src/greetings/broken.rs");
    assert!(list().starts_with("pub mod broken;\npub mod swedish;\n"), "{}", list());
    fs::remove_file(sandbox.path("app/src/greetings/broken.rs")).unwrap();
    sandbox.write("app/src/greetings/mod.rs", uses);

    sandbox.write("app/src/greetings/old-norse.rs", "");
    said().assert_refused(1).assert_says("call it old_norse.rs");
    fs::remove_file(sandbox.path("app/src/greetings/old-norse.rs")).unwrap();
    said().assert_ok().assert_says("hej.");
}
