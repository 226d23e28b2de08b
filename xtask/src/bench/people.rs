//! Many people instead of one: a database with so many users, so many of them signed in, and the cookies of each.
//!
//! Who asks for one person again and again measures caches. A seeder that the `jsx` kit gets makes the people once, and they
//! are kept below `target/xtask/people`. Their secret is always the same and their sessions last, so the cookies stay good.

use std::borrow::Borrow;
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};

use super::load::Who;
use crate::http;
use crate::kits::{App, edit};
use crate::process;
use crate::provision::{self, POSTGRES};
use crate::services::{self, postgres};
use crate::ui;
use crate::visitor::Visitor;
use crate::workspace::{Workspace, program};

/// Signs their cookies.
pub(super) const SECRET: &str = "a-long-secret-for-measuring-0123456789-abcdef";

const SEEDER: &str = include_str!("../../../benches/compare/people_seeder.rs");

/// What their tables are made from. Where one of these changes, the people are made again.
const SCHEMA: [&str; 5] = [
    "crates/housekey-auth/src/events/table.rs",
    "crates/housekey-engine/src/plugins/passkey/mod.rs",
    "crates/housekey-engine/src/plugins/two_factor/mod.rs",
    "crates/housekey-engine/src/schema/core_tables.rs",
    "kits/auth/config/auth.rs",
];

/// How many there are.
#[derive(clap::Args)]
pub(crate) struct HowMany {
    /// People who are signed in and ask in turn
    #[arg(long, default_value_t = 10_000, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    people: u32,
    /// Users in the database, the people among them
    #[arg(long, default_value_t = 1_000_000, value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    users: u32,
}

/// What they are kept in.
#[derive(Clone, Copy, PartialEq, clap::ValueEnum)]
pub(crate) enum Database {
    Sqlite,
    Postgres,
}

impl Database {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Sqlite => "SQLite",
            Self::Postgres => "PostgreSQL",
        }
    }
}

/// The `jsx` kit with the seeder, not built yet.
pub(super) fn create_app(workspace: &Workspace, database: Database) -> Result<App, String> {
    ui::heading("create and build the jsx kit");
    let app = App::create(workspace, "jsx", "bench-jsx")?;
    let seeder = app.path("database/seeders/people_seeder.rs");
    fs::write(&seeder, SEEDER).map_err(|error| format!("cannot write {}: {error}", seeder.display()))?;
    edit(
        &app.path("database/seeders/mod.rs"),
        "mod database_seeder;\n",
        "mod database_seeder;\nmod people_seeder;\npub use people_seeder::PeopleSeeder;\n",
    )?;
    let known = ".seeder(seeders::DatabaseSeeder)";
    edit(&app.path("src/lib.rs"), known, &format!("{known}.seeder(seeders::PeopleSeeder)"))?;
    if database == Database::Postgres {
        let feature = "\"database-sqlite\",";
        edit(&app.path("Cargo.toml"), feature, &format!("{feature}\n    \"database-postgres\","))?;
    }
    Ok(app)
}

/// Made once and kept.
pub(super) struct People {
    pub(super) count: u32,
    cookies: PathBuf,
    place: Place,
}

enum Place {
    File(PathBuf),
    Server(services::Server),
}

impl People {
    /// Those that are kept; or new ones, made by the seeder of a built app.
    pub(super) fn provide<A: Borrow<App>>(
        workspace: &Workspace,
        wanted: &HowMany,
        database: Database,
        app: impl FnOnce() -> Result<A, String>,
    ) -> Result<Self, String> {
        let HowMany { people: count, users } = *wanted;
        if count > users {
            return Err(format!("{count} people are more than {users} users"));
        }
        let made_from = made_from(workspace)?;
        let name = format!("people/{count}-of-{users}-{}-{made_from:016x}", database.name());
        let mut folder = workspace.target().join("xtask").join(&name);
        let is_kept = folder.join("cookies").is_file();
        if !is_kept {
            // The cookies come last: without them, what is there was broken off.
            folder = workspace.scratch(&name)?;
        }
        let place = match database {
            Database::Sqlite => Place::File(folder.join("database.sqlite")),
            Database::Postgres => {
                provision::provide(&[&POSTGRES])?;
                Place::Server(postgres::start(&folder)?)
            }
        };
        let people = Self { count, cookies: folder.join("cookies"), place };
        if is_kept {
            ui::note(format_args!("{count} people of {users} users, kept in {}", folder.display()));
        } else {
            people.make(users, app()?.borrow())?;
        }
        Ok(people)
    }

    fn make(&self, users: u32, app: &App) -> Result<(), String> {
        ui::heading(&format!("{users} users, of whom {} sign in: made once", self.count));
        let unfinished = self.cookies.with_extension("unfinished");
        for arguments in [["auth:schema", "--migrate"], ["db:seed", "--class=PeopleSeeder"]] {
            let mut command = program(app.binary("release"));
            command.current_dir(app.folder()).args(arguments).envs(told(&self.place));
            command.env("BENCH_USERS", users.to_string()).env("BENCH_PEOPLE", self.count.to_string());
            // The statements are long, and so are their lines in a log.
            command.env("BENCH_COOKIES", &unfinished).env("LOG_LEVEL", "error");
            if !process::run(&mut command)?.success {
                return Err("the people could not be made; see above".into());
            }
        }
        fs::rename(&unfinished, &self.cookies)
            .map_err(|error| format!("cannot name {}: {error}", self.cookies.display()))
    }

