//! The `housekey` command.
//!
//! It does five things. `housekey create` writes a new app from the kits inside this binary ([`create`]). `housekey add`
//! and `housekey upgrade` bring a layer or the next version of the kit into an app that has been edited ([`update`]).
//! `housekey dev` builds an app, serves it and rebuilds it when a file changes ([`dev`]). `housekey build` makes the
//! folder that goes to a server ([`build`]). Every other word is a command of the app around the current folder and is
//! handed to that app's own console ([`forward`]).
//!
//! It uses none of the framework's crates: it is the first thing a newcomer compiles.

mod app;
mod artifact;
mod build;
mod create;
mod dev;
mod failure;
mod forward;
mod framework;
mod kept;
mod kits;
mod layers;
mod name;
mod programs;
mod setup;
mod ui;
mod update;
mod words;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::Command;

use crate::failure::Failure;

fn main() -> ExitCode {
    match run() {
        Ok(code) => code,
        Err(failure) => failure.report(),
    }
}

fn run() -> Result<ExitCode, Failure> {
    let matches = command().get_matches();
    match matches.subcommand() {
        Some(("add", arguments)) => update::add::run(arguments),
        Some(("create", arguments)) => create::run(arguments),
        Some(("upgrade", arguments)) => update::upgrade::run(arguments),
        Some(("build", arguments)) => build::run(arguments),
        Some(("dev", arguments)) => dev::run(&dev::Options::from_arguments(arguments)),
        Some((name, arguments)) => {
            let rest: Vec<&OsString> = arguments.get_many::<OsString>("").unwrap_or_default().collect();
            forward::run(name, &rest)
        }
        // clap answers a bare `housekey` with the help text and never comes back here.
        None => Err(Failure::usage("no command given")),
    }
}

fn command() -> Command {
    Command::new("housekey")
        .version(env!("CARGO_PKG_VERSION"))
        .about("Create a Housekey app, develop it, build it for a server, and run its console.")
        .after_help(
            "Inside an app every other command goes to the app's own console, for example\n  \
             housekey route:list\n  housekey make:controller PostController\n\
             `housekey list` shows all of them.",
        )
        .subcommand_required(true)
        .arg_required_else_help(true)
        .allow_external_subcommands(true)
        .subcommand(create::command())
        .subcommand(update::add::command())
        .subcommand(update::upgrade::command())
        .subcommand(dev::command())
        .subcommand(build::command())
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_command_line_is_well_formed() {
        super::command().debug_assert();
    }
}
