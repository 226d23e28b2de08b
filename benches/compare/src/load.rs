//! A bounded load generator for loopback: so many connections, so many seconds, one request after the other on
//! each. It prints one line that `cargo xtask bench` reads.

use std::io::{self, Write};
use std::net::{IpAddr, SocketAddr};
use std::time::{Duration, Instant};

use clap::Args;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::task::JoinSet;

#[derive(Args)]
pub(crate) struct Options {
    /// Where to, on loopback only: `http://127.0.0.1:8080/health`
    #[arg(long)]
    url: String,
    /// Connections kept open
    #[arg(long, default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..=512))]
    connections: u32,
    /// Seconds
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u64).range(1..=60))]
    seconds: u64,
    /// `name: value`, any number of times
    #[arg(long)]
    header: Vec<String>,
    /// A body, which makes it a POST
    #[arg(long)]
    body: Option<String>,
    /// Taken for likeness with wrk; the runtime has as many threads as it may use cores
    #[arg(long, default_value_t = 1)]
    threads: usize,
}

pub(crate) async fn press(options: &Options) -> io::Result<()> {
    let (address, path) = target(&options.url)
        .ok_or_else(|| io::Error::other("the address must be http://<a loopback address>:<port>/<path>"))?;
    let request = request(options, address, &path);
    let begun = Instant::now();
    let until = begun + Duration::from_secs(options.seconds);
    let mut connections = JoinSet::new();
    for _ in 0..options.connections {
        connections.spawn(ask_until(address, request.clone(), until));
    }
    let mut latencies: Vec<u64> = Vec::new();
    let mut errors = 0;
    for asked in connections.join_all().await {
        match asked {
            Ok(mut times) => latencies.append(&mut times),
            Err(_) => errors += 1,
        }
    }
    let seconds = begun.elapsed().as_secs_f64();
    latencies.sort_unstable();
    let requests = latencies.len();
    let (p50, p99) = (quantile(&latencies, 50), quantile(&latencies, 99));
    writeln!(
        io::stdout().lock(),
        "requests {requests} seconds {seconds:.3} p50 {p50:.3} p99 {p99:.3} errors {errors}"
    )
}

fn request(options: &Options, address: SocketAddr, path: &str) -> String {
    let method = if options.body.is_some() { "POST" } else { "GET" };
    let mut request = format!("{method} {path} HTTP/1.1\r\nhost: {address}\r\n");
    for header in &options.header {
        request.push_str(&format!("{header}\r\n"));
    }
    if let Some(body) = &options.body {
        request.push_str(&format!("content-length: {}\r\n", body.len()));
    }
    request + "\r\n" + options.body.as_deref().unwrap_or_default()
}

/// One connection's requests, one after the other; their times in microseconds.
async fn ask_until(address: SocketAddr, request: String, until: Instant) -> io::Result<Vec<u64>> {
    let mut stream = TcpStream::connect(address).await?;
    stream.set_nodelay(true)?;
    let mut buffer = Vec::with_capacity(64 * 1024);
    let mut times = Vec::new();
    while Instant::now() < until {
        let asked = Instant::now();
        stream.write_all(request.as_bytes()).await?;
        read_answer(&mut stream, &mut buffer).await?;
        times.push(u64::try_from(asked.elapsed().as_micros()).unwrap_or(u64::MAX));
    }
    Ok(times)
}

/// Reads exactly one answer. Anything but a success with a stated length is an error.
async fn read_answer(stream: &mut TcpStream, buffer: &mut Vec<u8>) -> io::Result<()> {
    buffer.clear();
    let head = loop {
        if stream.read_buf(buffer).await? == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        if let Some(end) = buffer.windows(4).position(|four| four == b"\r\n\r\n") {
            break end + 4;
        }
    };
    let length = length(&buffer[..head]).ok_or_else(|| io::Error::other("not a success with a length"))?;
    while buffer.len() < head + length {
        if stream.read_buf(buffer).await? == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
    }
    Ok(())
}

/// The body's length, when the head says success.
fn length(head: &[u8]) -> Option<usize> {
    let head = std::str::from_utf8(head).ok()?;
    let mut lines = head.lines();
    if !lines.next()?.starts_with("HTTP/1.1 2") {
        return None;
    }
    let header = lines
        .filter_map(|line| line.split_once(':'))
        .find(|(name, _)| name.eq_ignore_ascii_case("content-length"));
    header?.1.trim().parse().ok()
}

fn target(url: &str) -> Option<(SocketAddr, String)> {
    let rest = url.strip_prefix("http://")?;
    let (host, path) = rest.split_once('/').unwrap_or((rest, ""));
    let address: SocketAddr = host.parse().ok()?;
    let loopback = match address.ip() {
        IpAddr::V4(ip) => ip.is_loopback(),
        IpAddr::V6(ip) => ip.is_loopback(),
    };
    loopback.then(|| (address, format!("/{path}")))
}

/// Milliseconds below which so many percent lie.
fn quantile(sorted: &[u64], percent: usize) -> f64 {
    let index = (sorted.len() * percent / 100).min(sorted.len().saturating_sub(1));
    sorted.get(index).map_or(0.0, |micros| Duration::from_micros(*micros).as_secs_f64() * 1000.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_loopback_is_pressed() {
        assert!(target("http://127.0.0.1:80/health").is_some());
        assert!(target("http://[::1]:80/").is_some());
        assert_eq!(target("http://192.0.2.1:80/"), None);
        assert_eq!(target("http://example.com/"), None);
    }

    #[test]
    fn a_body_makes_it_a_post_of_known_length() {
        let options = Options {
            url: String::new(),
            connections: 1,
            seconds: 1,
            header: vec!["cookie: a=1".into()],
            body: Some("{}".into()),
            threads: 1,
        };
        let address = "127.0.0.1:80".parse().unwrap();
        let expected = "POST /x HTTP/1.1\r\nhost: 127.0.0.1:80\r\ncookie: a=1\r\ncontent-length: 2\r\n\r\n{}";
        assert_eq!(request(&options, address, "/x"), expected);
    }

    #[test]
    fn an_answer_counts_only_as_a_success_of_known_length() {
        assert_eq!(length(b"HTTP/1.1 200 OK\r\nContent-Length: 12\r\n\r\n"), Some(12));
        assert_eq!(length(b"HTTP/1.1 500 No\r\ncontent-length: 12\r\n\r\n"), None);
        assert_eq!(length(b"HTTP/1.1 200 OK\r\n\r\n"), None);
    }

    #[test]
    fn quantiles_come_from_the_sorted_times() {
        let times: Vec<u64> = (1..=100).map(|time| time * 1000).collect();
        assert_eq!(quantile(&times, 50), 51.0);
        assert_eq!(quantile(&times, 99), 100.0);
        assert_eq!(quantile(&[], 99), 0.0);
    }
}
