//! `cargo xtask bench pages`: what people see first, beside bare hyper sending the same headers and the same bytes.
//!
//! The kits are built for release as a person gets them; the `jsx` kit has a seeder more, which makes the many people who ask for
//! their dashboards in turn. Both servers take turns too, round after round, on the same cores. The share of processor time is the
//! steadier of the two that are printed: it does not care who else uses the machine. It is that of the app alone, also where a
//! database server works beside it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use super::cores::Cores;
use super::cpu;
use super::load::{Ask, Load, Who, pinned};
use super::people::{self, Database, HowMany, People};
use super::series::Series;
use crate::http::{Answer, free_port, get_with, wait_for};
use crate::kits::{App, Server};
use crate::process::{self, Background};
use crate::ui;
use crate::workspace::{Workspace, program};

/// The most memory an app may hold after the load, in MB.
const MEMORY_BAR: f64 = 40.0;

/// What hyper sends by itself, whoever is behind it.
const SENT_BY_HYPER: [&str; 4] = ["connection", "content-length", "date", "transfer-encoding"];

/// A kit, and what we promise of its pages.
struct Kit {
    name: &'static str,
    app: &'static str,
    pages: &'static [Page],
}

/// A page, and what we promise of it.
struct Page {
    name: &'static str,
    path: &'static str,
    /// Whether the people ask for it, or a guest.
    for_people: bool,
    bars: Bars,
}

/// The least share of bare hyper's rate, and the most processor time in microseconds.
struct Bars {
    share: Option<f64>,
    cost: Option<f64>,
}

/// A page of the people, where PostgreSQL keeps them: how fast that is, is not ours to promise.
const ON_POSTGRES: Bars = Bars { share: None, cost: Some(130.0) };

/// A page that anybody sees.
const fn public(name: &'static str, path: &'static str, share: f64) -> Page {
    Page { name, path, for_people: false, bars: Bars { share: Some(share), cost: None } }
}

const KITS: [Kit; 2] = [
    Kit {
        name: "jsx",
        app: "bench-jsx",
        pages: &[
            public("health", "/health", 0.70),
            public("sign-in, as a guest", "/sign-in", 0.50),
            Page {
                name: "dashboard",
                path: "/dashboard",
                for_people: true,
                bars: Bars { share: Some(0.20), cost: Some(80.0) },
            },
        ],
    },
    Kit { name: "spa", app: "bench-spa", pages: &[public("shell, as a guest", "/auth/sign-in", 0.60)] },
];

/// What to measure, and for how long.
#[derive(clap::Args)]
pub(crate) struct Options {
    #[command(flatten)]
    people: HowMany,
    /// Where the people are; kits without them are measured with SQLite only
    #[arg(long, value_enum, default_value_t = Database::Sqlite)]
    database: Database,
    /// Only this kit
    #[arg(long, value_parser = KITS.map(|kit| kit.name))]
    kit: Option<String>,
    /// Rounds per server and page; the median counts
    #[arg(long, default_value_t = 5)]
    rounds: u32,
    /// Seconds per round
    #[arg(long, default_value_t = 4)]
    seconds: u32,
    /// Connections kept open
    #[arg(long, default_value_t = 64)]
    connections: u32,
}

pub(crate) fn measure(workspace: &Workspace, options: &Options) -> Result<(), String> {
    let peers = super::build_peers(workspace)?;
    let cores = Cores::share();
    let load = Load {
        seconds: options.seconds.clamp(1, 60),
        connections: options.connections.clamp(1, 512),
        cores: cores.generator.clone(),
        threads: cores.threads,
        fallback: peers.clone(),
    };
    let rounds = options.rounds.clamp(1, 50);
    let stage = Stage { scratch: workspace.scratch("bench-pages")?, peers, cores, load, rounds };
    for kit in KITS.iter().filter(|kit| options.is_asked_for(kit)) {
        let (app, people) = if kit.has_people() {
            let app = people::create_app(workspace, options.database)?;
            app.build_for_release()?;
            let people = People::provide(workspace, &options.people, options.database, || Ok(&app))?;
            (app, Some(people))
        } else {
            (build_app(workspace, kit)?, None)
        };
        ui::heading(&format!("the pages of the {} kit", kit.name));
        ui::note(stage.describe());
        stage.measure(kit, &app, people.as_ref())?;
    }
    Ok(())
}

impl Options {
    fn is_asked_for(&self, kit: &Kit) -> bool {
        self.kit.as_deref().is_none_or(|name| name == kit.name)
            && (self.database == Database::Sqlite || kit.has_people())
    }
}

impl Kit {
    fn has_people(&self) -> bool {
        self.pages.iter().any(|page| page.for_people)
    }
}

