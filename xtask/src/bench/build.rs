//! `cargo xtask bench build`: what the `none` kit costs to create, to compile, to change and to ship.

use std::fs;
use std::time::{Duration, Instant};

use super::cost::Cost;
use super::median;
use crate::kits::App;
use crate::process;
use crate::ui;
use crate::workspace::{Workspace, program};

pub(crate) fn measure(workspace: &Workspace) -> Result<(), String> {
    ui::heading("create");
    let app = App::create(workspace, "none", "bench-build")?;
    let create = time_create(workspace)?;
    let crates = app.crates()?;

    // A folder of its own: nothing that was compiled before may help.
    let clean = workspace.scratch("bench-build")?;
    let target = clean.display().to_string();
    let cargo = |arguments: &[&str]| {
        let mut command = app.cargo(arguments);
        command.env("CARGO_TARGET_DIR", &target);
        process::run(&mut command)?
            .success
            .then_some(())
            .ok_or("the app does not build; see above".to_owned())
    };

    ui::heading("clean debug build");
    let debug = Cost::of(|| cargo(&["build"]))?;
    ui::heading("rebuild after a changed page, five times");
    let page = app.path("src/views/pages/welcome.rs");
    let original =
        fs::read_to_string(&page).map_err(|error| format!("cannot read {}: {error}", page.display()))?;
    let mut rebuilds = Vec::new();
    for round in 0..5 {
        fs::write(&page, format!("{original}\n// change {round}\n")).map_err(|error| error.to_string())?;
        rebuilds.push(Cost::of(|| cargo(&["build", "--quiet"]))?.wall.as_secs_f64());
    }
    let debug_size = size(&clean.join("debug/bench-build"))?;
    ui::heading("clean release build");
    let release = Cost::of(|| cargo(&["build", "--release"]))?;
    let release_size = size(&clean.join("release/bench-build"))?;
    let _ = fs::remove_dir_all(&clean);

    let rows = [
        ("files on disk after create", format!("{:.3} s", median(create))),
        ("crates in a build", crates.to_string()),
        ("clean debug build, CPU", minutes(debug.cpu)),
        ("clean debug build, wall", minutes(debug.wall)),
        ("rebuild after a changed page, wall", format!("{:.2} s", median(rebuilds))),
        ("clean release build, CPU", minutes(release.cpu)),
        ("debug binary", format!("{debug_size:.1} MB")),
        ("release binary", format!("{release_size:.1} MB")),
    ];
    ui::heading("the none kit");
    let rows: Vec<Vec<String>> = rows.into_iter().map(|(name, value)| vec![name.into(), value]).collect();
    ui::line(ui::table(&rows, |_, row| row));
    Ok(())
}

/// Creating is quick, so it is done several times.
fn time_create(workspace: &Workspace) -> Result<Vec<f64>, String> {
    let folder = workspace.scratch("bench-create")?;
    let housekey = workspace.target().join("debug/housekey");
    let mut times = Vec::new();
    for round in 0..5 {
        let mut command = program(&housekey);
        command.current_dir(&folder).args(["create", &format!("app-{round}"), "--kit=none", "--no-install"]);
        let begun = Instant::now();
        if !process::run_quietly(&mut command)?.success {
            return Err("housekey create failed; see above".into());
        }
        times.push(begun.elapsed().as_secs_f64());
    }
    let _ = fs::remove_dir_all(&folder);
    Ok(times)
}

fn minutes(time: Duration) -> String {
    format!("{:.1} s ({:.2} min)", time.as_secs_f64(), time.as_secs_f64() / 60.0)
}

/// In MB.
fn size(file: &std::path::Path) -> Result<f64, String> {
    let bytes = fs::metadata(file).map_err(|error| format!("cannot read {}: {error}", file.display()))?.len();
    Ok(bytes as f64 / 1e6)
}
