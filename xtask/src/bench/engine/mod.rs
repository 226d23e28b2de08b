//! `cargo xtask bench engine`: the auth engine beside Better Auth on Node.
//!
//! Both serve the same setup with a SQLite file of their own, kept in the same way (WAL, synchronous NORMAL). Sessions are asked
//! for by many people in turn, with the same rows in both files and the same cookies; where the answer comes from the cookie
//! itself, by one. Whoever signs in with a provider is sent to an imitation of Google and comes back; it answers both from memory,
//! and the two halves count as one request. The two take turns, round after round, so that a busy moment of the machine hits both, and have cores that the
//! load generator does not use. Of the two ratios that are printed, the one of processor time is the steadier: it does not care
//! who else uses the machine.

mod provider;
mod report;
pub(super) mod side;

use std::thread;
use std::time::Duration;

use super::cores::Cores;
use super::cpu;
use super::load::{Ask, Load};
use super::people::{self, Database, HowMany, People};
use super::series::Series;
use crate::ui;
use crate::workspace::Workspace;

use provider::Provider;
use side::{Cache, Programs, Side};

/// Connections that sign in while others ask for their session.
const STORM: u32 = 16;
/// How long hashing threads keep their memory after the last sign-in, and a little.
const SETTLE: Duration = Duration::from_secs(4);

/// Whom and how long to measure.
#[derive(clap::Args)]
pub(crate) struct Options {
    #[command(flatten)]
    people: HowMany,
    /// Rounds per server and kind of work; the median counts
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
    let programs = Programs::make(workspace)?;
    let people = People::provide(workspace, &options.people, Database::Sqlite, || {
        let app = people::create_app(workspace, Database::Sqlite)?;
        app.build_for_release()?;
        Ok(app)
    })?;
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
    ui::note(format_args!(
        "{rounds} rounds of {} s, {} connections, {}; {}",
        load.seconds,
        load.connections,
        load.generator(),
        cores.describe()
    ));

    let scratch = workspace.scratch("bench-engine")?;
    let provider = Provider::start(workspace, &peers, &cores, &scratch)?;
    let start = |cache, people| Pair::start(&programs, &cores, &scratch, cache, people, &provider);
    let (plain, cached) = (start(Cache::Off, Some(&people))?, start(Cache::Jwe, None)?);
    ui::heading("get-session, cache off");
    let from_storage = plain.take_turns(Side::session, &load, rounds)?;
    ui::heading("get-session, jwe cookie cache");
    let from_cookie = cached.take_turns(Side::session, &load, rounds)?;
    ui::heading("sign-in");
    // Node does a few in a second: a short round would count the ones that were cut off.
    let patient =
        Load { seconds: load.seconds.max(10), connections: load.connections.min(8), ..load.clone() };
    let sign_in = plain.take_turns(Side::sign_in, &patient, rounds)?;
    ui::heading("sign-in with a provider");
    let with_provider = plain.take_turns(Side::sign_in_with_provider, &load, rounds)?;
    ui::heading("get-session while sign-ins saturate");
    let storm = Storm::measure(&plain.ours, &load, rounds)?;
    let in_storm = plain.memory();
    thread::sleep(SETTLE);

    ui::heading("the auth engine beside Better Auth on Node");
    report::ratios(&[
        (&format!("get-session of {} people", people.count), 80.0, from_storage),
        ("get-session of one, jwe cache", 80.0, from_cookie),
        ("sign-in (Argon2id : scrypt)", 4.0, sign_in),
        ("sign-in with a provider", 20.0, with_provider),
    ]);
    report::storm(&storm);
    report::memory(in_storm, plain.memory());
    Ok(())
}

/// The reference and the engine, with the same setup.
struct Pair {
    node: Side,
    ours: Side,
}

impl Pair {
    fn start(
        programs: &Programs,
        cores: &Cores,
        scratch: &std::path::Path,
        cache: Cache,
        people: Option<&People>,
        provider: &Provider,
    ) -> Result<Self, String> {
        Ok(Self {
            node: Side::node(programs, cores, scratch, cache, people, Some(provider))?,
            ours: Side::ours(programs, cores, scratch, cache, people, Some(provider))?,
        })
    }

    fn take_turns(&self, ask: impl Fn(&Side) -> Ask, load: &Load, rounds: u32) -> Result<Both, String> {
        // Two seconds each, not counted: caches, pools and compilers settle.
        let warm_up = Load { seconds: 2, ..load.clone() };
        let mut both = Both::default();
        for round in 0..=rounds {
            for (side, series) in [(&self.node, &mut both.node), (&self.ours, &mut both.ours)] {
                if round == 0 {
                    warm_up.press(&ask(side))?;
                } else {
                    series.measure(side.id(), &ask(side), load)?;
                }
                cpu::wait_until_quiet(side.id());
            }
        }
        Ok(both)
    }

    /// Resident memory in MB.
    fn memory(&self) -> [Option<f64>; 2] {
        [&self.node, &self.ours].map(|side| cpu::resident(side.id()))
    }
}

/// What the two did with one kind of work.
#[derive(Default)]
struct Both {
    node: Series,
    ours: Series,
}

/// Sessions asked for in quiet, and while as many sign in as can.
#[derive(Default)]
struct Storm {
    idle: Series,
    busy: Series,
    /// The sign-ins meanwhile, per second.
    sign_ins: Vec<f64>,
}

impl Storm {
    fn measure(side: &Side, load: &Load, rounds: u32) -> Result<Self, String> {
        let storm = Load { seconds: load.seconds + 2, connections: STORM, ..load.clone() };
        let mut measured = Self::default();
        for _ in 0..rounds {
            measured.idle.measure(side.id(), &side.session(), load)?;
            let sign_ins = thread::scope(|scope| {
                let sign_ins = scope.spawn(|| storm.press(&side.sign_in()));
                // The queue fills before anything is measured.
                thread::sleep(Duration::from_secs(1));
                measured.busy.measure(side.id(), &side.session(), load)?;
                sign_ins.join().unwrap_or_else(|_| Err("the storm of sign-ins broke off".into()))
            })?;
            measured.sign_ins.push(sign_ins.per_second);
            cpu::wait_until_quiet(side.id());
        }
        Ok(measured)
    }
}
