//! The kits with accounts, from `housekey create` over their first start to their own tests.

use super::{App, client_routed, generators, more_ways, shipped, social};
use crate::count::Count;
use crate::suite::{Failure, Progress};
use crate::workspace::{Workspace, program};
use crate::{browser, http, node, openapi, process, provision, ui};

/// What the specification gives a kit (KIT-2, KIT-3, KIT-4), and the most crates a build may take.
struct Kit {
    name: &'static str,
    app: &'static str,
    config_files: usize,
    /// Drawn by the server.
    pages: usize,
    /// Drawn in the browser.
    client_pages: usize,
    crates: usize,
    /// A page for guests that asks for styles or scripts, where there are any.
    opens: &'static str,
    /// What `npm run` does with its front end beside building it; none without a front end.
    scripts: &'static [&'static str],
    /// Whether it describes its API.
    is_described: bool,
    /// The most that a browser may load before an entry runs: script, gzip, bytes.
    first_load: &'static [(&'static str, u64)],
}

const API: Kit = Kit {
    name: "api",
    app: "kit-api",
    config_files: 16,
    pages: 1,
    client_pages: 0,
    crates: 380,
    opens: "/",
    scripts: &[],
    is_described: true,
    first_load: &[],
};
const JSX: Kit = Kit {
    name: "jsx",
    app: "kit-jsx",
    config_files: 17,
    pages: 16,
    client_pages: 0,
    crates: 380,
    opens: "/sign-in",
    scripts: &["check"],
    is_described: false,
    first_load: &[],
};
const SPA: Kit = Kit {
    name: "spa",
    app: "kit-spa",
    config_files: 17,
    pages: 1,
    client_pages: 15,
    crates: 380,
    opens: "/auth/sign-in",
    scripts: &["check", "test"],
    is_described: false,
    first_load: &[("src/auth.ts", 60_000), ("src/main.ts", 60_000), ("src/server.ts", 1_000)],
};

pub(crate) fn api(workspace: &Workspace, progress: &mut Progress) {
    test(workspace, progress, &API);
}

pub(crate) fn jsx(workspace: &Workspace, progress: &mut Progress) {
    test(workspace, progress, &JSX);
}

pub(crate) fn spa(workspace: &Workspace, progress: &mut Progress) {
    test(workspace, progress, &SPA);
}

fn test(workspace: &Workspace, progress: &mut Progress, kit: &Kit) {
    let step = |what: &str| format!("kit {}: {what}", kit.name);
    let create = || Ok((App::create(workspace, kit.name, kit.app)?, Count::ONE));
    let Some(app) = progress.step_with(&step("create"), create) else { return };
    progress.step(&step("size"), || size(&app, kit));
    progress.step(&step("tables from its configuration"), || tables(&app));
    if kit.client_pages > 0 {
        progress.step(&step("types of its routes"), || types(&app));
    }
    if kit.is_described {
        progress.step(&step("description of its API"), || {
            openapi::validate(workspace, kit.name, &console(&app, &["openapi"])?)
        });
    }
    progress.step(&step("generators"), || generators::test(workspace, &app));
    progress.step(&step("lints"), || app.lint());
    progress.step(&step("its own tests"), || match kit.name {
        "api" => app.test(),
        _ => app.test_integration(),
    });
    if !kit.scripts.is_empty() {
        progress.step(&step("npm packages"), || Ok(node::install(&app.folder()).map(|()| Count::ONE)?));
    }
    progress.step(&step("built for a server"), || shipped::test(&app, kit.opens));
    if kit.is_described {
        progress.step(&step("description in a browser"), || docs_page(workspace, &app));
    }
    if !kit.first_load.is_empty() {
        progress
            .step(&step("script of a first visit"), || client_routed::weigh(workspace, &app, kit.first_load));
        progress.step(&step("housekey dev"), || client_routed::dev(&app));
    }
    for script in kit.scripts {
        progress.step(&step(&format!("npm run {script}")), || npm_run(&app, script));
    }
    if !kit.scripts.is_empty() {
        progress.step(&step("in a browser"), || in_browser(&app));
    }
    // Behind the pages the server is the same in both, and the other kit's own tests sign in elsewhere.
    if kit.client_pages > 0 {
        progress.step(&step("a certified provider"), || social::test(workspace, &app));
    }
    if !kit.scripts.is_empty() {
        progress.step(&step("every way in turned on"), || more_ways::test(workspace, &app));
    }
}

/// Production shows the description of the API when it is told to, and not before.
// spec: KEY-6
fn docs_page(workspace: &Workspace, app: &App) -> Result<Count, Failure> {
    const PRODUCTION: [(&str, &str); 2] = [("APP_ENV", "production"), ("APP_DEBUG", "false")];
    let silent = app.serve(&PRODUCTION)?;
    for path in ["/api/docs", "/api/openapi.json"] {
        let answer = http::get(silent.port, path).map_err(|error| format!("{path}: {error}"))?;
        if answer.status != 404 {
            return Err(format!("production answers {path} with {} unasked", answer.status).into());
        }
    }
    drop(silent);
    let [env, debug] = PRODUCTION;
    let server = app.serve(&[env, debug, ("OPENAPI", "true")])?;
    let mut count = browser::test(workspace, "api-docs.test.mjs", &server.url())?;
    count += Count { passed: 2, failed: 0 };
    Ok(count)
}

