//! `cargo xtask bench timing`: does the time of an answer tell whether an address has an account?
//!
//! The `jsx` kit in production, with a mail server that takes two seconds. Password resets are asked for addresses that
//! have an account and for addresses that have none, in turns, each from a client of its own. The medians must be the
//! same. The kit is built without optimisation: the answers are as long as their floor, whatever the build.

use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use super::median;
use crate::http::{free_port, post_json_from, wait_for};
use crate::kits::App;
use crate::process::{self, Background};
use crate::ui;
use crate::workspace::{Workspace, program};

/// How far apart the medians may be, as a share of the larger.
const BAR: f64 = 0.05;

/// Mails that one address is sent in an hour, so this many resets of it are like any other.
const PER_ADDRESS: u32 = 5;

const SLOW: Duration = Duration::from_secs(2);

/// How much to ask.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// Resets for known addresses, and as many for unknown ones
    #[arg(long, default_value_t = 200)]
    resets: u32,
    /// Visitors at a time
    #[arg(long, default_value_t = 4)]
    visitors: u32,
}

pub(crate) fn measure(workspace: &Workspace, options: &Options) -> Result<(), String> {
    ui::heading("create and build the jsx kit");
    let app = App::create(workspace, "jsx", "bench-timing")?;
    if !process::run(&mut app.cargo(&["build", "--quiet"]))?.success {
        return Err("the app does not build; see above".into());
    }
    let mut tables = program(app.binary("debug"));
    process::read(tables.current_dir(app.folder()).args(["auth:schema", "--migrate"]))?;
    let scratch = workspace.scratch("bench-timing")?;
    let (_running, port) = serve(&app, slow_mail_server()?, &scratch)?;

    let visitors = options.visitors.clamp(1, 64);
    let rounds = options.resets.clamp(1, 10_000).div_ceil(visitors);
    ui::note(format_args!("{} resets of each kind, {visitors} visitors at a time", rounds * visitors));
    let turns: Vec<Result<Turns, String>> = thread::scope(|scope| {
        let all: Vec<_> =
            (0..visitors).map(|visitor| scope.spawn(move || ask(port, visitor, rounds))).collect();
        all.into_iter().map(|one| one.join().unwrap_or_else(|_| Err("a visitor fell over".into()))).collect()
    });
    let mut both = Turns::default();
    for turn in turns {
        let turn = turn?;
        both.known.extend(turn.known);
        both.unknown.extend(turn.unknown);
    }

    let (known, unknown) = (median(both.known), median(both.unknown));
    let apart = (known - unknown).abs() / known.max(unknown);
    ui::heading("time of an answer to a password reset, mail server takes 2 s");
    let mut said = String::new();
    let _ = writeln!(said, "   known address    {known:>7.1} ms (median)");
    let _ = writeln!(said, "   unknown address  {unknown:>7.1} ms (median)");
    let word = if apart <= BAR { ui::green("met") } else { ui::red("missed") };
    let _ = write!(said, "   apart            {:>7.2} %  (≤ {:.0} %: {word})", 100.0 * apart, 100.0 * BAR);
    ui::line(said);
    if apart <= BAR { Ok(()) } else { Err("the time of an answer tells who has an account".into()) }
}

/// Milliseconds of answers.
#[derive(Default)]
struct Turns {
    known: Vec<f64>,
    unknown: Vec<f64>,
}

/// One visitor, who asks in turns.
fn ask(port: u16, visitor: u32, rounds: u32) -> Result<Turns, String> {
    let mut turns = Turns::default();
    for round in 0..rounds {
        let number = round / PER_ADDRESS;
        let from = |last: u32| format!("10.{visitor}.{}.{}", round % 250, last);
        let known = format!("known.{visitor}.{number}@example.com");
        if round % PER_ADDRESS == 0 {
            let person =
                format!(r#"{{"name":"Ada","email":"{known}","password":"correct horse battery staple"}}"#);
            timed(port, "sign-up/email", &from(1), &person)?;
        }
        let unknown = format!("nobody.{visitor}.{number}@example.com");
        let reset = |email: &str, last| {
            timed(port, "request-password-reset", &from(last), &format!(r#"{{"email":"{email}"}}"#))
        };
        turns.known.push(reset(&known, 2)?);
        turns.unknown.push(reset(&unknown, 3)?);
    }
    Ok(turns)
}

fn timed(port: u16, path: &str, from: &str, json: &str) -> Result<f64, String> {
    let begun = Instant::now();
    let answer = post_json_from(port, &format!("/api/auth/{path}"), from, json);
    let answer = answer.map_err(|error| format!("{path}: {error}"))?;
    let took = begun.elapsed();
    match answer.status {
        200 => Ok(took.as_secs_f64() * 1e3),
        status => Err(format!("{path} was answered with {status}: {}", answer.body)),
    }
}

fn serve(app: &App, mail: u16, scratch: &Path) -> Result<(Background, u16), String> {
    let port = free_port()?;
    let mut command = program(app.binary("debug"));
    command.current_dir(app.folder()).args(["serve", "--port", &port.to_string()]);
    command.env("APP_URL", format!("http://127.0.0.1:{port}")).env("MAIL_PORT", mail.to_string()).envs([
        ("APP_ENV", "production"),
        ("APP_DEBUG", "false"),
        ("LOG_LEVEL", "warn"),
        ("TRUSTED_PROXIES", "127.0.0.1"),
        ("MAIL_MAILER", "smtp"),
        ("MAIL_HOST", "127.0.0.1"),
        ("MAIL_ENCRYPTION", "none"),
    ]);
    let mut running = Background::start(&mut command, &scratch.join("app.log"))?;
    wait_for(&mut running, port, "/health", Duration::from_mins(1), |answer| answer.status == 200)?;
    Ok((running, port))
}

/// A mail server that takes its time before it says hello, and then takes everything.
fn slow_mail_server() -> Result<u16, String> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).map_err(|error| error.to_string())?;
    let port = listener.local_addr().map_err(|error| error.to_string())?.port();
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            thread::spawn(move || talk(stream));
        }
    });
    Ok(port)
}

/// Until the other side leaves, which is an error of reading or writing.
fn talk(stream: TcpStream) -> std::io::Result<()> {
    thread::sleep(SLOW);
    let mut answers = stream.try_clone()?;
    answers.write_all(b"220 post.example\r\n")?;
    let mut is_text = false;
    for line in BufReader::new(stream).lines() {
        let line = line?;
        if is_text && line != "." {
            continue;
        }
        is_text = line == "DATA";
        answers.write_all(if is_text { b"354 go on\r\n" } else { b"250 ok\r\n" })?;
    }
    Ok(())
}
