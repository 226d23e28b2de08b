//! What `make:model` writes with its flags compiles, and its tests pass: the files beside this one are its work, byte for byte, and
//! part of this test. After a change to a template, the failure says which file to copy here.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]
#![allow(missing_docs, unreachable_pub, reason = "the files look as they do in an app")]

// The names under which the made tests know their app, and `#[housekey::test]` knows the package that it is in.
extern crate self as housekey_console;
extern crate self as made;

mod controllers;
#[path = "../../../housekey-auth/tests/schema/made/create_auth_tables.rs"]
mod create_auth_tables;
pub mod factories;
pub mod models;
mod policies;
mod requests;
mod views;

#[path = "tests/books.rs"]
mod books_test;
#[path = "tests/desk_library_cards.rs"]
mod library_cards_test;
#[path = "tests/shelfs.rs"]
mod shelfs_test;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use controllers::desk::library_card_controller;
use controllers::{book_controller, shelf_controller};
use housekey::ConfigFile;
use housekey::auth::config::AuthConfig;
use housekey::auth::engine::options::{EmailAndPassword, EngineOptions};
use housekey::database::{Migration, Migrations, Schema};
use housekey::prelude::*;
use models::book::Book;

const ALL: &str = "--migration --factory --controller --policy --requests --views";

/// What is typed, and what is made of it. A migration has the moment in its name.
const MADE: [(&str, &str, &[&str]); 3] = [
    (
        "make:model Book",
        ALL,
        &[
            "models/book.rs",
            "factories/book_factory.rs",
            "policies/book_policy.rs",
            "requests/book_request.rs",
            "views/pages/books.rs",
            "controllers/book_controller.rs",
            "tests/books.rs",
        ],
    ),
    (
        "make:model desk/library-card",
        "--migration --factory --controller",
        &[
            "models/desk/library_card.rs",
            "factories/desk/library_card_factory.rs",
            "requests/desk/library_card_request.rs",
            "controllers/desk/library_card_controller.rs",
            "tests/desk_library_cards.rs",
        ],
    ),
    (
        "make:model shelf",
        "--migration --factory --controller --views",
        &[
            "models/shelf.rs",
            "factories/shelf_factory.rs",
            "requests/shelf_request.rs",
            "views/pages/shelfs.rs",
            "controllers/shelf_controller.rs",
            "tests/shelfs.rs",
        ],
    ),
];

struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Self {
        let folder = Self(tempfile::tempdir().unwrap());
        folder.write("Cargo.toml", "[package]\nname = \"made\"\n");
        folder.write("rustfmt.toml", include_str!("../../../../rustfmt.toml"));
        folder.write("src/lib.rs", "");
        folder
    }

    fn path(&self, path: &str) -> PathBuf {
        self.0.path().join(path)
    }

    fn write(&self, path: &str, text: &str) {
        fs::create_dir_all(self.path(path).parent().unwrap()).unwrap();
        fs::write(self.path(path), text).unwrap();
    }

    fn make(&self, line: &str) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_housekey-sample"));
        housekey_test_support::run(command.args(line.split(' ')).env("APP_ROOT", self.0.path()))
    }
}

#[test]
fn the_files_here_are_what_the_command_writes() {
    let folder = Folder::new();
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/resource");
    for (line, flags, files) in MADE {
        let done = folder.make(&format!("{line} {flags}"));
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
        for file in files {
            let path = if file.starts_with("tests/") { (*file).to_owned() } else { format!("src/{file}") };
            let written = fs::read_to_string(folder.path(&path)).unwrap();
            assert_eq!(written, fs::read_to_string(beside.join(file)).unwrap(), "{line} {flags}: {path}");
        }
    }
    let migrations: Vec<_> = fs::read_dir(folder.path("database/migrations")).unwrap().collect();
    assert_eq!(migrations.len(), 3);
}

#[test]
fn it_says_which_lines_come_next() {
    let folder = Folder::new();
    let said = String::from_utf8_lossy(&folder.make(&format!("make:model Book {ALL}")).stdout).into_owned();
    for line in [
        "  use crate::controllers::book_controller;",
        "  use crate::models::book::Book;",
        "  route.resource(\"books\").policy::<Book>().actions(actions!(book_controller));",
        "  .policy(policies::book_policy::BookPolicy)",
        "  housekey migrate",
        "  cargo test --test books",
    ] {
        assert!(said.lines().any(|said| said == line), "{line}\n{said}");
    }
}

#[test]
fn all_of_it_is_written_or_nothing() {
    let folder = Folder::new();
    folder.write("tests/books.rs", "// mine\n");
    let done = folder.make(&format!("make:model Book {ALL}"));
    let said = String::from_utf8_lossy(&done.stderr);
    assert!(!done.status.success() && said.contains("tests/books.rs exists already"), "{said}");
    assert!(!folder.path("src/models").exists() && !folder.path("database").exists());
    assert_eq!(fs::read_to_string(folder.path("tests/books.rs")).unwrap(), "// mine\n");

    let done = folder.make("make:model Book --views");
    let said = String::from_utf8_lossy(&done.stderr);
    assert!(!done.status.success() && said.contains("--controller"), "{said}");
    assert!(!folder.path("src/models").exists());
}

/// The app that the made tests are of, with the lines that the command says.
pub fn app() -> App {
    let config = ConfigFiles::new().with(ConfigFile::new("auth", "config/auth.rs", || AuthConfig {
        engine: EngineOptions {
            secret: "a secret of at least thirty-two characters".into(),
            email_and_password: EmailAndPassword { enabled: true, ..default() },
            ..default()
        },
        ..default()
    }));
    housekey::app(config).migrations(migrations()).policy(policies::book_policy::BookPolicy).routes(|route| {
        route.resource("books").policy::<Book>().actions(actions!(book_controller));
        let cards = route.resource("desk/library-cards");
        cards.actions(actions!(library_card_controller, except [create, edit]));
        route.resource("shelfs").actions(actions!(shelf_controller));
    })
}

fn migrations() -> Migrations {
    let auth = Migration::new(
        "2026_01_01_000000_create_auth_tables",
        create_auth_tables::up,
        create_auth_tables::down,
    );
    let tables = |schema: &mut Schema| {
        for name in ["books", "library_cards", "shelfs"] {
            schema.create(name, |table| {
                table.id();
                table.string("name", 200);
                table.timestamps();
            });
        }
    };
    Migrations::new().with(auth).with(Migration::new(
        "2026_01_01_000001_create_tables",
        tables,
        |_: &mut Schema| {},
    ))
}
