//! Every `make:*` in an app of a kit: run with a plain and with a nested name, the lines it says come next pasted where
//! it says, and the result built and its commands run. The kit's lints and tests run afterwards, over all of it: a made
//! test opens the made page, whose handler uses everything else that was made.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use super::{App, edit};
use crate::count::Count;
use crate::suite::Failure;
use crate::workspace::{Workspace, program};
use crate::{process, ui};

/// A generator, and the names it is tried with: one of the first round, one in a folder of the second.
struct Generator {
    command: &'static str,
    names: &'static [&'static str],
}

const fn generator(command: &'static str, names: &'static [&'static str]) -> Generator {
    Generator { command, names }
}

/// In the order in which a person needs them: a factory wants its model.
const GENERATORS: [Generator; 22] = [
    generator("make:controller", &["Greeting", "admin/report"]),
    generator("make:view", &["greeting", "admin/report"]),
    generator("make:middleware", &["stamp", "admin/seal"]),
    generator("make:request", &["store-greeting", "admin/StoreReport"]),
    generator("make:command", &["greet", "reports/send"]),
    generator("make:test", &["greeting", "admin/report"]),
    generator("make:model", &["story", "library/book"]),
    generator("make:migration", &["create_stories", "create_books"]),
    generator("make:factory", &["story", "library/book"]),
    generator("make:seeder", &["StorySeeder", "library/book"]),
    generator("make:policy", &["story", "library/book"]),
    generator("make:auth-plugin", &["door-pass", "team/Badge"]),
    generator("make:job", &["tidy-up", "billing/SendInvoice"]),
    generator("make:event", &["story-told", "team/joined"]),
    generator("make:mail", &["welcome-letter", "team/invitation"]),
    generator("make:notification", &["story-told", "team/joined"]),
    generator("make:cache-table", &[""]),
    generator("make:events-table", &[""]),
    generator("make:notifications-table", &[""]),
    generator("make:queue-table", &[""]),
    generator("make:schedule-table", &[""]),
    generator("make:session-table", &[""]),
];

/// A model with all that stands around it. Its test runs with the kit's own.
const RESOURCE: [&str; 8] =
    ["make:model", "loan", "--migration", "--factory", "--controller", "--policy", "--requests", "--views"];

/// A file that a person adds, and the list that declares it after the next build.
const BY_HAND: (&str, &str) = ("src/controllers/by_hand_controller.rs", "src/controllers/mod.rs");

/// What each round builds towards: one page, whose handler uses everything else that was made in the round.
struct Round {
    controller: &'static str,
    route_name: &'static str,
    url: &'static str,
    title: &'static str,
    test: &'static str,
}

const ROUNDS: [Round; 2] = [
    Round {
        controller: "src/controllers/greeting_controller.rs",
        route_name: "greeting.index",
        url: "/greeting",
        title: "Greeting",
        test: "tests/greeting.rs",
    },
    Round {
        controller: "src/controllers/admin/report_controller.rs",
        route_name: "admin.report.index",
        url: "/admin/report",
        title: "Report",
        test: "tests/admin_report.rs",
    },
];

/// The app has been built, and its tables are there if it has any.
pub(super) fn test(workspace: &Workspace, app: &App) -> Result<Count, Failure> {
    let offered = offered(app)?;
    let mut count = Count::default();
    let mut said = Vec::new();
    for (round, goal) in ROUNDS.iter().enumerate() {
        for generator in &GENERATORS {
            let Some(name) = generator.names.get(round) else { continue };
            if offered.iter().any(|command| command == generator.command) {
                said.push((goal, next_lines(&make(app, generator.command, name)?)));
            } else {
                refuses(app, generator.command, name)?;
            }
            count += Count::ONE;
        }
    }
    if offered.iter().any(|command| command == RESOURCE[0]) {
        said.push((&ROUNDS[1], next_lines(&console(app, &RESOURCE)?)));
        count += Count::ONE;
    }
    let formatted = process::run(&mut app.cargo(&["fmt", "--check"]))?;
    if !formatted.success {
        return Err("what was made is not formatted as the app's CI demands; see above".into());
    }
    let guide = read(&workspace.path("docs/getting-started.md"))?;
    let mut to_run: Vec<String> = Vec::new();
    for (goal, blocks) in said {
        for block in blocks {
            paste(app, goal, &block, &guide, &mut to_run)?;
        }
    }
    let (file, list) = BY_HAND;
    write(&app.path(file), "pub async fn index() -> &'static str {\n    \"by hand\"\n}\n")?;
    for line in &to_run {
        run_as_typed(app, line)?;
        count += Count::ONE;
    }
    if !read(&app.path(list))?.lines().any(|line| line == "pub mod by_hand_controller;") {
        return Err(format!("the app was built, and {list} does not declare {file}").into());
    }
    count += Count::ONE;
    for goal in &ROUNDS {
        ask_in_test(app, goal)?;
    }
    ui::note(format_args!(
        "{} of {} generators; what they made is part of the steps below",
        offered.len(),
        GENERATORS.len()
    ));
    Ok(count)
}

/// The generators that the app's console lists. One that is not among ours is a gap in this check.
fn offered(app: &App) -> Result<Vec<String>, Failure> {
    let listed = console(app, &["list"])?;
    let offered: Vec<String> = listed
        .lines()
        .filter_map(|line| line.split_whitespace().next())
        .filter(|word| word.starts_with("make:"))
        .map(ToOwned::to_owned)
        .collect();
    for command in &offered {
        if !GENERATORS.iter().any(|generator| generator.command == command) {
            return Err(format!("{command} is not tried by xtask/src/kits/generators.rs").into());
        }
    }
    if offered.is_empty() { Err("the console lists no make:* at all".into()) } else { Ok(offered) }
}

fn make(app: &App, command: &str, name: &str) -> Result<String, Failure> {
    let arguments: Vec<&str> = [command, name].into_iter().filter(|word| !word.is_empty()).collect();
    console(app, &arguments)
}

/// A generator of a feature that the kit leaves out says what to do and writes nothing.
fn refuses(app: &App, command: &str, name: &str) -> Result<(), Failure> {
    let before = snapshot(app)?;
    let said = match make(app, command, name) {
        Ok(said) => {
            return Err(format!("{command} {name} was expected to be refused. It said:\n{said}").into());
        }
        Err(refused) => refused.why().to_owned(),
    };
    if !(said.contains("needs the feature") && said.contains("Cargo.toml")) {
        return Err(format!("{command} does not say what it needs:\n{said}").into());
    }
    if snapshot(app)? == before { Ok(()) } else { Err(format!("{command} was refused, and wrote").into()) }
}

/// Lines to paste, and what was said above them about where.
#[derive(Debug, PartialEq, Eq)]
struct Block {
    place: String,
    lines: Vec<String>,
}

/// What a generator says after `Next:`.
fn next_lines(said: &str) -> Vec<Block> {
    let next = said.split_once("\nNext: ").map_or("", |(_, next)| next);
    let mut blocks: Vec<Block> = Vec::new();
    for line in next.lines() {
        match (line.strip_prefix("  "), blocks.last_mut()) {
            (Some(code), Some(block)) => block.lines.push(code.to_owned()),
            _ => blocks.push(Block { place: line.to_owned(), lines: Vec::new() }),
        }
    }
    blocks.retain(|block| !block.lines.is_empty());
    blocks
}

/// Does what a person does with the lines. Those to type into a terminal are only noted.
fn paste(
    app: &App,
    goal: &Round,
    block: &Block,
    guide: &str,
    to_run: &mut Vec<String>,
) -> Result<(), Failure> {
    let place = block.place.as_str();
    let (imports, code): (Vec<&str>, Vec<&str>) =
        block.lines.iter().map(String::as_str).partition(|line| line.starts_with("use "));
    if place.contains("src/lib.rs") {
        for line in &code {
            edit(&app.path("src/lib.rs"), ".error_pages(", &format!("{line}\n        .error_pages("))?;
        }
    } else if place.contains("src/routes/web.rs") {
        let routes = app.path("src/routes/web.rs");
        import(&routes, &imports)?;
        for line in &code {
            if line.starts_with('.') {
                let name = format!(".name(\"{}\")", goal.route_name);
                edit(&routes, &name, &format!("{line}{name}"))?;
            } else {
                in_guide(goal, guide, line)?;
                edit(&routes, "route.get(\"/health\"", &format!("{line}\n    route.get(\"/health\""))?;
            }
        }
    } else if place.contains("config/auth.rs") {
        let list = "Plugins::from([";
        edit(&app.path("config/auth.rs"), list, &format!("{list}{}", code.join("")))?;
        list_endpoints(app, &code.join(""))?;
    } else if place.contains("handler") {
        in_handler(app, goal, guide, &imports, &code)?;
    } else if code.iter().all(|line| line.starts_with("housekey ") || line.starts_with("cargo ")) {
        for line in code {
            if !to_run.iter().any(|known| known == line) {
                to_run.push(line.to_owned());
            }
        }
    } else {
        return Err(format!("a generator says `{place}`, and nobody knows where that is: {code:?}").into());
    }
    Ok(())
}

/// A kit has a test with a list of every endpoint, which a new one belongs into: the two of the plugin that this line turns on.
fn list_endpoints(app: &App, line: &str) -> Result<(), Failure> {
    const LIST: &str = "const ENDPOINTS: &[&str] = &[\n";
    let places = ["tests/endpoints.rs", "tests/accounts/doors.rs"].map(|file| app.path(file));
    let file = places.iter().find(|file| file.is_file()).ok_or("the kit lists its endpoints nowhere")?;
    let name = line.trim_end_matches("(),").rsplit("::").next().unwrap_or_default().replace('_', "-");
    let text = read(file)?;
    let unknown = || format!("{} has no `{}`", file.display(), LIST.trim_end());
    let (before, rest) = text.split_once(LIST).ok_or_else(unknown)?;
    let (listed, after) = rest.split_once("];").ok_or_else(unknown)?;
    let made = [format!("{name}/create"), format!("sign-in/{name}")];
    let made = made.map(|path| format!("    \"POST /api/auth/{path}\","));
    let mut lines: Vec<&str> = listed.lines().chain(made.iter().map(String::as_str)).collect();
    lines.sort_unstable();
    write(file, &format!("{before}{LIST}{}\n];{after}", lines.join("\n")))
}

fn in_handler(app: &App, goal: &Round, guide: &str, imports: &[&str], code: &[&str]) -> Result<(), Failure> {
    let controller = app.path(goal.controller);
    import(&controller, imports)?;
    if code.iter().any(|line| line.starts_with("pub async fn ")) {
        let text = read(&controller)?;
        return write(&controller, &format!("{text}\n{}\n", code.join("\n")));
    }
    for line in code {
        if line.starts_with("Ok(") {
            in_guide(goal, guide, line)?;
            edit(&controller, &format!("Ok(\"{}\")", goal.title), line)?;
            continue;
        }
        // The one thing that the lines leave open: who.
        if line.contains("&user") {
            import(&controller, &["use crate::factories::UserFactory;", "use housekey::database::Factory;"])?;
            edit(&controller, "    Ok(", "    let user = UserFactory::create().await?;\n    Ok(")?;
        }
        edit(&controller, "    Ok(", &format!("    {line}\n    Ok("))?;
    }
    Ok(())
}

/// Adds what is not imported yet.
fn import(file: &Path, lines: &[&str]) -> Result<(), Failure> {
    const FIRST: &str = "use housekey::prelude::*;\n";
    let text = read(file)?;
    for line in lines.iter().filter(|line| !text.lines().any(|known| known == **line)) {
        edit(file, FIRST, &format!("{FIRST}{line}\n"))?;
    }
    Ok(())
}

/// Has the test that was made open the page that was made. Styles and scripts are not bundled yet, and a test does
/// without them.
fn ask_in_test(app: &App, goal: &Round) -> Result<(), Failure> {
    let health = "app.get(\"/health\").await.assert_ok();";
    let (url, title) = (goal.url, goal.title);
    let page =
        format!("app.get(\"{url}\").await.assert_ok().assert_see(\"<h1\").assert_see(\"{title}</h1>\");");
    Ok(edit(&app.path(goal.test), health, &format!("{health}\n    {page}"))?)
}

/// "A first page" of the guide is the first round: it must say what the generators say.
fn in_guide(goal: &Round, guide: &str, line: &str) -> Result<(), Failure> {
    if goal.url == ROUNDS[0].url && !guide.contains(line) {
        return Err(format!("docs/getting-started.md does not show this line of the console: {line}").into());
    }
    Ok(())
}

/// A line for the terminal. The tests are run by the step after this one; here they only have to be there.
fn run_as_typed(app: &App, line: &str) -> Result<(), Failure> {
    if let Some((first, then)) = line.split_once(" && ") {
        run_as_typed(app, first)?;
        return run_as_typed(app, then);
    }
    let words: Vec<&str> = line.split(' ').collect();
    match words.as_slice() {
        ["cargo", "test", name] => {
            let file = format!("{name}.rs");
            if snapshot(app)?.keys().any(|path| path.ends_with(&file)) {
                Ok(())
            } else {
                Err(format!("{line}: there is no {file}").into())
            }
        }
        ["cargo", "test", "--test", name] => {
            let file = app.path(&format!("tests/{name}.rs"));
            if file.is_file() {
                Ok(())
            } else {
                Err(format!("{line}: there is no {}", file.display()).into())
            }
        }
        ["housekey", "make:migration", name] => {
            let made = app.files("database/migrations", &format!("_{name}.rs"))?;
            if made.len() == 1 { Ok(()) } else { Err(format!("{line}: {made:?}").into()) }
        }
        ["housekey", arguments @ ..] => {
            let mut command = program(&app.housekey);
            command.current_dir(app.folder()).env("CARGO_TARGET_DIR", app.target()).args(arguments);
            let done = process::run_quietly(&mut command)?;
            let expected = match arguments {
                ["db:seed", "--class", class] => format!("{class} seeded"),
                ["migrate"] => "migrated".to_owned(),
                ["auth:schema", "--diff"] => "created".to_owned(),
                _ => "Done.".to_owned(),
            };
            if done.success && done.output.contains(&expected) {
                ui::note(line);
                Ok(())
            } else {
                Err(format!("`{line}` does not say `{expected}`:\n{}", done.output).into())
            }
        }
        _ => Err(format!("nobody knows how to run `{line}`").into()),
    }
}

fn console(app: &App, arguments: &[&str]) -> Result<String, Failure> {
    let mut command = program(app.binary("debug"));
    Ok(process::read(command.current_dir(app.folder()).args(arguments))?)
}

/// Every file that a generator could write or change.
fn snapshot(app: &App) -> Result<BTreeMap<PathBuf, Vec<u8>>, Failure> {
    let mut files = BTreeMap::new();
    let mut folders: Vec<PathBuf> = ["src", "tests", "database"].map(|name| app.path(name)).to_vec();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            if entry.path().is_dir() {
                folders.push(entry.path());
            } else {
                let bytes = fs::read(entry.path()).map_err(|error| error.to_string())?;
                files.insert(entry.path(), bytes);
            }
        }
    }
    Ok(files)
}

fn read(file: &Path) -> Result<String, Failure> {
    Ok(fs::read_to_string(file).map_err(|error| format!("cannot read {}: {error}", file.display()))?)
}

fn write(file: &Path, text: &str) -> Result<(), Failure> {
    Ok(fs::write(file, text).map_err(|error| format!("cannot write {}: {error}", file.display()))?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn indented_lines_are_code_and_the_line_above_says_where() {
        let said =
            "✓ x created\n\nNext: add it in src/lib.rs:\n  .job(x)\nThen run:\n  housekey x\nThen think.\n";
        let block = |place: &str, line: &str| Block { place: place.into(), lines: vec![line.into()] };
        assert_eq!(
            next_lines(said),
            [block("add it in src/lib.rs:", ".job(x)"), block("Then run:", "housekey x")]
        );
        assert!(next_lines("✓ x created\n").is_empty());
    }
}
