//! The repository's own commands, run as `cargo xtask <command>`.
//!
//! | command | what it does | code |
//! |---|---|---|
//! | `test` | the whole suite: formatting, lints, tests, docs, kits, browser | [`suite`] |
//! | `bench http` | ours against bare hyper and plain axum, in one run | [`bench::http`] |
//! | `bench engine` | the auth engine against Better Auth on Node, in one run | [`bench::engine`] |
//! | `bench auth` | what accounts cost an app's own routes | [`bench::auth`] |
//! | `bench admin` | the list of users at a million of them | [`bench::admin`] |
//! | `bench attacks` | what requests cost that are made to be expensive | [`bench::attacks`] |
//! | `bench timing` | whether the time of an answer tells who has an account | [`bench::timing`] |
//! | `bench data` | reads by key and pages with relations beside bare sqlx and SeaORM, on all three engines | [`bench::data`] |
//! | `bench change` | from a changed view and a changed model to the new page under `housekey dev` | [`bench::change`] |
//! | `bench build` | crates, build time, rebuild time, binary size of the `none` kit | [`bench::build`] |
//! | `bench first-page` | from an empty target folder to a signed-in demo user in the `jsx` kit | [`bench::first_page`] |
//! | `bench pages` | pages of the kits beside bare hyper sending the same bytes | [`bench::pages`] |
//! | `prove kills` | processes of an app are killed for minutes, and nothing is lost | [`prove`] |
//! | `prove uploads` | 2 GiB to S3 and back through an app that stays small | [`prove`] |
//! | `fuzz` | input that nobody meant, for a minute each way into the auth engine | [`fuzz`] |
//! | `services` | keeps PostgreSQL, MariaDB and Redis up for tests run by hand | [`services`] |
//! | `coverage` | which clauses of `docs/specification.md` no test names | [`coverage`] |
//! | `passwords` | makes the filter of the most used passwords again | [`passwords`] |
//! | `shelf` | writes the example `examples/shelf` into a folder, as an app to run | [`kits::shelf`] |
//! | `pictures` | takes the pictures under `docs/images/` again | [`pictures`] |
//!
//! It uses little more than the standard library and clap: it is compiled before everything else.

mod bench;
mod browser;
mod circles;
mod count;
mod coverage;
mod disk;
mod evidence;
mod fuzz;
mod http;
mod kits;
mod links;
mod node;
mod openapi;
mod orphans;
mod passwords;
mod pictures;
mod process;
mod prove;
mod provision;
mod rooms;
mod services;
mod suite;
mod tutorial;
mod ui;
mod visitor;
mod workspace;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use crate::workspace::Workspace;

#[derive(Parser)]
#[command(bin_name = "cargo xtask", about = "The commands of the Housekey repository")]
struct Cli {
    #[command(subcommand)]
    command: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Run the whole suite: formatting, lints, tests, docs, kits, browser
    Test(suite::Options),
    /// Measure, side by side in one run
    #[command(subcommand)]
    Bench(bench::Bench),
    /// Prove what takes minutes: processes that are killed, files that are larger than memory
    #[command(subcommand)]
    Prove(prove::Prove),
    /// Throw changed cookies, tokens, codes, passkeys and bodies at the auth engine
    Fuzz(fuzz::Options),
    /// Keep PostgreSQL, MariaDB and Redis up for tests run by hand, and print how to reach them
    Services,
    /// Print which clauses of docs/specification.md no test names
    Coverage {
        /// Print every clause with the files that name it
        #[arg(short, long)]
        verbose: bool,
    },
    /// Make the filter of the most used passwords again, from the list that it names
    Passwords,
    /// Write examples/shelf into a folder, as an app to run and to change
    Shelf {
        /// The folder that the app's own folder, `shelf`, is made in
        folder: std::path::PathBuf,
    },
    /// Take the pictures under docs/images/ again
    Pictures,
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    let workspace = Workspace::here();
    let done = match cli.command {
        Task::Test(options) => return suite::run(&workspace, &options),
        Task::Bench(bench) => bench::run(&workspace, &bench),
        Task::Prove(prove) => prove::run(&workspace, &prove),
        Task::Fuzz(options) => fuzz::run(&workspace, &options),
        Task::Services => provision::provide(&[&provision::POSTGRES, &provision::MARIADB, &provision::REDIS])
            .and_then(|()| services::Services::hold()),
        Task::Coverage { verbose } => coverage::print(&workspace, verbose),
        Task::Passwords => passwords::write(&workspace),
        Task::Shelf { folder } => kits::shelf::write(&workspace, &folder),
        Task::Pictures => pictures::take(&workspace),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            ui::error(&why);
            ExitCode::FAILURE
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;

    // clap itself says so only to whoever uses the command.
    #[test]
    fn no_command_contradicts_itself() {
        Cli::command().debug_assert();
    }
}
