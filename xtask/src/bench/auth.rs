//! `cargo xtask bench auth`: what accounts cost an app's own routes.
//!
//! The `jsx` kit, built for release, gets two routes that answer the same JSON: one for everyone, one for members. The
//! one for members is measured beside the engine's own `get-session` (both read the sessions of many people from SQLite), and,
//! with the cookie cache on, beside the one for everyone.

use std::path::Path;

use super::cores::Cores;
use super::engine::side::{Cache, Programs, Side};
use super::load::{Ask, Load, Who, pinned};
use super::people::{self, Database, HowMany, People};
use super::series::Series;
use crate::http::{free_port, post_json, wait_for};
use crate::kits::{App, edit};
use crate::process::Background;
use crate::ui;
use crate::workspace::Workspace;

/// What we promise, as shares of the rate that is compared with.
const STORED_BAR: f64 = 0.60;
const CACHED_BAR: f64 = 0.50;

/// Whom and how long to measure.
#[derive(clap::Args)]
pub(crate) struct Options {
    #[command(flatten)]
    people: HowMany,
    /// Rounds per server; the median counts
    #[arg(long, default_value_t = 3)]
    rounds: u32,
    /// Seconds per round
    #[arg(long, default_value_t = 4)]
    seconds: u32,
    /// Connections kept open
    #[arg(long, default_value_t = 16)]
    connections: u32,
}

pub(crate) fn measure(workspace: &Workspace, options: &Options) -> Result<(), String> {
    let peers = super::build_peers(workspace)?;
    let programs = Programs::make(workspace)?;
    let app = build_app(workspace)?;
    let people = People::provide(workspace, &options.people, Database::Sqlite, || Ok(&app))?;
    let cores = Cores::share();
    let load = Load {
        seconds: options.seconds.clamp(1, 60),
        connections: options.connections.clamp(1, 512),
        cores: cores.generator.clone(),
        threads: cores.threads,
        fallback: peers,
    };
    let rounds = options.rounds.clamp(1, 50);
    ui::note(format_args!(
        "{rounds} rounds of {} s, {}; {}",
        load.seconds,
        load.generator(),
        cores.describe()
    ));

    let scratch = workspace.scratch("bench-auth")?;
    let engine = Side::ours(&programs, &cores, &scratch, Cache::Off, Some(&people), None)?;
    let database = people.serve(&scratch)?;
    let stored = Member::start(&app, &cores, &scratch, &database, Some(&people))?;
    let cached = Member::start(&app, &cores, &scratch, &database, None)?;
    let session = (engine.id(), engine.session());
    let from_storage = take_turns(&session, &stored.ask("/bench/members"), &load, rounds)?;
    let from_cookie =
        take_turns(&cached.ask_as_guest("/bench/everyone"), &cached.ask("/bench/members"), &load, rounds)?;
    let many = people.count;

    ui::heading("what accounts cost");
    let head = ["", "req/s", "CPU µs/req", "share of rate", "by CPU", "bar", ""];
    let mut rows = vec![head.map(String::from).to_vec()];
    rows.push(reference(&format!("the engine's get-session of {many} people"), &from_storage.0));
    let stored = format!("a route for members, sessions of {many} people from SQLite");
    rows.push(compared(&stored, &from_storage, STORED_BAR));
    rows.push(reference("a route for everyone", &from_cookie.0));
    rows.push(compared("a route for members, one of them, cookie cache on", &from_cookie, CACHED_BAR));
    ui::line(ui::table(&rows, |index, row| if index == 0 { ui::bold(&row) } else { row }));
    Ok(())
}

/// The kit as a person gets it, with a seeder, two routes and a switch more.
fn build_app(workspace: &Workspace) -> Result<App, String> {
    let app = people::create_app(workspace, Database::Sqlite)?;
    edit(
        &app.path("src/routes/web.rs"),
        "route.get(\"/health\"",
        "route.get(\"/bench/everyone\", async || Json(housekey::serde_json::json!({ \"name\": \"Ada Lovelace\" })));\n    \
         route\n        .get(\"/bench/members\", async |CurrentUser(user): CurrentUser| {\n            \
         Json(housekey::serde_json::json!({ \"name\": user.name }))\n        })\n        .middleware(\"auth\");\n    \
         route.get(\"/health\"",
    )?;
    edit(
        &app.path("config/auth.rs"),
        "                max_lifetime: env(",
        "                cookie_cache: CookieCache {\n                    \
         enabled: env(\"BENCH_COOKIE_CACHE\", false),\n                    max_age: 3600,\n                    \
         ..default()\n                },\n                max_lifetime: env(",
    )?;
    app.build_for_release()?;
    Ok(app)
}

