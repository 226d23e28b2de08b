//! `cargo xtask bench engine`: the auth engine beside Better Auth on Node.
//!
//! Both serve the same setup with a SQLite file of their own, kept in the same way (WAL, synchronous NORMAL). Sessions are asked
//! for by many people in turn, with the same rows in both files and the same cookies; where the answer comes from the cookie
//! itself, by one. Whoever signs in with a provider is sent to an imitation of Google and comes back; it answers both from memory,
//! and the two halves count as one request. So does a link by mail. The mail between its halves is fetched from a mailbox that only
//! tests have, for all people at once and ten times a second from both servers alike, so that next to nothing of that is counted:
//! in an app a mail goes to a mail server, and people read it there. API keys are checked over HTTP by paths that both servers have
//! for it: in the reference only server code does that. The two take turns, round after round, so that a busy moment of the machine
//! hits both, and have cores that the load generator does not use. Of the two ratios that are printed, the one of processor time is
//! the steadier: it does not care who else uses the machine.

mod keys;
mod provider;
mod report;
pub(super) mod side;

use std::path::Path;
use std::thread;
use std::time::Duration;

use super::cores::Cores;
use super::cpu;
use super::load::{Ask, Load};
use super::people::{self, Database, HowMany, People};
use super::series::Series;
use crate::provision::{self, POSTGRES};
use crate::services::postgres;
use crate::ui;
use crate::workspace::Workspace;

use keys::Keys;
use provider::Provider;
use report::Promise;
use side::{Cache, KeysIn, Programs, Side};

/// Connections that sign in while others ask for their session.
const STORM: u32 = 16;
/// Connections that ask for links: an answer to who asks for one waits half a second, so that it tells nothing.
const LINKS: u32 = 128;
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

    let memory = (in_storm, plain.memory());
    drop((plain, cached));
    let more = MoreKeys::measure(&programs, &cores, &scratch, &people, &load, rounds)?;

    ui::heading("the auth engine beside Better Auth on Node");
    report::ratios(&[
        (&format!("get-session of {} people", people.count), Promise::Both(80.0), from_storage),
        ("get-session of one, jwe cache", Promise::Both(80.0), from_cookie),
        ("sign-in (Argon2id : scrypt)", Promise::Both(4.0), sign_in),
        ("sign-in with a provider", Promise::Both(20.0), with_provider),
        ("link by mail, asked for and opened", Promise::Cpu(20.0), more.links),
        ("API key check", Promise::Cpu(20.0), more.keys),
        ("token for other services", Promise::Cpu(20.0), more.tokens),
    ]);
    report::storm(&storm);
    for (database, session, key) in &more.beside_sessions {
        report::keys(database.name(), session, key);
    }
    report::memory(memory.0, memory.1);
    Ok(())
}

/// Links by mail, API keys and tokens.
struct MoreKeys {
    links: Both,
    keys: Both,
    tokens: Both,
    /// Ours alone: sessions, and the keys of the same people.
    beside_sessions: Vec<(Database, Series, Series)>,
}

impl MoreKeys {
    fn measure(
        programs: &Programs,
        cores: &Cores,
        scratch: &Path,
        people: &People,
        load: &Load,
        rounds: u32,
    ) -> Result<Self, String> {
        let rows = KeysIn::Sqlite(people);
        let pair = Pair {
            node: Side::node_with_keys(programs, cores, scratch, &rows)?,
            ours: Side::ours_with_keys(programs, cores, scratch, &rows)?,
        };
        ui::heading("links by mail");
        let many = Load { connections: load.connections.max(LINKS), ..load.clone() };
        let links = pair.take_turns(|side| side.magic_link(people.count), &many, rounds)?;
        ui::heading("API keys");
        let (theirs, own) =
            (Keys::make(&pair.node, "node", scratch)?, Keys::make(&pair.ours, "ours", scratch)?);
        let of = |side: &Side| if side.id() == pair.ours.id() { &own } else { &theirs };
        let keys = pair.take_turns(|side| of(side).checked_by(side), load, rounds)?;
        ui::heading("tokens for other services");
        let tokens = pair.take_turns(Side::token, load, rounds)?;

        ui::heading("API keys beside sessions");
        let on_sqlite = beside_sessions(&pair.ours, &own, load, rounds)?;
        provision::provide(&[&POSTGRES])?;
        let server = postgres::start(scratch)?;
        let ours = Side::ours_with_keys(programs, cores, scratch, &KeysIn::Postgres(&server.url))?;
        let own = Keys::make(&ours, "ours-postgres", scratch)?;
        let on_postgres = beside_sessions(&ours, &own, load, rounds)?;
        let beside_sessions = vec![
            (Database::Sqlite, on_sqlite.0, on_sqlite.1),
            (Database::Postgres, on_postgres.0, on_postgres.1),
        ];
        Ok(Self { links, keys, tokens, beside_sessions })
    }
}

/// Sessions and keys of the same people, in turn.
fn beside_sessions(side: &Side, keys: &Keys, load: &Load, rounds: u32) -> Result<(Series, Series), String> {
    let warm_up = Load { seconds: 2, ..load.clone() };
    let (mut sessions, mut checks) = (Series::default(), Series::default());
    for round in 0..=rounds {
        for (ask, series) in [(keys.sessions_at(side), &mut sessions), (keys.checked_by(side), &mut checks)] {
            if round == 0 {
                warm_up.press(&ask)?;
            } else {
                series.measure(side.id(), &ask, load)?;
            }
            cpu::wait_until_quiet(side.id());
        }
    }
    Ok((sessions, checks))
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
        scratch: &Path,
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
