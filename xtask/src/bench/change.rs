//! `cargo xtask bench change`: seconds from a saved file to the new page, under `housekey dev` of the `jsx` kit.
//!
//! A view is changed in its words. A model is changed in its columns, so that what the derives write changes too.

use std::fs;
use std::time::{Duration, Instant};

use super::median;
use crate::http::get;
use crate::kits::{App, Server, edit};
use crate::workspace::{Workspace, program};
use crate::{node, process, ui};

const ROUNDS: u32 = 5;

/// What a newcomer saw before relations, uploads, schedules and events came (seconds, two cores).
const BEFORE: [(&str, &str); 2] = [("a view", "2.9 to 3.9"), ("a model", "3.8 to 4.2")];

const VIEW: &str = "src/views/pages/sign_in.rs";
const HEADING: &str = "Welcome back";
const MODEL: &str = "src/models/book.rs";
const ROUTES: &str = "src/routes/web.rs";

pub(crate) fn measure(workspace: &Workspace) -> Result<(), String> {
    ui::heading("create the jsx kit with a model and a page of it");
    let app = App::create(workspace, "jsx", "bench-change")?;
    node::install(&app.folder())?;
    add_model(workspace, &app)?;
    ui::heading("housekey dev");
    let mut dev = app.dev()?;
    dev.wait_for("/books", |page| page.status == 200 && page.body == shown(0))?;
    dev.wait_for("/sign-in", |page| page.body.contains(HEADING))?;

    let mut took = [Vec::new(), Vec::new()];
    for round in 1..=ROUNDS {
        let before = if round == 1 { HEADING.to_owned() } else { heading(round - 1) };
        edit(&app.path(VIEW), &format!("t(\"{before}\""), &format!("t(\"{}\"", heading(round)))?;
        took[0].push(until_seen(&dev, "/sign-in", &heading(round))?);
        write(&app, MODEL, &model(round))?;
        took[1].push(until_seen(&dev, "/books", &shown(round))?);
    }
    if !dev.program.stop() {
        return Err("housekey dev did not stop when asked".into());
    }
    ui::heading("seconds from a saved file to the new page");
    let mut rows =
        vec![["changed", "middle of five", "each", "a newcomer, before"].map(String::from).to_vec()];
    for ((what, before), took) in BEFORE.into_iter().zip(took) {
        let each: Vec<String> = took.iter().map(|seconds| format!("{seconds:.2}")).collect();
        rows.push(vec![what.into(), format!("{:.2}", median(took)), each.join(" "), before.into()]);
    }
    ui::line(ui::table(&rows, |index, row| if index == 0 { ui::bold(&row) } else { row }));
    Ok(())
}

/// As a person does it: the generator, the columns, a route.
fn add_model(workspace: &Workspace, app: &App) -> Result<(), String> {
    let mut make = program(workspace.target().join("debug/housekey"));
    make.current_dir(app.folder()).env("CARGO_TARGET_DIR", app.target()).args(["make:model", "Book"]);
    if !process::run(&mut make)?.success {
        return Err("housekey make:model failed; see above".into());
    }
    write(app, MODEL, &model(0))?;
    let home = "route.get(\"/\", home::index).name(\"home\");";
    let books = "route.get(\"/books\", async || crate::models::book::Book::shown()).name(\"books\");";
    edit(&app.path(ROUTES), home, &format!("{home}\n    {books}"))
}

/// A model with a column that has another name in every round.
fn model(round: u32) -> String {
    format!(
        "use housekey::database::FromRow;\nuse housekey::prelude::*;\n\n\
         #[derive(Clone, Debug, FromRow, Model)]\n#[model(table = \"books\")]\n\
         pub struct Book {{\n    pub id: i64,\n    pub title: String,\n    pub shelf_{round}: Option<String>,\n}}\n\n\
         impl Book {{\n    pub fn shown() -> String {{\n        format!(\"by {{}}\", Self::shelf_{round}.name())\n    }}\n}}\n"
    )
}

fn shown(round: u32) -> String {
    format!("by shelf_{round}")
}

fn heading(round: u32) -> String {
    format!("{HEADING}, visit {round}")
}

fn write(app: &App, file: &str, text: &str) -> Result<(), String> {
    let path = app.path(file);
    fs::write(&path, text).map_err(|error| format!("cannot write {}: {error}", path.display()))
}

/// Seconds until a visitor gets this.
fn until_seen(dev: &Server, path: &str, text: &str) -> Result<f64, String> {
    const PATIENCE: Duration = Duration::from_mins(2);
    let begun = Instant::now();
    while begun.elapsed() < PATIENCE {
        let page = get(dev.port, path).map_err(|error| format!("during a rebuild: {error}"))?;
        if page.body.contains(text) {
            return Ok(begun.elapsed().as_secs_f64());
        }
        // Asking costs the app something too, and the compiler has need of it.
        std::thread::sleep(Duration::from_millis(30));
    }
    Err(format!("`{text}` never came to {path}. housekey dev said:\n{}", dev.program.output()))
}
