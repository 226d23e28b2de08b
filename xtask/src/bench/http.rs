//! `cargo xtask bench http`: the health route through the whole pipeline, and the landing page, beside bare
//! hyper and plain axum answering the same bytes.
//!
//! The servers take turns, round after round, so that a busy moment of the machine hits them all. Where there
//! are two cores or more, the servers have one half and the generator the other: the numbers are then the
//! server's own and not a share of a fight over cores.

use std::path::Path;

use super::cores::Cores;
use super::cpu;
use super::load::{Ask, Load, Who, pinned};
use super::series::Series;
use crate::http::{free_port, wait_for};
use crate::kits::App;
use crate::process::Background;
use crate::ui;
use crate::workspace::Workspace;

/// What we promise, as shares of bare hyper.
const HEALTH_BAR: f64 = 0.75;
const LANDING_BAR: f64 = 0.50;

/// How long to measure.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// Rounds per server and route; the median counts
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
    let app = build_app(workspace)?;
    let cores = Cores::share();
    let load = Load {
        seconds: options.seconds.clamp(1, 60),
        connections: options.connections.clamp(1, 512),
        cores: cores.generator.clone(),
        threads: cores.threads,
        fallback: peers.clone(),
    };
    ui::note(format_args!(
        "{} rounds of {} s, {} connections, {}; {}",
        options.rounds,
        load.seconds,
        load.connections,
        load.generator(),
        cores.describe()
    ));

    let scratch = workspace.scratch("bench-http")?;
    let mut ours = Contestant::app(&app, &cores, &scratch)?;
    let health = ours.body("/health")?;
    let landing = ours.body("/")?;
    let mut contestants = [
        Contestant::peer("bare hyper", "hyper", &peers, &cores, &scratch, &[&health, &landing])?,
        Contestant::peer("plain axum", "axum", &peers, &cores, &scratch, &[&health, &landing])?,
        ours,
    ];
    for (route, path, bytes, bar) in
        [("health", "/health", health.len(), HEALTH_BAR), ("landing page", "/", landing.len(), LANDING_BAR)]
    {
        ui::heading(&format!("{route}: {bytes} bytes of body"));
        take_turns(&mut contestants, path, &load, options.rounds)?;
        report(&contestants, bar);
    }
    Ok(())
}

/// The real thing: the `none` kit as a person gets it.
fn build_app(workspace: &Workspace) -> Result<App, String> {
    ui::heading("create and build the none kit");
    let app = App::create(workspace, "none", "bench-none")?;
    app.build_for_release()?;
    Ok(app)
}

/// A server that takes part.
struct Contestant {
    name: &'static str,
    program: Background,
    port: u16,
    series: Series,
}

impl Contestant {
    fn app(app: &App, cores: &Cores, scratch: &Path) -> Result<Self, String> {
        let port = free_port()?;
        let binary = app.binary("release").display().to_string();
        let words = [binary.as_str(), "serve", "--port", &port.to_string()];
        let mut command = pinned(cores.server.as_deref(), &words);
        command.current_dir(app.folder()).env("TOKIO_WORKER_THREADS", cores.threads.to_string()).envs([
            ("APP_ENV", "production"),
            ("APP_DEBUG", "false"),
            // One line of log per request is a choice about disks, not about frameworks: the peers write none.
            ("LOG_LEVEL", "warn"),
        ]);
        command.env("APP_URL", format!("http://localhost:{port}"));
        Self::start("housekey", command, port, &scratch.join("housekey.log"))
    }

    /// A peer gets the bodies that our app answers, so that all send the same bytes.
    fn peer(
        name: &'static str,
        kind: &str,
        binary: &Path,
        cores: &Cores,
        scratch: &Path,
        bodies: &[&str; 2],
    ) -> Result<Self, String> {
        let files = [scratch.join("health.body"), scratch.join("landing.body")];
        for (file, body) in files.iter().zip(bodies) {
            std::fs::write(file, body)
                .map_err(|error| format!("cannot write {}: {error}", file.display()))?;
        }
        let port = free_port()?;
        let mut command = pinned(cores.server.as_deref(), &[&binary.display().to_string(), kind]);
        command.env("TOKIO_WORKER_THREADS", cores.threads.to_string());
        command.args(["--port", &port.to_string()]);
        command.arg("--health").arg(&files[0]).arg("--landing").arg(&files[1]);
        Self::start(name, command, port, &scratch.join(format!("{kind}.log")))
    }

    fn start(
        name: &'static str,
        mut command: std::process::Command,
        port: u16,
        log: &Path,
    ) -> Result<Self, String> {
        let mut program = Background::start(&mut command, log)?;
        let time_limit = std::time::Duration::from_secs(30);
        wait_for(&mut program, port, "/health", time_limit, |answer| answer.status == 200)?;
        Ok(Self { name, program, port, series: Series::default() })
    }

    fn body(&mut self, path: &str) -> Result<String, String> {
        let answer = crate::http::get(self.port, path).map_err(|error| format!("{}: {error}", self.name))?;
        if answer.status == 200 { Ok(answer.body) } else { Err(format!("{path} answers {}", answer.status)) }
    }

    fn measure(&mut self, path: &str, load: &Load) -> Result<(), String> {
        let url = format!("http://127.0.0.1:{}{path}", self.port);
        self.series.measure(self.program.id(), &Ask::get(url, Who::Guest), load)
    }
}

fn take_turns(contestants: &mut [Contestant], path: &str, load: &Load, rounds: u32) -> Result<(), String> {
    // One second each, not counted: caches, pools and the branch predictor settle.
    let warm_up = Load { seconds: 1, ..load.clone() };
    for contestant in contestants.iter_mut() {
        contestant.measure(path, &warm_up)?;
        contestant.series = Series::default();
    }
    for _ in 0..rounds.max(1) {
        for contestant in contestants.iter_mut() {
            contestant.measure(path, load)?;
        }
    }
    Ok(())
}

fn report(contestants: &[Contestant], bar: f64) {
    let Some(hyper) = contestants.first() else { return };
    let head = ["", "req/s", "of hyper", "p50 ms", "p99 ms", "CPU µs/req", "of hyper", "RSS MB"];
    let mut rows = vec![head.map(String::from).to_vec()];
    for contestant in contestants {
        let memory = cpu::resident(contestant.program.id());
        rows.push(vec![
            contestant.name.into(),
            format!("{:.0}", contestant.series.rate()),
            percent(contestant.series.rate() / hyper.series.rate()),
            format!("{:.2}", contestant.series.median(|round| round.p50)),
            format!("{:.2}", contestant.series.median(|round| round.p99)),
            format!("{:.1}", contestant.series.cost()),
            percent(hyper.series.cost() / contestant.series.cost()),
            memory.map_or_else(|| "-".into(), |memory| format!("{memory:.1}")),
        ]);
    }
    ui::line(ui::table(&rows, |index, row| if index == 0 { ui::bold(&row) } else { row }));
    if let Some(ours) = contestants.last() {
        let share = ours.series.rate() / hyper.series.rate();
        let word = if share >= bar { ui::green("met") } else { ui::red("missed") };
        ui::line(format_args!(
            "  the bar is {} of bare hyper's requests: {word}, {}",
            percent(bar),
            percent(share)
        ));
    }
}

fn percent(share: f64) -> String {
    format!("{:.1} %", 100.0 * share)
}