/// The kit as a person gets it, with the tables and the demo user of its first start.
fn build_app(workspace: &Workspace, kit: &Kit) -> Result<App, String> {
    ui::heading(&format!("create and build the {} kit", kit.name));
    let app = App::create(workspace, kit.name, kit.app)?;
    app.build_for_release()?;
    for arguments in [["auth:schema", "--migrate"].as_slice(), &["db:seed"]] {
        process::read(program(app.binary("release")).current_dir(app.folder()).args(arguments))?;
    }
    Ok(app)
}

/// The jsx kit, for a bench of another kind.
pub(super) fn build_jsx(workspace: &Workspace) -> Result<App, String> {
    let [jsx, _] = &KITS;
    build_app(workspace, jsx)
}

/// What every kit is measured with.
struct Stage {
    scratch: PathBuf,
    peers: PathBuf,
    cores: Cores,
    load: Load,
    rounds: u32,
}

impl Stage {
    fn describe(&self) -> String {
        let Load { seconds, connections, .. } = self.load;
        let (rounds, generator, cores) = (self.rounds, self.load.generator(), self.cores.describe());
        format!("{rounds} rounds of {seconds} s, {connections} connections, {generator}; {cores}")
    }

    fn measure(&self, kit: &Kit, app: &App, people: Option<&People>) -> Result<(), String> {
        let database = match people {
            Some(people) => people.serve(&self.scratch)?.to_vec(),
            None => Vec::new(),
        };
        let ours = start_app(app, &self.cores, &self.scratch, &database)?;
        let members = people.map(|people| people.open(ours.port, "/dashboard", &self.scratch)).transpose()?;
        let mut answers = Vec::new();
        for page in kit.pages {
            let cookies = members.as_ref().filter(|_| page.for_people).map_or("", |(_, first)| first);
            let answer = get_with(ours.port, page.path, cookies);
            answers.push((page.path, answer.map_err(|error| format!("GET {}: {error}", page.path))?));
        }
        let hyper = self.start_hyper(&answers)?;

        let head = ["", "bytes", "req/s", "CPU µs/req", "of hyper's rate", "by CPU", "bar", ""];
        let mut rows = vec![head.map(String::from).to_vec()];
        for (page, (path, answer)) in kit.pages.iter().zip(&answers) {
            let members = members.as_ref().filter(|_| page.for_people);
            let who = members.map_or(Who::Guest, |(cookies, _)| Who::People(cookies.clone()));
            let (ceiling, own) = self.take_turns(&hyper, &ours, path, &who)?;
            let people = people.filter(|_| page.for_people);
            rows.extend(page.report(answer.body.len(), people, &ceiling, &own));
        }
        ui::line(ui::table(&rows, |index, row| if index == 0 { ui::bold(&row) } else { row }));
        let memory = cpu::resident(ours.program.id()).unwrap_or(f64::NAN);
        let word = if memory <= MEMORY_BAR { ui::green("met") } else { ui::red("missed") };
        ui::line(format_args!(
            "  {memory:.1} MB of memory after the load; the bar is {MEMORY_BAR} MB: {word}"
        ));
        Ok(())
    }

    /// Bare hyper with the answers that the app gave.
    fn start_hyper(&self, answers: &[(&str, Answer)]) -> Result<Server, String> {
        let port = free_port()?;
        let mut command = pinned(self.cores.server.as_deref(), &[&self.peers.display().to_string(), "pages"]);
        command.env("TOKIO_WORKER_THREADS", self.cores.threads.to_string());
        command.args(["--port", &port.to_string()]);
        for (index, (path, answer)) in answers.iter().enumerate() {
            if answer.status != 200 {
                return Err(format!("{path} answers {}", answer.status));
            }
            let file = self.scratch.join(format!("{index}.page"));
            fs::write(&file, written(path, answer))
                .map_err(|error| format!("cannot write {}: {error}", file.display()))?;
            command.arg("--page").arg(file);
        }
        start(command, &self.scratch.join("hyper.log"), port)
    }

    fn take_turns(
        &self,
        hyper: &Server,
        ours: &Server,
        path: &str,
        who: &Who,
    ) -> Result<(Series, Series), String> {
        let ask = |server: &Server| Ask::get(format!("http://127.0.0.1:{}{path}", server.port), who.clone());
        let (hyper, ours) = ((hyper.program.id(), ask(hyper)), (ours.program.id(), ask(ours)));
        let warm_up = Load { seconds: 1, ..self.load.clone() };
        for (_, ask) in [&hyper, &ours] {
            warm_up.press(ask)?;
        }
        let mut both = (Series::default(), Series::default());
        for _ in 0..self.rounds {
            both.0.measure(hyper.0, &hyper.1, &self.load)?;
            both.1.measure(ours.0, &ours.1, &self.load)?;
        }
        Ok(both)
    }
}

