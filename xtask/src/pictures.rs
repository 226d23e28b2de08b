//! The pictures in the README, taken of the kit as it is today.

use std::fs;

use crate::kits::App;
use crate::workspace::Workspace;
use crate::{browser, process, provision, ui};

/// Creates the `none` kit, serves it and photographs its landing page.
pub(crate) fn take(workspace: &Workspace) -> Result<(), String> {
    provision::provide(&[&provision::NODE, &provision::CHROMIUM])?;
    let images = workspace.path("docs/images");
    fs::create_dir_all(&images).map_err(|error| format!("cannot create {}: {error}", images.display()))?;

    let app = App::create(workspace, "none", "my-app")?;
    if !app.build_assets()?.success || !process::run(&mut app.cargo(&["build", "--quiet"]))?.success {
        return Err("the app does not build; see above".into());
    }
    let server = app.serve(&[])?;
    let mut command = browser::script(workspace, &["pictures.mjs"], &server.url())?;
    if !process::run(command.arg(&images))?.success {
        return Err("the pictures could not be taken; see above".into());
    }
    ui::line(format_args!("pictures written to {}", images.display()));
    Ok(())
}