/// A script of the app's own package.
pub(super) fn npm_run(app: &App, script: &str) -> Result<Count, Failure> {
    let mut command = node::command(&app.folder());
    command.args(["run", script]).env("CARGO_TARGET_DIR", app.target());
    command.env("CHROMIUM", provision::chromium().ok_or("chromium is gone")?);
    let count = Failure::unless_green(&process::run_quietly(&mut command)?, &format!("npm run {script}"))?;
    match (script.starts_with("test"), count.passed) {
        (true, 0) => Err(format!("npm run {script} ran no test").into()),
        (true, _) => Ok(count),
        // A check that counts nothing is one thing.
        (false, _) => Ok(Count::ONE),
    }
}

/// The walk over every page is for the kit with all layers, where every page has more on it and there are more pages.
const EVERY_PAGE: &str = "every-page.test.js";

/// What `npm run test:browser` does, but for the walk over every page.
fn in_browser(app: &App) -> Result<Count, Failure> {
    let built = node::npm(&app.folder(), &["run", "build"])?;
    if !built.success {
        return Err("npm run build failed; see above".into());
    }
    let mut files = app.files("tests/browser", ".test.js")?;
    files.retain(|file| file != EVERY_PAGE);
    let mut count = browser_tests(app, &files)?;
    // Those that change what all look at.
    let alone = app.files("tests/browser/alone", ".test.js").unwrap_or_default();
    if !alone.is_empty() {
        let files: Vec<_> = alone.iter().map(|file| format!("alone/{file}")).collect();
        count += browser_tests(app, &files)?;
    }
    Ok(count)
}

/// Some of the app's own browser tests.
pub(super) fn browser_tests(app: &App, files: &[String]) -> Result<Count, Failure> {
    let mut command = program("node");
    command
        .current_dir(app.folder())
        .args(["--test", "--test-timeout=900000", "--test-concurrency=2"])
        .args(files.iter().map(|file| format!("tests/browser/{file}")));
    command.env("CARGO_TARGET_DIR", app.target());
    command.env("CHROMIUM", provision::chromium().ok_or("chromium is gone")?);
    Failure::unless_green(&process::run_quietly(&mut command)?, "a browser test")
}

// spec: KIT-2, KIT-3, KIT-4
fn size(app: &App, kit: &Kit) -> Result<Count, Failure> {
    let config = app.files("config", ".rs")?;
    // The pages that every app has: those of signing in by mail are in folders of their own, and a 404 until they are turned on.
    let mut pages = app.files("src/views/pages", ".rs")?;
    pages.extend(app.files("src/views/pages/settings", ".rs").unwrap_or_default());
    let mut client_pages = Vec::new();
    for folder in ["", "/auth", "/settings"] {
        client_pages.extend(app.files(&format!("frontend/src/pages{folder}"), ".vue").unwrap_or_default());
    }
    if kit.client_pages > 0 {
        client_routed::pages_are_counted(app)?;
    }
    let crates = app.crates()?;
    ui::note(format_args!(
        "{} config files, {} pages, {} client pages, {crates} crates",
        config.len(),
        pages.len(),
        client_pages.len()
    ));
    for (what, found, expected) in [
        ("config files", config.len(), kit.config_files),
        ("pages", pages.len(), kit.pages),
        ("client pages", client_pages.len(), kit.client_pages),
    ] {
        if found != expected {
            return Err(format!("{expected} {what} belong in the kit, it has {found}").into());
        }
    }
    if crates > kit.crates {
        return Err(format!("a build takes {crates} crates, {} are allowed", kit.crates).into());
    }
    Ok(Count { passed: 4, failed: 0 })
}

/// The TypeScript that the kit ships is what its Rust says. If it is not: run `housekey types` in an app of the kit and
/// copy what it writes into `kits/`.
pub(super) fn types(app: &App) -> Result<Count, Failure> {
    console(app, &["types", "--check"])?;
    Ok(Count::ONE)
}

/// What `housekey dev` does at the first start: the tables are made from the configuration, and no kit ships them.
// spec: CLI-1, CLI-3, KIT-6, SVC-3
pub(crate) fn tables(app: &App) -> Result<Count, Failure> {
    if !app.files("database/migrations", ".rs")?.is_empty() {
        return Err("the kit ships a migration; the tables come from its configuration".into());
    }
    build(app)?;
    console(app, &["auth:schema", "--migrate"])?;
    build(app)?;
    console(app, &["migrate"])?;
    console(app, &["db:seed"])?;
    let said = console(app, &["auth:schema", "--diff"])?;
    if !said.contains("already match") {
        return Err(format!("right after the first start `auth:schema --diff` says:\n{said}").into());
    }
    Ok(Count { passed: 5, failed: 0 })
}

pub(super) fn build(app: &App) -> Result<(), Failure> {
    let built = process::run(&mut app.cargo(&["build", "--quiet"]))?;
    if built.success { Ok(()) } else { Err("the app does not build; see above".into()) }
}

pub(super) fn console(app: &App, arguments: &[&str]) -> Result<String, Failure> {
    let mut command = program(app.binary("debug"));
    command.current_dir(app.folder()).args(arguments);
    Ok(process::read(&mut command)?)
}