/// The app as it runs for people, but without a line of log per request: the peer writes none either.
pub(super) fn start_app(
    app: &App,
    cores: &Cores,
    scratch: &Path,
    database: &[(&str, String)],
) -> Result<Server, String> {
    let port = free_port()?;
    let binary = app.binary("release").display().to_string();
    let mut command = pinned(cores.server.as_deref(), &[&binary, "serve", "--port", &port.to_string()]);
    command.current_dir(app.folder()).env("TOKIO_WORKER_THREADS", cores.threads.to_string()).envs([
        ("APP_ENV", "production"),
        ("APP_DEBUG", "false"),
        ("LOG_LEVEL", "warn"),
    ]);
    command.env("APP_URL", format!("http://localhost:{port}"));
    command.envs(database.iter().map(|(name, value)| (name, value)));
    start(command, &scratch.join("app.log"), port)
}

fn start(mut command: Command, log: &Path, port: u16) -> Result<Server, String> {
    let mut program = Background::start(&mut command, log)?;
    wait_for(&mut program, port, "/health", Duration::from_secs(30), |_| true)?;
    Ok(Server { program, port })
}

impl Page {
    fn bars(&self, database: Database) -> &Bars {
        if self.for_people && database == Database::Postgres { &ON_POSTGRES } else { &self.bars }
    }

    /// What hyper and we did with it, asked by a guest or by people.
    fn report(
        &self,
        bytes: usize,
        people: Option<&People>,
        hyper: &Series,
        ours: &Series,
    ) -> [Vec<String>; 2] {
        let (name, bars) = match people {
            Some(people) => {
                let (count, database) = (people.count, people.database());
                (format!("{} of {count} people, {}", self.name, database.name()), self.bars(database))
            }
            None => (self.name.to_owned(), &self.bars),
        };
        let figures = |series: &Series| [format!("{:.0}", series.rate()), format!("{:.1}", series.cost())];
        let share = ours.rate() / hyper.rate();
        let word = if bars.are_met(share, ours.cost()) { ui::green("met") } else { ui::red("missed") };
        let [rate, cost] = figures(hyper);
        let ceiling = vec![format!("hyper: {}", self.path), bytes.to_string(), rate, cost];
        let [rate, cost] = figures(ours);
        let by_cpu = percent(hyper.cost() / ours.cost());
        [ceiling, vec![name, bytes.to_string(), rate, cost, percent(share), by_cpu, bars.describe(), word]]
    }
}

impl Bars {
    /// As people read them.
    fn describe(&self) -> String {
        let share = self.share.map(|share| format!("≥ {}", percent(share)));
        let cost = self.cost.map(|cost| format!("≤ {cost} µs"));
        share.into_iter().chain(cost).collect::<Vec<_>>().join(", ")
    }

    fn are_met(&self, share: f64, cost: f64) -> bool {
        self.share.is_none_or(|bar| share >= bar) && self.cost.is_none_or(|bar| cost <= bar)
    }
}

/// An answer as the peer reads it: the path, the headers, an empty line, the body.
fn written(path: &str, answer: &Answer) -> String {
    let is_the_apps = |name: &str| !SENT_BY_HYPER.iter().any(|own| own.eq_ignore_ascii_case(name));
    let mut text = format!("{path}\n");
    for (name, value) in answer.headers.iter().filter(|(name, _)| is_the_apps(name)) {
        text += &format!("{name}: {value}\n");
    }
    text + "\n" + &answer.body
}

fn percent(share: f64) -> String {
    format!("{:.0} %", 100.0 * share)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_with_two_bars_misses_both_with_one() {
        let both = Bars { share: Some(0.20), cost: Some(80.0) };
        assert_eq!(both.describe(), "≥ 20 %, ≤ 80 µs");
        assert!(both.are_met(0.20, 80.0));
        assert!(!both.are_met(0.19, 80.0));
        assert!(!both.are_met(0.20, 80.1));
    }

    #[test]
    fn postgres_changes_only_what_is_promised_of_pages_with_people() {
        let [jsx, _] = &KITS;
        let bars = |database: Database| jsx.pages.iter().map(move |page| page.bars(database).describe());
        assert!(bars(Database::Sqlite).eq(["≥ 70 %", "≥ 50 %", "≥ 20 %, ≤ 80 µs"]));
        assert!(bars(Database::Postgres).eq(["≥ 70 %", "≥ 50 %", "≤ 130 µs"]));
    }

    #[test]
    fn the_peer_is_told_what_the_app_sends_and_not_what_hyper_adds() {
        let header = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        let answer = Answer {
            status: 200,
            headers: vec![
                header("set-cookie", "a=1"),
                header("Content-Length", "9"),
                header("x-frame-options", "DENY"),
            ],
            cookies: vec!["a=1".into()],
            body: "<p>Hi</p>".into(),
        };
        assert_eq!(
            written("/sign-in", &answer),
            "/sign-in\nset-cookie: a=1\nx-frame-options: DENY\n\n<p>Hi</p>"
        );
    }
}