    pub(super) fn database(&self) -> Database {
        match self.place {
            Place::File(_) => Database::Sqlite,
            Place::Server(_) => Database::Postgres,
        }
    }

    /// All of them, in turn.
    pub(super) fn who(&self) -> Who {
        Who::People(self.cookies.clone())
    }

    /// What to tell an app that is to serve them. A SQLite file is copied first, so that the one that is kept stays as it is.
    pub(super) fn serve(&self, scratch: &Path) -> Result<[(&'static str, String); 4], String> {
        let copy = scratch.join("people.sqlite");
        match &self.place {
            Place::File(_) => {
                self.copy(&copy)?;
                Ok(told(&Place::File(copy)))
            }
            Place::Server(_) => Ok(told(&self.place)),
        }
    }

    /// Copies their SQLite file.
    pub(super) fn copy(&self, to: &Path) -> Result<(), String> {
        let Place::File(file) = &self.place else { return Err("they are in no file".into()) };
        // What was written last may still stand beside the file.
        for suffix in ["", "-wal"] {
            let [from, to] = [file, to].map(|file| PathBuf::from(format!("{}{suffix}", file.display())));
            if from.is_file() {
                fs::copy(&from, &to).map_err(|error| format!("cannot copy {}: {error}", from.display()))?;
            }
        }
        Ok(())
    }

    /// Makes sure that a server knows them: it would answer strangers faster.
    pub(super) fn are_known(&self, port: u16, path: &str) -> Result<(), String> {
        let lines = read(&self.cookies)?;
        for cookies in lines.lines().next().into_iter().chain(lines.lines().last()) {
            let answer =
                http::get_with(port, path, cookies).map_err(|error| format!("GET {path}: {error}"))?;
            if answer.status != 200 || !answer.body.contains("Person ") {
                return Err(format!(
                    "{path} does not know who is signed in: {} {}",
                    answer.status, answer.body
                ));
            }
        }
        Ok(())
    }

    /// Everybody opens a page and keeps the cookies that it sets, as a browser does before it asks again. Gives the file with all
    /// their cookies, and the first of its lines.
    pub(super) fn open(&self, port: u16, path: &str, scratch: &Path) -> Result<(PathBuf, String), String> {
        let mut all = String::new();
        for cookies in read(&self.cookies)?.lines() {
            let mut visitor = Visitor::with_cookies(port, cookies);
            let answer = visitor.open(path)?;
            if answer.status != 200 {
                return Err(format!("{path} answers {} to somebody who is signed in", answer.status));
            }
            all += &(visitor.cookies() + "\n");
        }
        let file = scratch.join("cookies");
        fs::write(&file, &all).map_err(|error| format!("cannot write {}: {error}", file.display()))?;
        Ok((file, all.lines().next().unwrap_or_default().to_owned()))
    }
}

/// Where the people are, for an app's environment. Their sessions have no longest life: that would end those that are kept.
fn told(place: &Place) -> [(&'static str, String); 4] {
    let (connection, variable, place) = match place {
        Place::File(file) => ("sqlite", "DB_FILE", file.display().to_string()),
        Place::Server(server) => ("postgres", "DATABASE_URL", server.url.clone()),
    };
    [
        ("DB_CONNECTION", connection.into()),
        (variable, place),
        ("AUTH_SECRET", SECRET.into()),
        ("AUTH_SESSION_LIFETIME", "0".into()),
    ]
}

fn made_from(workspace: &Workspace) -> Result<u64, String> {
    let mut hasher = DefaultHasher::new();
    (SEEDER, SECRET).hash(&mut hasher);
    for file in SCHEMA {
        read(&workspace.path(file))?.hash(&mut hasher);
    }
    Ok(hasher.finish())
}

fn read(file: &Path) -> Result<String, String> {
    fs::read_to_string(file).map_err(|error| format!("cannot read {}: {error}", file.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_tables_are_made_from_is_there() {
        assert!(made_from(&Workspace::here()).is_ok());
    }

    #[test]
    fn a_copy_has_what_stands_beside_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("database.sqlite");
        let people = People { count: 1, cookies: folder.path().join("cookies"), place: Place::File(file) };
        fs::write(folder.path().join("database.sqlite"), "rows").unwrap();
        let copied = || {
            let serving = folder.path().join("serving");
            fs::create_dir_all(&serving).unwrap();
            people.serve(&serving).unwrap();
            fs::read_to_string(serving.join("people.sqlite-wal")).ok()
        };
        assert_eq!(copied(), None);
        fs::write(folder.path().join("database.sqlite-wal"), "newer rows").unwrap();
        assert_eq!(copied().as_deref(), Some("newer rows"));
    }
}
