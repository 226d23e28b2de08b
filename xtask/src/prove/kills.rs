//! `cargo xtask prove kills`: an app of seven processes takes orders on PostgreSQL and Redis, and every process of it is
//! killed (SIGKILL) at random, again and again. Then everything is counted, by PostgreSQL's own client.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use super::dice::Dice;
use super::fleet::{Fleet, Role};
use super::psql::Psql;
use super::tally::{self, Seen};
use super::{Finding, Must};
use crate::http;
use crate::process;
use crate::provision::{self, MARIADB, POSTGRES, REDIS};
use crate::services::Services;
use crate::ui;
use crate::workspace::Workspace;

/// For how long, and by which chance.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// For how long processes are killed
    #[arg(long, default_value_t = 300, value_parser = clap::value_parser!(u64).range(10..=86_400))]
    seconds: u64,
    /// The seed of an earlier run, to kill in the same order
    #[arg(long)]
    seed: Option<u64>,
}

/// Milliseconds between two kills; and in the first seconds of a minute, when tasks of the schedule run.
const PAUSE: (u64, u64) = (50, 700);
const PAUSE_AT_A_MINUTE: (u64, u64) = (50, 250);
const BUSY_SECONDS: u64 = 3;

/// People who order, and how long each waits between two orders.
const BUYERS: usize = 3;
const BETWEEN_ORDERS: Duration = Duration::from_millis(40);

/// How long it may take until everything that waits is told and done. It ends what hangs.
const PATIENCE: Duration = Duration::from_mins(10);

pub(crate) fn prove(workspace: &Workspace, options: &Options) -> Result<(), String> {
    provision::provide(&[&POSTGRES, &MARIADB, &REDIS])?;
    let binaries = super::build(workspace)?;
    let folder = workspace.scratch("prove-kills")?;
    ui::heading("start the servers");
    let services = Services::start()?;
    let address = |wanted: &str| {
        let found = services.variables().find(|(variable, _)| *variable == wanted);
        found.map(|(_, url)| url.to_owned()).ok_or_else(|| format!("{wanted} is not there"))
    };
    let (database, redis) = (address("HOUSEKEY_TEST_POSTGRES_URL")?, address("HOUSEKEY_TEST_REDIS_URL")?);
    let app = |words: &[&str]| {
        let mut command = super::app(&binaries, &folder, &database);
        command.args(words).env("CACHE_STORE", "redis").env("REDIS_URL", &redis);
        command
    };
    process::read(&mut app(&["migrate", "--force"]))?;
    // The tasks are known from here on, so every time that follows counts. Not close to a minute: it must be clear which.
    while !(3..50).contains(&(seconds() % 60)) {
        thread::sleep(Duration::from_millis(200));
    }
    process::read(&mut app(&["schedule:run"]))?;
    let begun = minute();

    let (mut fleet, ports) = launch(&folder, app)?;
    let seed = options.seed.unwrap_or_else(Dice::seed);
    ui::heading(&format!("kill for {} s, seed {seed}", options.seconds));
    let shop = Shop { ports, ..Shop::default() };
    let killed = thread::scope(|scope| {
        for buyer in 0..BUYERS {
            let shop = &shop;
            scope.spawn(move || shop.order_until_closed(buyer));
        }
        let killed = kill(&mut fleet, seed, Duration::from_secs(options.seconds));
        shop.closed.store(true, Ordering::Relaxed);
        killed
    });
    killed?;

    ui::heading("let them finish");
    let psql = Psql { url: &database };
    let drained = drain(&psql)?;
    // Not close to the next minute: what is due then must be whole or not begun.
    while !(10..50).contains(&(seconds() % 60)) {
        thread::sleep(Duration::from_millis(200));
    }
    // What the last minutes began may have been cut off, and begins again when its lease is over.
    thread::sleep(Duration::from_secs(8));
    drain(&psql)?;
    let ended = minute();
    let kills = [Role::Web, Role::Worker, Role::Scheduler].map(|role| fleet.kills(role));
    let uneasy = fleet.stop()?;

    let acknowledged = shop.acknowledged.lock().unwrap_or_else(PoisonError::into_inner).clone();
    let anything = |what: &str, count| Finding { what: what.into(), count, must: Must::Anything };
    let mut findings = vec![
        anything("kills of web processes", kills[0]),
        anything("kills of workers", kills[1]),
        anything("kills of schedulers", kills[2]),
        anything("orders that were answered with 200", acknowledged.len() as u64),
        anything("orders that were taken back (409)", shop.taken_back.load(Ordering::Relaxed)),
        anything("orders whose answer was cut off, or another", shop.unknown.load(Ordering::Relaxed)),
        anything("seconds until everything was told and done", drained.as_secs()),
    ];
    findings.extend(tally::orders(&psql, &Seen { acknowledged })?);
    findings.extend(tally::schedule(&psql, begun + 1, ended)?);
    let uneasy = Finding {
        what: "processes that did not end in peace when asked".into(),
        count: uneasy,
        must: Must::Be(0),
    };
    findings.push(uneasy);
    ui::heading("counted");
    let outcome = super::account(&findings);
    if outcome.is_err() || std::env::var_os("HOUSEKEY_KEEP").is_some() {
        ui::note(format_args!("what the processes said: {}", folder.display()));
    } else {
        let _ = std::fs::remove_dir_all(&folder);
    }
    outcome
}

