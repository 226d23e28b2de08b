//! `cargo xtask bench attacks`: what requests cost that are made to be expensive, beside an ordinary page.
//!
//! The `jsx` kit, built for release. Each attack is sent at a quarter of its size and at its whole size: work that grows with
//! what was sent costs four times as much, work that grows with its square sixteen times. Then somebody without cookies asks
//! for a page that is for members, again and again, and nothing may be left of it on the disk.

use std::path::Path;
use std::time::Duration;

use super::cores::Cores;
use super::cpu;
use super::pages::{build_jsx, start_app};
use crate::http;
use crate::kits::Server;
use crate::ui;
use crate::workspace::Workspace;

/// How much more four times the size may cost. Twice what is linear: what is measured in hundredths of a second is not exact.
const BAR: f64 = 8.0;

/// How much to send.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// Requests of each kind
    #[arg(long, default_value_t = 300)]
    requests: u32,
    /// Requests of somebody without cookies for a page that is for members
    #[arg(long, default_value_t = 5000)]
    guests: u32,
}

struct Attack {
    name: &'static str,
    size: usize,
    request: fn(usize) -> String,
}

const ATTACKS: [Attack; 3] = [
    Attack { name: "cookies", size: 12_800, request: cookies },
    Attack { name: "one-byte chunks of a form", size: 16_384, request: chunks },
    Attack { name: "one-byte chunks, multipart", size: 16_384, request: multipart_chunks },
];

pub(crate) fn measure(workspace: &Workspace, options: &Options) -> Result<(), String> {
    let app = build_jsx(workspace)?;
    let scratch = workspace.scratch("bench-attacks")?;
    let server = start_app(&app, &Cores::share(), &scratch, &[])?;
    let requests = options.requests.clamp(10, 10_000);

    ui::heading("processor time of requests that are made to be expensive");
    let page = cost(&server, requests, "GET /sign-in HTTP/1.1\r\nhost: localhost")?;
    ui::line(format_args!("   the sign-in page, as a guest    {:>8.3} ms", milliseconds(page)));
    let mut missed = Vec::new();
    for attack in &ATTACKS {
        let quarter = cost(&server, requests, &(attack.request)(attack.size / 4))?;
        let whole = cost(&server, requests, &(attack.request)(attack.size))?;
        let grows = whole.as_secs_f64() / quarter.as_secs_f64().max(1e-9);
        let is_met = grows <= BAR;
        let word = if is_met { ui::green("met") } else { ui::red("missed") };
        ui::line(format_args!(
            "   {:>6} {:<26} {:>6.3} ms, a quarter of them {:.3} ms: {grows:.1} times (≤ {BAR}: {word})",
            attack.size,
            attack.name,
            milliseconds(whole),
            milliseconds(quarter),
        ));
        missed.extend((!is_met).then_some(attack.name));
    }

    let storage = app.path("storage");
    let before = files(&storage);
    let guests = options.guests.clamp(1, 100_000);
    let turned_away = cost(&server, guests, "GET /dashboard HTTP/1.1\r\nhost: localhost")?;
    let left = files(&storage).saturating_sub(before);
    let word = if left == 0 { ui::green("met") } else { ui::red("missed") };
    ui::line(format_args!(
        "   {guests:>6} guests turned away        {:>6.3} ms each, {left} files left (0: {word})",
        milliseconds(turned_away)
    ));
    missed.extend((left > 0).then_some("guests turned away"));
    if missed.is_empty() { Ok(()) } else { Err(format!("too expensive: {}", missed.join(", "))) }
}

/// The processor time of the server for one such request.
fn cost(server: &Server, requests: u32, request: &str) -> Result<Duration, String> {
    let id = server.program.id();
    let (head, body) = request.split_once("\r\n\r\n").unwrap_or((request, ""));
    let request = format!("{head}\r\naccept: text/html\r\nconnection: close\r\n\r\n{body}");
    let before = cpu::used(id).ok_or("the server is gone")?;
    for _ in 0..requests {
        // What it is answered with is the app's tests' to judge; that it is answered is ours.
        http::send(server.port, &request).map_err(|error| format!("the server does not answer: {error}"))?;
    }
    let after = cpu::used(id).ok_or("the server is gone")?;
    Ok(after.saturating_sub(before) / requests)
}

fn cookies(count: usize) -> String {
    let pairs: Vec<String> = (0..count).map(|number| format!("{number:x}=1")).collect();
    // As many lines as a head may have would not hold them all in one.
    let lines: Vec<String> =
        pairs.chunks(800).map(|pairs| format!("\r\ncookie: {}", pairs.join(";"))).collect();
    format!("GET /sign-in HTTP/1.1\r\nhost: localhost{}", lines.concat())
}

fn chunks(count: usize) -> String {
    chunked("application/x-www-form-urlencoded", &"a".repeat(count))
}

fn multipart_chunks(count: usize) -> String {
    let frame = ("--edge\r\ncontent-disposition: form-data; name=\"text\"\r\n\r\n", "\r\n--edge--\r\n");
    let text = "a".repeat(count.saturating_sub(frame.0.len() + frame.1.len()));
    chunked("multipart/form-data; boundary=edge", &format!("{}{text}{}", frame.0, frame.1))
}

fn chunked(kind: &str, body: &str) -> String {
    let head = "POST /sign-in HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: chunked";
    let chunks: String = body.chars().map(|byte| format!("1\r\n{byte}\r\n")).collect();
    format!("{head}\r\ncontent-type: {kind}\r\n\r\n{chunks}0\r\n\r\n")
}

fn files(folder: &Path) -> usize {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    entries.map(|entry| if entry.path().is_dir() { files(&entry.path()) } else { 1 }).sum()
}

fn milliseconds(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1e3
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_attack_has_the_size_it_is_named_for() {
        let sent = cookies(12_800);
        assert_eq!(sent.matches("=1").count(), 12_800);
        for sent in [chunks(16_384), multipart_chunks(16_384)] {
            let (_, body) = sent.split_once("\r\n\r\n").unwrap();
            assert_eq!(body.len(), 16_384 * "1\r\na\r\n".len() + "0\r\n\r\n".len());
        }
    }
}