/// The app with somebody signed in: many people, or one with the cookie cache on.
struct Member {
    program: Background,
    port: u16,
    who: Who,
}

impl Member {
    fn start(
        app: &App,
        cores: &Cores,
        scratch: &Path,
        database: &[(&str, String)],
        people: Option<&People>,
    ) -> Result<Self, String> {
        let cached = people.is_none();
        let port = free_port()?;
        let binary = app.binary("release").display().to_string();
        let words = [binary.as_str(), "serve", "--port", &port.to_string()];
        let mut command = pinned(cores.server.as_deref(), &words);
        command.current_dir(app.folder()).env("TOKIO_WORKER_THREADS", cores.threads.to_string()).envs([
            ("APP_ENV", "production"),
            ("APP_DEBUG", "false"),
            ("CACHE_STORE", "file"),
            ("LOG_LEVEL", "warn"),
            ("BENCH_COOKIE_CACHE", if cached { "true" } else { "false" }),
        ]);
        command.envs(database.iter().map(|(name, value)| (name, value)));
        // The address that the sign-up below comes from.
        command.env("APP_URL", format!("http://127.0.0.1:{port}"));
        let mut program = Background::start(&mut command, &scratch.join(format!("app-{cached}.log")))?;
        let time_limit = std::time::Duration::from_secs(30);
        wait_for(&mut program, port, "/health", time_limit, |answer| answer.status == 200)?;
        if let Some(people) = people {
            people.are_known(port, "/bench/members")?;
            return Ok(Self { program, port, who: people.who() });
        }
        let person =
            r#"{"name":"Ada Lovelace","email":"ada@example.com","password":"correct horse battery staple"}"#;
        let answer = post_json(port, "/api/auth/sign-up/email", person)
            .map_err(|error| format!("signing up at the app: {error}"))?;
        if answer.status != 200 || answer.cookies.is_empty() {
            return Err(format!("signing up was answered with {}: {}", answer.status, answer.body));
        }
        Ok(Self { program, port, who: Who::Person(answer.cookies.join("; ")) })
    }

    /// Without the cookie: a request that carries one is looked up, whatever the route.
    fn ask_as_guest(&self, path: &str) -> (u32, Ask) {
        self.ask_as(Who::Guest, path)
    }

    fn ask(&self, path: &str) -> (u32, Ask) {
        self.ask_as(self.who.clone(), path)
    }

    fn ask_as(&self, who: Who, path: &str) -> (u32, Ask) {
        (self.program.id(), Ask::get(format!("http://127.0.0.1:{}{path}", self.port), who))
    }
}

fn take_turns(
    one: &(u32, Ask),
    other: &(u32, Ask),
    load: &Load,
    rounds: u32,
) -> Result<(Series, Series), String> {
    let warm_up = Load { seconds: 1, ..load.clone() };
    let mut both = (Series::default(), Series::default());
    for (_, ask) in [one, other] {
        warm_up.press(ask)?;
    }
    for _ in 0..rounds {
        both.0.measure(one.0, &one.1, load)?;
        both.1.measure(other.0, &other.1, load)?;
    }
    Ok(both)
}

fn reference(name: &str, series: &Series) -> Vec<String> {
    let (rate, cost) = (format!("{:.0}", series.rate()), format!("{:.1}", series.cost()));
    vec![name.into(), rate, cost, String::new(), String::new(), String::new(), String::new()]
}

fn compared(name: &str, (with, of): &(Series, Series), bar: f64) -> Vec<String> {
    let share = of.rate() / with.rate();
    let word = if share >= bar { ui::green("met") } else { ui::red("missed") };
    vec![
        name.into(),
        format!("{:.0}", of.rate()),
        format!("{:.1}", of.cost()),
        percent(share),
        percent(with.cost() / of.cost()),
        format!("≥ {}", percent(bar)),
        word,
    ]
}

fn percent(share: f64) -> String {
    format!("{:.0} %", 100.0 * share)
}
