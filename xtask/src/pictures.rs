//! The pictures in the README and the guide, taken of the kits as they are today.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::kits::{App, accounts, shelf};
use crate::workspace::Workspace;
use crate::{browser, process, provision, ui};

/// Creates the kits that are shown, serves them and photographs their pages.
pub(crate) fn take(workspace: &Workspace) -> Result<(), String> {
    provision::provide(&[&provision::NODE, &provision::CHROMIUM])?;
    let images = workspace.path("docs/images");
    fs::create_dir_all(&images).map_err(|error| format!("cannot create {}: {error}", images.display()))?;
    none(workspace, &images)?;
    jsx(workspace, &images)?;
    library(workspace, &images)?;
    ui::line(format_args!("pictures written to {}", images.display()));
    Ok(())
}

fn none(workspace: &Workspace, images: &Path) -> Result<(), String> {
    let app = App::create(workspace, "none", "my-app")?;
    if !app.build_assets()?.success || !process::run(&mut app.cargo(&["build", "--quiet"]))?.success {
        return Err("the app does not build; see above".into());
    }
    let server = app.serve(&[])?;
    let mut command = browser::script(workspace, &["pictures.mjs"], &server.url())?;
    photograph(command.arg(images))
}

/// Its pictures are of somebody's account, so it needs a database, and gets what `housekey dev` gives it.
fn jsx(workspace: &Workspace, images: &Path) -> Result<(), String> {
    let app = App::create(workspace, "jsx", "acme")?;
    if !app.build_assets()?.success || accounts::tables(&app).is_err() {
        return Err("the jsx app does not build, or its tables cannot be made; see above".into());
    }
    // Visitors of the kit's own browser tests say where they come from, and do not share one visitor's limits.
    let server = app.serve(&[("TRUSTED_PROXIES", "127.0.0.1"), ("APP_DEBUG", "false")])?;
    let mut command = browser::script(workspace, &["pictures-jsx.mjs"], &server.url())?;
    command.env("CHROMIUM", provision::chromium().ok_or("chromium is gone")?);
    photograph(command.arg(images).arg(app.folder()))
}

/// The tutorial's app, with its seeds.
fn library(workspace: &Workspace, images: &Path) -> Result<(), String> {
    let app = shelf::create(workspace)?;
    if !app.build_assets()?.success || shelf::tables(&app).is_err() {
        return Err("the lending library does not build, or its tables cannot be made; see above".into());
    }
    let server = app.serve(&[("TRUSTED_PROXIES", "127.0.0.1"), ("APP_DEBUG", "false")])?;
    let mut command = browser::script(workspace, &["pictures-shelf.mjs"], &server.url())?;
    command.env("CHROMIUM", provision::chromium().ok_or("chromium is gone")?);
    photograph(command.arg(images).arg(app.folder()))
}

fn photograph(command: &mut Command) -> Result<(), String> {
    let taken = process::run(command)?.success;
    if taken { Ok(()) } else { Err("the pictures could not be taken; see above".into()) }
}
