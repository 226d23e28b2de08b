//! `cargo xtask test`: the whole suite, in order of cost, so that a slip shows early.

mod conformance;
mod docs;
mod packages;
mod progress;
mod rust;

use std::process::ExitCode;
use std::thread;
use std::time::{Duration, Instant};

pub(crate) use self::progress::{Failure, Progress};
use crate::count::Count;
use crate::provision::{self, CHROMIUM, MARIADB, NODE, Need, POSTGRES, REDIS};
use crate::ui;
use crate::workspace::Workspace;
use crate::{coverage, disk, kits};

/// How much of the suite to run.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// Leave out the kits and the browser
    #[arg(long)]
    quick: bool,
    /// Run one part only (may be repeated)
    #[arg(long, value_name = "PART", value_parser = PARTS.map(|part| part.name))]
    only: Vec<String>,
}

/// A part of the suite: its name on the command line, what it needs, and the steps it takes.
struct Part {
    name: &'static str,
    needs: &'static [&'static Need],
    slow: bool,
    run: Run,
}

#[derive(Clone, Copy)]
enum Run {
    InTurn(fn(&Workspace, &mut Progress)),
    /// One step that compiles nothing and leaves a core free: once it is prepared it runs beside the parts that follow.
    Beside {
        step: &'static str,
        prepare: Step,
        run: Step,
    },
}

type Step = fn(&Workspace) -> Result<Count, Failure>;

const PARTS: [Part; 14] = [
    Part { name: "fmt", needs: &[], slow: false, run: Run::InTurn(rust::fmt) },
    Part { name: "clippy", needs: &[], slow: false, run: Run::InTurn(rust::clippy) },
    Part { name: "unit", needs: &[&POSTGRES, &MARIADB, &REDIS], slow: false, run: Run::InTurn(rust::tests) },
    Part { name: "doctest", needs: &[], slow: false, run: Run::InTurn(rust::doctests) },
    Part { name: "docs", needs: &[], slow: false, run: Run::InTurn(docs::check) },
    Part { name: "packages", needs: &[&NODE, &CHROMIUM], slow: false, run: Run::InTurn(packages::test) },
    Part { name: "conformance", needs: &[&NODE, &CHROMIUM], slow: true, run: conformance::RUN },
    Part { name: "kit-none", needs: &[&NODE, &CHROMIUM], slow: true, run: Run::InTurn(kits::none::test) },
    Part { name: "kit-api", needs: &[&NODE, &CHROMIUM], slow: true, run: Run::InTurn(kits::accounts::api) },
    Part { name: "kit-jsx", needs: &[&NODE, &CHROMIUM], slow: true, run: Run::InTurn(kits::accounts::jsx) },
    Part { name: "kit-spa", needs: &[&NODE, &CHROMIUM], slow: true, run: Run::InTurn(kits::accounts::spa) },
    Part {
        name: "kit-jsx-layers",
        needs: &[&NODE, &CHROMIUM],
        slow: true,
        run: Run::InTurn(kits::layers::jsx),
    },
    Part {
        name: "kit-spa-layers",
        needs: &[&NODE, &CHROMIUM],
        slow: true,
        run: Run::InTurn(kits::layers::spa),
    },
    Part {
        name: "shelf",
        needs: &[&NODE, &CHROMIUM, &POSTGRES, &MARIADB, &REDIS],
        slow: true,
        run: Run::InTurn(kits::shelf::test),
    },
];

/// Runs what was asked for. Succeeds only when every step passed.
pub(crate) fn run(workspace: &Workspace, options: &Options) -> ExitCode {
    let wanted = |part: &&Part| {
        if options.only.is_empty() {
            !(options.quick && part.slow)
        } else {
            options.only.iter().any(|name| name == part.name)
        }
    };
    let parts: Vec<&Part> = PARTS.iter().filter(wanted).collect();
    let mut needs: Vec<&Need> = Vec::new();
    for need in parts.iter().flat_map(|part| part.needs) {
        if !needs.iter().any(|known| known.name == need.name) {
            needs.push(need);
        }
    }
    // Before the long steps: nobody wants to hear of a missing program after ten minutes.
    if let Err(why) = provision::provide(&needs) {
        ui::error(why);
        return ExitCode::FAILURE;
    }
    if let Some(warning) = disk::too_little_for_a_run(&workspace.target()) {
        ui::note(warning);
    }
    let mut progress = Progress::default();
    thread::scope(|scope| {
        let mut beside = Vec::new();
        for part in &parts {
            match part.run {
                Run::InTurn(steps) => steps(workspace, &mut progress),
                Run::Beside { step, prepare, run } => {
                    if progress.step(&format!("{step}: what it needs"), || prepare(workspace)) {
                        let begun = Instant::now();
                        beside.push((step, scope.spawn(move || (run(workspace), begun.elapsed()))));
                    }
                }
            }
        }
        for (step, running) in beside {
            match running.join() {
                Ok((outcome, took)) => progress.note(step, outcome, took),
                Err(_) => progress.note(step, Err("it ended by a panic; see above".into()), Duration::ZERO),
            }
        }
    });
    if options.only.is_empty() {
        ui::heading("specification");
        if let Err(why) = coverage::print(workspace, false) {
            ui::error(why);
        }
    }
    if progress.has_failed()
        && let Some(why) = disk::full(&workspace.target())
    {
        ui::error(why);
    }
    progress.close()
}
