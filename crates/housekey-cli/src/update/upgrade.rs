//! `housekey upgrade`: the kit of this version, for an app of an earlier one.

use std::fs;
use std::process::ExitCode;

use clap::{Arg, ArgAction, ArgMatches, Command};

use super::plan::Plan;
use super::{Wishes, bring, framework, given, kept, report, write};
use crate::app::App;
use crate::failure::Failure;
use crate::kept::{self, KitRecord};
use crate::kits::Kit;
use crate::layers::Layers;
use crate::name::AppName;
use crate::ui;
use crate::words::Words;

/// `--check` found something. Another code than that of a failure, so that a build machine can tell them apart.
const SOMETHING_WAITS: u8 = 3;

pub(crate) fn command() -> Command {
    Command::new("upgrade")
        .about("Take the kit of this version: files are merged with your edits")
        .after_help(
            "Exit codes: 0 all is well, 1 it failed or left conflicts, 3 with --check: there is something to take.",
        )
        .args(Wishes::arguments())
        .arg(
            Arg::new("check")
                .long("check")
                .action(ArgAction::SetTrue)
                .conflicts_with("pretend")
                .help("Say what would come, and write nothing"),
        )
        .arg(Arg::new("from-kit").long("from-kit").value_name("KIT").conflicts_with_all(["check", "pretend"]).help(
            "For an app without a folder `.housekey`: take the kit of this version as what it was given",
        ))
        .arg(
            Arg::new("with")
                .long("with")
                .value_name("LAYERS")
                .value_delimiter(',')
                .action(ArgAction::Append)
                .requires("from-kit")
                .help("With --from-kit: the layers that the app has"),
        )
}

pub(crate) fn run(arguments: &ArgMatches) -> Result<ExitCode, Failure> {
    let app = App::around_here()?;
    if let Some(kit) = arguments.get_one::<String>("from-kit") {
        let layers = arguments.get_many::<String>("with").unwrap_or_default().map(String::as_str);
        return begin(&app, Kit::find(kit)?, layers);
    }
    let wishes = Wishes::from(arguments);
    let before = kept(&app)?;
    let now = given(before.kit, before.layers.clone(), before.words.with(&framework()))?;
    if arguments.get_flag("check") {
        return check(&app, &before, &now);
    }
    let plan = bring(&app, &before, &now, &format!("housekey {}", now.version), &wishes)?;
    if plan.is_empty() {
        up_to_date(&now);
        return Ok(ExitCode::SUCCESS);
    }
    if wishes.pretend {
        ui::note("Nothing was written.");
        return Ok(ExitCode::SUCCESS);
    }
    ui::done("Upgraded", &format!("the kit `{}`{}", now.kit.name, versions(&before, &now)));
    plan.tell();
    next_steps(&plan, &before);
    Ok(if plan.has_conflicts() { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

fn check(app: &App, before: &KitRecord, now: &KitRecord) -> Result<ExitCode, Failure> {
    let plan = Plan::make(app.root(), before, now, "")?;
    if plan.is_empty() {
        up_to_date(now);
        return Ok(ExitCode::SUCCESS);
    }
    ui::done("Waiting", &format!("the kit `{}`{}", now.kit.name, versions(before, now)));
    plan.print_outline();
    steps(before);
    ui::note("Nothing was written. `housekey upgrade --pretend` shows the differences.");
    Ok(ExitCode::from(SOMETHING_WAITS))
}

/// For an app that has kept nothing: from now on it has.
fn begin<'a>(
    app: &App,
    kit: &'static Kit,
    layers: impl Iterator<Item = &'a str>,
) -> Result<ExitCode, Failure> {
    if KitRecord::read(app.root())?.is_some() {
        return Err(Failure::usage(
            "this app knows what its kit gave it: --from-kit is for one that does not",
        )
        .help("Run `housekey upgrade` without it."));
    }
    let manifest = fs::read_to_string(app.path("Cargo.toml")).unwrap_or_default();
    let Some(name) = package_name(&manifest).map(AppName::parse).transpose()? else {
        return Err(Failure::failed("`Cargo.toml` has no line `name = \"…\"` in `[package]`"));
    };
    let now = given(kit, Layers::parse(kit, layers)?, Words::new(&name, &framework()))?;
    let writes: Vec<write::Write> = now
        .files()
        .into_iter()
        .map(|(path, after)| write::Write { path, before: None, after: Some(after) })
        .collect();
    write::all(app.root(), writes.iter().collect())?;
    ui::done(
        "Written",
        &format!("{}: what the kit `{}` gives in version {}", kept::FOLDER, kit.name, now.version),
    );
    ui::note("No other file was changed. What differs in your app counts as your edit from now on.");
    ui::note("Commit the folder. `housekey add` and the next `housekey upgrade` merge with it.");
    Ok(ExitCode::SUCCESS)
}

fn up_to_date(now: &KitRecord) {
    ui::done("Up to date", &format!("the kit `{}` of Housekey {}", now.kit.name, now.version));
}

fn versions(before: &KitRecord, now: &KitRecord) -> String {
    if before.version == now.version {
        format!(", version {}", now.version)
    } else {
        format!(" from {} to {}", before.version, now.version)
    }
}

fn next_steps(plan: &Plan, before: &KitRecord) {
    steps(before);
    ui::line("\nNext:");
    if plan.touches("package.json") {
        report::step("npm install", "for what came to package.json");
    }
    report::step("cargo update", "the crates of this version");
    if before.kit.setup.iter().any(|command| command.starts_with("auth:schema")) {
        report::step("housekey auth:schema --diff", "what the tables of accounts lack");
        report::step("housekey migrate", "");
    }
    report::step("cargo test", "the app's own tests");
    report::step("git status", "what was done; commit it together with .housekey");
}

/// What the changelog asks for since the version that the app has.
fn steps(before: &KitRecord) {
    let steps = before.new_steps();
    if !steps.is_empty() {
        ui::line("\nThe changelog asks for this:");
        for step in steps {
            ui::line(&format!("  - {step}"));
        }
    }
}

fn package_name(manifest: &str) -> Option<&str> {
    let mut lines = manifest.lines().map(str::trim).skip_while(|line| *line != "[package]").skip(1);
    let mut package = lines.by_ref().take_while(|line| !line.starts_with('['));
    package.find_map(|line| {
        let (key, value) = line.split_once('=')?;
        (key.trim() == "name").then(|| value.trim().trim_matches('"'))
    })
}

#[cfg(test)]
mod tests {
    use super::package_name;

    #[test]
    fn the_name_of_an_app_is_that_of_its_package() {
        let manifest =
            "[lib]\nname = \"no\"\n[package]\nversion = \"1\"\nname = \"shop\"\n[[bin]]\nname = \"no\"\n";
        assert_eq!(package_name(manifest), Some("shop"));
        assert_eq!(package_name("[package]\n[lib]\nname = \"no\"\n"), None);
    }
}
