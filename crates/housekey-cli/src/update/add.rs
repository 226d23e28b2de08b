//! `housekey add organizations`: a layer for an app that is there already.

use std::process::ExitCode;

use clap::{Arg, ArgAction, ArgMatches, Command};

use super::plan::Plan;
use super::{Wishes, bring, given, kept, report};
use crate::app::App;
use crate::failure::Failure;
use crate::kept::KitRecord;
use crate::layers::{self, Layers};
use crate::setup::Setup;
use crate::ui;

pub(crate) fn command() -> Command {
    Command::new("add")
        .about("Add a layer to the app: files are merged with your edits")
        .after_help(format!(
            "{}\n\nWhat you edited is merged; where you and the layer changed the same lines, both are left in the file\n\
             between conflict markers, and the exit code is 1.",
            layers::Listed
        ))
        .arg(
            Arg::new("layers")
                .value_name("LAYER")
                .required(true)
                .num_args(1..)
                .value_delimiter(',')
                .action(ArgAction::Append)
                .help("The layers to add"),
        )
        .args(Wishes::arguments())
}

pub(crate) fn run(arguments: &ArgMatches) -> Result<ExitCode, Failure> {
    let app = App::around_here()?;
    let wishes = Wishes::from(arguments);
    let before = kept(&app)?;
    let names = arguments.get_many::<String>("layers").unwrap_or_default().map(String::as_str);
    let wanted = Layers::parse(before.kit, names)?;
    let new = wanted.without(&before.layers);
    for name in wanted.without(&new).names() {
        ui::done("There", &format!("{name} is in this app already"));
    }
    if new.is_empty() {
        return Ok(ExitCode::SUCCESS);
    }
    refuse_if_the_kit_moved_on(&before)?;

    let now = given(before.kit, before.layers.and(&new), before.words.clone())?;
    let plan = bring(&app, &before, &now, &new.names().join(" and "), &wishes)?;
    if wishes.pretend {
        ui::note("Nothing was written.");
        return Ok(ExitCode::SUCCESS);
    }
    ui::done("Added", &format!("{} to {}", new.names().join(" and "), now.words.name()));
    plan.tell();
    next_steps(&app, &new, &plan, &before, &now);
    Ok(if plan.has_conflicts() { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

/// A layer is made for the kit of its own version. One thing at a time: what the kit changed comes by `upgrade`, in a
/// commit of its own.
fn refuse_if_the_kit_moved_on(before: &KitRecord) -> Result<(), Failure> {
    let same = given(before.kit, before.layers.clone(), before.words.clone())?;
    if same.given() == before.given() {
        return Ok(());
    }
    Err(Failure::failed("the kit of this version differs from the one that this app has").help(
        "Nothing was written. Take the kit's changes first, commit, then add the layer:\n  \
         housekey upgrade --check    what would come\n  housekey upgrade",
    ))
}

fn next_steps(app: &App, new: &Layers, plan: &Plan, before: &KitRecord, now: &KitRecord) {
    ui::line("\nNext:");
    if plan.touches("package.json") {
        report::step("npm install", "for what came to package.json");
    }
    let names = new_names(before, now);
    if !names.is_empty() {
        report::step(".env", &format!("needs a value for {}; .env.example says more", names.join(", ")));
    }
    if Setup::pending(app).is_ok_and(|setup| setup.is_some()) {
        report::step("housekey dev", "its first start makes the tables");
    } else {
        let mut commands: Vec<&str> = Vec::new();
        for command in new.iter().flat_map(|layer| layer.setup) {
            if !commands.contains(command) {
                commands.push(command);
                report::step(&format!("housekey {command}"), "");
            }
        }
    }
    report::step("cargo test", "the app's own tests, and the layer's");
    report::step("git status", "what was done; commit it together with .housekey");
}

/// The names in `.env.example` that were not there before.
fn new_names(before: &KitRecord, now: &KitRecord) -> Vec<String> {
    let names = |kept: &KitRecord| -> Vec<String> {
        let example = kept.given().get(".env.example").map(|text| String::from_utf8_lossy(text).into_owned());
        let lines = example.unwrap_or_default();
        lines.lines().filter_map(|line| Some(line.split_once('=')?.0.trim().to_owned())).collect()
    };
    let old = names(before);
    names(now).into_iter().filter(|name| !name.starts_with('#') && !old.contains(name)).collect()
}