/// Two that serve, two that work, three that schedule.
fn launch(
    folder: &Path,
    app: impl Fn(&[&str]) -> std::process::Command,
) -> Result<(Fleet, Vec<u16>), String> {
    let mut fleet = Fleet::new();
    let ports = [http::free_port()?, http::free_port()?];
    for (number, port) in ports.iter().enumerate() {
        let log = folder.join(format!("web-{number}.log"));
        fleet.add(Role::Web, app(&["serve", "--port", &port.to_string()]), log)?;
    }
    for number in 0..2 {
        let log = folder.join(format!("worker-{number}.log"));
        fleet.add(Role::Worker, app(&["queue:work", "--all"]), log)?;
    }
    for number in 0..3 {
        fleet.add(
            Role::Scheduler,
            app(&["schedule:work"]),
            folder.join(format!("scheduler-{number}.log")),
        )?;
    }
    let until = Instant::now() + Duration::from_mins(1);
    while !ports.iter().all(|port| http::get(*port, "/health").is_ok_and(|answer| answer.status == 200)) {
        if Instant::now() > until {
            return Err(format!("the app does not answer; see {}", folder.display()));
        }
        thread::sleep(Duration::from_millis(50));
    }
    Ok((fleet, ports.to_vec()))
}

/// Any process at any time; and at every full minute the schedulers, while they have their hands full.
fn kill(fleet: &mut Fleet, seed: u64, length: Duration) -> Result<(), String> {
    let mut dice = Dice::new(seed);
    let until = Instant::now() + length;
    while Instant::now() < until {
        let is_busy = seconds() % 60 < BUSY_SECONDS;
        let (least, most) = if is_busy { PAUSE_AT_A_MINUTE } else { PAUSE };
        thread::sleep(Duration::from_millis(dice.between(least, most)));
        let schedulers = fleet.with(Role::Scheduler);
        let index = match is_busy {
            true => schedulers[dice.between(0, schedulers.len() as u64) as usize],
            false => dice.between(0, fleet.len() as u64) as usize,
        };
        fleet.kill(index)?;
    }
    Ok(())
}

/// Where people order, and what they were told.
#[derive(Default)]
struct Shop {
    ports: Vec<u16>,
    closed: AtomicBool,
    next: AtomicU64,
    acknowledged: Mutex<BTreeSet<u64>>,
    taken_back: AtomicU64,
    unknown: AtomicU64,
}

impl Shop {
    fn order_until_closed(&self, buyer: usize) {
        let mut turn = buyer;
        while !self.closed.load(Ordering::Relaxed) {
            let number = self.next.fetch_add(1, Ordering::Relaxed) + 1;
            let port = self.ports[turn % self.ports.len()];
            let request = format!(
                "POST /orders/{number} HTTP/1.1\r\nhost: localhost:{port}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"
            );
            match http::send(port, &request).map(|answer| answer.status) {
                Ok(200) => {
                    self.acknowledged.lock().unwrap_or_else(PoisonError::into_inner).insert(number);
                }
                Ok(409) => {
                    self.taken_back.fetch_add(1, Ordering::Relaxed);
                }
                _ => {
                    self.unknown.fetch_add(1, Ordering::Relaxed);
                }
            }
            turn += 1;
            thread::sleep(BETWEEN_ORDERS);
        }
    }
}

/// Waits until no event and no job waits any more.
fn drain(psql: &Psql<'_>) -> Result<Duration, String> {
    let begun = Instant::now();
    loop {
        let events = psql.count("select count(*) from event_outbox where available_at is not null")?;
        let jobs = psql.count("select count(*) from jobs")?;
        if events + jobs == 0 {
            return Ok(begun.elapsed());
        }
        if begun.elapsed() > PATIENCE {
            return Err(format!("{events} events and {jobs} jobs still wait after {} s", PATIENCE.as_secs()));
        }
        thread::sleep(Duration::from_millis(500));
    }
}

fn seconds() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
}

/// The full minute that was last, counted from 1970.
fn minute() -> u64 {
    seconds() / 60
}
