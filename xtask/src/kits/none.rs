//! The `none` kit, from `housekey create` to pages in a browser.

use std::time::{Duration, Instant};
use std::{fs, thread};

use super::{App, Server, edit, generators};
use crate::count::Count;
use crate::suite::{Failure, Progress};
use crate::workspace::Workspace;
use crate::{browser, http, process, ui};

/// What the specification allows it (KIT-1), and the most crates a build may take.
const CONFIG_FILES: usize = 10;
const PAGES: usize = 1;
const MOST_CRATES: usize = 200;

pub(crate) fn test(workspace: &Workspace, progress: &mut Progress) {
    let create = || Ok((App::create(workspace, "none", "kit-none")?, Count::ONE));
    let Some(app) = progress.step_with("kit none: create", create) else { return };
    progress.step("kit none: size", || size(&app));
    progress.step("kit none: generators", || {
        let built = process::run(&mut app.cargo(&["build", "--quiet"]))?;
        if built.success {
            generators::test(workspace, &app)
        } else {
            Err("the app does not build; see above".into())
        }
    });
    progress.step("kit none: lints", || app.lint());
    progress.step("kit none: its own tests", || app.test());
    progress.step("kit none: assets", || {
        let done = app.build_assets()?;
        if done.success { Ok(Count::ONE) } else { Err("npm run build failed; see above".into()) }
    });
    progress.step("kit none: pages in a browser", || pages(workspace, &app));
    progress.step("kit none: housekey dev", || dev(workspace, &app));
}

// spec: KIT-1
fn size(app: &App) -> Result<Count, Failure> {
    let config = app.files("config", ".rs")?;
    let pages = app.files("src/views/pages", ".rs")?;
    let crates = app.crates()?;
    ui::note(format_args!("{} config files, {} page, {crates} crates", config.len(), pages.len()));
    if config.len() != CONFIG_FILES {
        return Err(format!(
            "{CONFIG_FILES} config files belong in the kit, it has {}: {config:?}",
            config.len()
        )
        .into());
    }
    if pages.len() != PAGES {
        return Err(format!("{PAGES} page belongs in the kit, it has {}: {pages:?}", pages.len()).into());
    }
    if crates > MOST_CRATES {
        return Err(format!("a build takes {crates} crates, {MOST_CRATES} are allowed").into());
    }
    Ok(Count { passed: 3, failed: 0 })
}

/// The built app, served as in production, with a route added that answers with any error.
fn pages(workspace: &Workspace, app: &App) -> Result<Count, Failure> {
    add_route_that_fails(app)?;
    let built = process::run(&mut app.cargo(&["build", "--quiet"]))?;
    if !built.success {
        return Err("the app does not build; see above".into());
    }
    let server = app.serve(&[("APP_ENV", "production"), ("APP_DEBUG", "false")])?;
    browser::test(workspace, "none-kit.test.mjs", &server.url())
}

/// `housekey dev` answers before anything is built, then with the app, then with the changed app, and never refuses.
fn dev(workspace: &Workspace, app: &App) -> Result<Count, Failure> {
    let welcome = app.path("src/views/pages/welcome.rs");
    let text = fs::read_to_string(&welcome).map_err(|error| error.to_string())?;
    // Something to build, so that the first answer cannot come from the app.
    fs::write(&welcome, format!("{text}\n// changed\n")).map_err(|error| error.to_string())?;

    let mut server = app.dev()?;
    let first = server.wait_for("/", |_| true)?;
    if first.status != 503 {
        return Err(format!(
            "before the build the answer should be the progress page (503), it is {}",
            first.status
        )
        .into());
    }
    ui::note("answered at once, with its progress");
    let health = server.wait_for("/health", |answer| answer.status != 503)?;
    if health.status != 200 {
        return Err(broken_build(&server));
    }
    ui::note("the app took over");
    let mut count = browser::test(workspace, "none-kit-dev.test.mjs", &server.url())?;
    count += Count { passed: 2, failed: 0 };

    let routes = app.path("src/routes/web.rs");
    edit(
        &routes,
        "route.get(\"/try/",
        "route.get(\"/fresh\", async || \"freshly built\");\n    route.get(\"/try/",
    )?;
    swap(&mut server)?;
    ui::note("a changed file was rebuilt and swapped in; no connection was refused");
    count += Count::ONE;
    if server.program.stop() {
        count += Count::ONE;
        Ok(count)
    } else {
        Err("housekey dev did not stop when asked".into())
    }
}

/// Asks without a pause until the new build answers. Something must answer every single time.
fn swap(server: &mut Server) -> Result<(), Failure> {
    let until = Instant::now() + super::START_TIMEOUT;
    while Instant::now() < until {
        server.program.still_running()?;
        match http::get(server.port, "/fresh") {
            Ok(answer) if answer.status == 200 && answer.body == "freshly built" => return Ok(()),
            Ok(answer) if answer.status == 500 => return Err(broken_build(server)),
            Ok(_) => thread::sleep(Duration::from_millis(5)),
            Err(error) => return Err(format!("during the rebuild a connection failed: {error}").into()),
        }
    }
    Err(format!("the changed file never arrived. housekey dev said:\n{}", server.program.output()).into())
}

fn broken_build(server: &Server) -> Failure {
    format!("the app does not build. housekey dev said:\n{}", server.program.output()).into()
}

/// `/try/{status}` answers with that error, carrying a note that no visitor may see.
pub(crate) fn add_route_that_fails(app: &App) -> Result<(), String> {
    let routes = app.path("src/routes/web.rs");
    let handler = "\n/// Added by the suite, to look at the error pages.\n\
        async fn fails(Path(status): Path<u16>) -> Result<&'static str> {\n    \
            let status = StatusCode::from_u16(status)?;\n    \
            Err(Error::new(status, \"It was asked for.\").context(\"a private note\"))\n}\n";
    let text =
        fs::read_to_string(&routes).map_err(|error| format!("cannot read {}: {error}", routes.display()))?;
    fs::write(&routes, text + handler)
        .map_err(|error| format!("cannot write {}: {error}", routes.display()))?;
    edit(&routes, "route.get(\"/health\"", "route.get(\"/try/{status}\", fails);\n    route.get(\"/health\"")
}
