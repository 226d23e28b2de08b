//! `cargo xtask bench first-page`: what the README's first command takes, from nothing compiled to a signed-in person.
//!
//! Three times count: until the port answers anything, until the demo user whom the terminal names has signed in, and
//! until a changed page is served. Processor time is counted beside the clock, because it does not depend on how many
//! cores there are or who else uses them.

use std::fs;
use std::time::{Duration, Instant};

use super::cost::Cost;
use super::{cpu, median};
use crate::http::get;
use crate::kits::{App, Server, edit};
use crate::visitor::Visitor;
use crate::workspace::Workspace;
use crate::{count, node, process, ui};

/// What we promise: seconds, minutes of processor time, seconds.
const ANSWER_BAR: f64 = 2.0;
const APP_BAR: f64 = 4.5;
const REBUILD_BAR: f64 = 3.0;

const REBUILDS: u32 = 5;
const PAGE: &str = "src/views/pages/sign_in.rs";
const HEADING: &str = "Welcome back";

pub(crate) fn measure(workspace: &Workspace) -> Result<(), String> {
    let clean = workspace.scratch("bench-first-page")?;
    ui::heading("the housekey command, from nothing");
    let command = Cost::of(|| {
        let mut build = workspace.cargo(&["build", "--package", "housekey-cli", "--quiet"]);
        let built = process::run(build.env("CARGO_TARGET_DIR", &clean))?;
        if built.success { Ok(()) } else { Err("the housekey command does not build; see above".into()) }
    })?;
    ui::heading("create the jsx kit, install its packages");
    let app = App::create(workspace, "jsx", "first-page")?.with_target(&clean);
    let install = Cost::of(|| node::install(&app.folder()))?;

    ui::heading("housekey dev, from nothing");
    let begun = Instant::now();
    let mut dev = app.dev()?;
    dev.wait_for("/", |_| true)?;
    let answer = begun.elapsed();
    ui::note(format_args!("the port answered after {:.2} s", answer.as_secs_f64()));
    dev.wait_for("/sign-in", |page| page.status != 503)?;
    let (email, password) = demo(&dev)?;
    Visitor::at(dev.port).sign_in(&email, &password)?;
    let first = Cost { wall: begun.elapsed(), cpu: cpu::of_family(dev.program.id()).unwrap_or_default() };
    ui::note(format_args!("{email} signed in after {:.1} s", first.wall.as_secs_f64()));

    ui::heading("change a page");
    let mut rebuilds = Vec::new();
    for round in 1..=REBUILDS {
        rebuilds.push(rebuild(&app, &dev, round)?.as_secs_f64());
    }
    ui::note(format_args!("each took, in seconds: {rebuilds:.2?}"));
    if !dev.program.stop() {
        return Err("housekey dev did not stop when asked".into());
    }
    if std::env::var_os("HOUSEKEY_KEEP").is_none() {
        let _ = fs::remove_dir_all(&clean);
    }

    let rebuild = median(rebuilds);
    let minutes = first.cpu.as_secs_f64() / 60.0;
    ui::heading("the first page of the jsx kit");
    let rows = vec![
        ["", "took", "goal", ""].map(String::from).to_vec(),
        plain("npm install", format!("{:.1} s", install.wall.as_secs_f64())),
        plain("the housekey command, built first", describe(&command)),
        judged(
            "the port answers",
            format!("{:.2} s", answer.as_secs_f64()),
            answer.as_secs_f64(),
            ANSWER_BAR,
            "s",
        ),
        judged("the demo user is signed in", describe(&first), minutes, APP_BAR, "min of CPU"),
        judged("a changed page is served", format!("{rebuild:.2} s"), rebuild, REBUILD_BAR, "s"),
    ];
    ui::line(ui::table(&rows, |index, row| if index == 0 { ui::bold(&row) } else { row }));
    Ok(())
}

/// Whom `housekey dev` names in the terminal once the app is ready.
fn demo(dev: &Server) -> Result<(String, String), String> {
    let said = count::plain(&dev.program.output());
    let named = said.lines().find_map(|line| line.split_once("Sign in as ")?.1.split_once(" / "));
    named
        .map(|(email, password)| (email.trim().to_owned(), password.trim().to_owned()))
        .ok_or_else(|| format!("housekey dev names nobody who can sign in. It said:\n{said}"))
}

/// Changes the heading of a page and waits until that is what a visitor gets.
fn rebuild(app: &App, dev: &Server, round: u32) -> Result<Duration, String> {
    const START_TIMEOUT: Duration = Duration::from_mins(2);
    let before = if round == 1 { HEADING.to_owned() } else { heading(round - 1) };
    let after = heading(round);
    edit(&app.path(PAGE), &format!("t(\"{before}\""), &format!("t(\"{after}\""))?;
    let begun = Instant::now();
    while begun.elapsed() < START_TIMEOUT {
        // While a build fails, people see why.
        let page = get(dev.port, "/sign-in").map_err(|error| format!("during a rebuild: {error}"))?;
        if page.body.contains(&after) {
            return Ok(begun.elapsed());
        }
        // Asking costs the app something too, and the compiler has need of it.
        std::thread::sleep(Duration::from_millis(30));
    }
    Err(format!("the changed page never came. housekey dev said:\n{}", dev.program.output()))
}

fn heading(round: u32) -> String {
    format!("{HEADING}, visit {round}")
}

fn describe(cost: &Cost) -> String {
    format!("{:.2} min of CPU, {:.1} s", cost.cpu.as_secs_f64() / 60.0, cost.wall.as_secs_f64())
}

fn plain(name: &str, took: String) -> Vec<String> {
    vec![name.into(), took]
}

fn judged(name: &str, took: String, value: f64, bar: f64, unit: &str) -> Vec<String> {
    let word = if value <= bar { ui::green("met") } else { ui::red("missed") };
    vec![name.into(), took, format!("≤ {bar} {unit}"), word]
}
