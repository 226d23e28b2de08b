//! `housekey build`: a folder that can be copied to a server and started there.
//!
//! The order follows from who needs what: the program first, because its own `types` command writes what the bundler
//! reads; then the bundler; then everything the app needs at run time is put into one folder ([`collect`]).

mod assets;
mod collect;
mod program;

use std::env;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use clap::{Arg, ArgMatches, Command, value_parser};

use self::collect::Folder;
use crate::app::App;
use crate::failure::Failure;
use crate::ui;

/// Stays out of git in every kit, and is no folder of the bundler's.
const FOLDER: &str = "dist";

pub(crate) fn command() -> Command {
    Command::new("build")
        .about("Build the app for a server: the program and everything it needs, in one folder")
        .after_help(
            "The folder holds the program, public/ with the built styles and scripts, lang/, and an empty storage/.\n\
             Built again, these are replaced; what the app wrote to storage/ stays. `.env` is never copied.",
        )
        .arg(
            Arg::new("out")
                .long("out")
                .value_name("DIR")
                .value_parser(value_parser!(PathBuf))
                .help("Where to put it [default: dist, in the app's folder]"),
        )
        .arg(
            Arg::new("with")
                .long("with")
                .value_name("PATH")
                .action(clap::ArgAction::Append)
                .help("Another file or folder of the app that it reads at run time; any number of times"),
        )
        .arg(
            Arg::new("profile")
                .long("profile")
                .value_name("NAME")
                .default_value("release")
                .help("The cargo profile to build with"),
        )
}

pub(crate) fn run(arguments: &ArgMatches) -> Result<ExitCode, Failure> {
    let started = Instant::now();
    let app = App::around_here()?;
    let with: Vec<&str> =
        arguments.get_many::<String>("with").unwrap_or_default().map(String::as_str).collect();
    // Everything that can be refused is refused before minutes are spent on it.
    let folder = Folder::open(&app, &destination(arguments, &app)?, &with)?;
    let bundler = assets::Bundler::of(&app)?;

    let program =
        program::build(&app, arguments.get_one::<String>("profile").map_or("release", String::as_str))?;
    program::write_types(&app, &program)?;
    if let Some(bundler) = &bundler {
        bundler.build(&app)?;
    }
    let parts = folder.fill(&app, &program)?;

    ui::done(
        "Built",
        &format!("{} in {:.1} s", ui::strong(&shown(folder.path())), started.elapsed().as_secs_f32()),
    );
    for part in &parts {
        ui::note(&format!("{:<14} {:>9}", part.name, size(part.bytes)));
    }
    tell_how_to_start(folder.path(), &program);
    Ok(ExitCode::SUCCESS)
}

/// As typed, seen from the current folder; the default lies in the app.
fn destination(arguments: &ArgMatches, app: &App) -> Result<PathBuf, Failure> {
    let Some(typed) = arguments.get_one::<PathBuf>("out") else { return Ok(app.path(FOLDER)) };
    let here = env::current_dir().map_err(|error| crate::app::cannot_see("the current folder", &error))?;
    Ok(here.join(typed))
}

fn tell_how_to_start(folder: &Path, program: &Path) {
    let name = program.file_name().unwrap_or_default().to_string_lossy();
    ui::line("\nNext:");
    ui::line(&format!(
        "  copy {} to the server, write a .env beside the program (or set its variables), and there",
        shown(folder)
    ));
    ui::line(&format!(
        "  {}   makes or changes the tables, if the app has a database",
        ui::strong(&format!("./{name} migrate --force"))
    ));
    ui::line(&format!(
        "  {}   serves it; from another folder, set APP_ROOT to this one",
        ui::strong(&format!("./{name} serve"))
    ));
}

/// Relative where that is shorter.
fn shown(folder: &Path) -> String {
    let here = env::current_dir().unwrap_or_default();
    folder.strip_prefix(&here).unwrap_or(folder).display().to_string()
}

fn size(bytes: u64) -> String {
    if bytes < 100_000 {
        format!("{:.1} kB", bytes as f64 / 1e3)
    } else {
        format!("{:.1} MB", bytes as f64 / 1e6)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_told_in_the_unit_that_suits_them() {
        assert_eq!(size(0), "0.0 kB");
        assert_eq!(size(12_345), "12.3 kB");
        assert_eq!(size(12_345_678), "12.3 MB");
    }
}
