//! A bounded load generator for loopback: so many connections, so many seconds, one request after the other on
//! each. It prints one line that `cargo xtask bench` reads.

use std::io::{self, Write};
use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use clap::Args;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::task::JoinSet;

use crate::mail::{self, Mailbox};
use crate::provider;

/// How often mails are fetched: a few times in the half second that an answer about one takes.
const BETWEEN_FETCHES: Duration = Duration::from_millis(100);

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
    /// A file with the cookies of a person in each line: every request carries those of the next
    #[arg(long)]
    cookies: Option<PathBuf>,
    /// A body, which makes it a POST
    #[arg(long)]
    body: Option<String>,
    /// A file with a body in each line: every request carries the next, which makes it a POST
    #[arg(long, conflicts_with_all = ["body", "cookies"])]
    bodies: Option<PathBuf>,
    /// Where a link is opened that the answer's mail carried: `{n}` in the body is the number of a person, the mails of all are
    /// fetched at /harness/mails now and then, and asking and opening count as one request
    #[arg(long, requires = "body")]
    link: Option<String>,
    /// How many people there are for that
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    people: u32,
    /// A path to come back to from the provider that the answer leads to: the two together count as one request
    #[arg(long)]
    callback: Option<String>,
    /// Taken for likeness with wrk; the runtime has as many threads as it may use cores
    #[arg(long, default_value_t = 1)]
    threads: usize,
}

pub(crate) async fn press(options: &Options) -> io::Result<()> {
    let (address, path) = target(&options.url)
        .ok_or_else(|| io::Error::other("the address must be http://<a loopback address>:<port>/<path>"))?;
    let requests = Arc::new(Requests::new(options, address, &path)?);
    let begun = Instant::now();
    let until = begun + Duration::from_secs(options.seconds);
    let mut connections = JoinSet::new();
    for _ in 0..options.connections {
        connections.spawn(ask_until(address, Arc::clone(&requests), until));
    }
    let fetching = options.link.is_some().then(|| tokio::spawn(fetch_mails(address, Arc::clone(&requests))));
    let mut latencies: Vec<u64> = Vec::new();
    let mut errors: Vec<io::Error> = Vec::new();
    for asked in connections.join_all().await {
        match asked {
            Ok(mut times) => latencies.append(&mut times),
            Err(error) => errors.push(error),
        }
    }
    if let Some(fetching) = fetching {
        fetching.abort();
        if let Ok(Err(error)) = fetching.await {
            errors.push(error);
        }
    }
    let seconds = begun.elapsed().as_secs_f64();
    latencies.sort_unstable();
    let requests = latencies.len();
    let (p50, p99) = (quantile(&latencies, 50), quantile(&latencies, 99));
    writeln!(
        io::stdout().lock(),
        "requests {requests} seconds {seconds:.3} p50 {p50:.3} p99 {p99:.3} errors {}",
        errors.len()
    )?;
    // For whoever reads that there were some.
    errors.first().map_or(Ok(()), |error| writeln!(io::stdout().lock(), "the first error: {error}"))
}

/// What is sent, in turn, by all connections together.
struct Requests {
    texts: Vec<String>,
    /// Where visitors come back to from a provider, when they are sent to one.
    callback: Option<String>,
    /// Where they open a link that they were sent.
    link: Option<String>,
    mailbox: Mailbox,
    sent: AtomicUsize,
}

impl Requests {
    fn new(options: &Options, address: SocketAddr, path: &str) -> io::Result<Self> {
        let body = options.body.as_deref();
        let texts: Vec<String> = match (&options.cookies, &options.bodies, &options.link) {
            (Some(file), ..) => std::fs::read_to_string(file)?
                .lines()
                .map(|cookies| request(options, address, path, Some(cookies), body))
                .collect(),
            (_, Some(file), _) => std::fs::read_to_string(file)?
                .lines()
                .map(|body| request(options, address, path, None, Some(body)))
                .collect(),
            (.., Some(_)) => (0..options.people)
                .map(|person| body.unwrap_or_default().replace("{n}", &person.to_string()))
                .map(|body| request(options, address, path, None, Some(&body)))
                .collect(),
            _ => vec![request(options, address, path, None, body)],
        };
        if texts.is_empty() {
            return Err(io::Error::other("the file with cookies or bodies is empty"));
        }
        let (callback, link) = (options.callback.clone(), options.link.clone());
        Ok(Self { texts, callback, link, mailbox: Mailbox::default(), sent: AtomicUsize::new(0) })
    }

    fn next(&self) -> &str {
        &self.texts[self.sent.fetch_add(1, Ordering::Relaxed) % self.texts.len()]
    }
}

fn request(
    options: &Options,
    address: SocketAddr,
    path: &str,
    cookies: Option<&str>,
    body: Option<&str>,
) -> String {
    let method = if body.is_some() { "POST" } else { "GET" };
    let mut request = format!("{method} {path} HTTP/1.1\r\nhost: {address}\r\n");
    for header in &options.header {
        request.push_str(&format!("{header}\r\n"));
    }
    if let Some(cookies) = cookies {
        request.push_str(&format!("cookie: {cookies}\r\n"));
    }
    if let Some(body) = body {
        request.push_str(&format!("content-length: {}\r\n", body.len()));
    }
    request + "\r\n" + body.unwrap_or_default()
}

/// One connection's requests, one after the other; their times in microseconds.
async fn ask_until(address: SocketAddr, requests: Arc<Requests>, until: Instant) -> io::Result<Vec<u64>> {
    let mut stream = TcpStream::connect(address).await?;
    stream.set_nodelay(true)?;
    let mut buffer = Vec::with_capacity(64 * 1024);
    let mut times = Vec::new();
    while Instant::now() < until {
        let asked = Instant::now();
        let request = requests.next();
        stream.write_all(request.as_bytes()).await?;
        read_answer(&mut stream, &mut buffer, "2").await?;
        if let Some(path) = &requests.link {
            let open = requests.mailbox.open(path, address, request).await?;
            stream.write_all(open.as_bytes()).await?;
            read_answer(&mut stream, &mut buffer, "302").await?;
            mail::check(&String::from_utf8_lossy(&buffer))?;
        }
        if let Some(path) = &requests.callback {
            let back = provider::come_back(path, address, &String::from_utf8_lossy(&buffer))?;
            stream.write_all(back.as_bytes()).await?;
            read_answer(&mut stream, &mut buffer, "302").await?;
            provider::check(&String::from_utf8_lossy(&buffer))?;
        }
        times.push(u64::try_from(asked.elapsed().as_micros()).unwrap_or(u64::MAX));
    }
    Ok(times)
}

/// Fetches the mails of everybody, again and again.
async fn fetch_mails(address: SocketAddr, requests: Arc<Requests>) -> io::Result<()> {
    let mut stream = TcpStream::connect(address).await?;
    let (request, mut buffer) = (Mailbox::request(address), Vec::with_capacity(64 * 1024));
    loop {
        stream.write_all(request.as_bytes()).await?;
        read_answer(&mut stream, &mut buffer, "2").await?;
        requests.mailbox.fill(&String::from_utf8_lossy(&buffer))?;
        tokio::time::sleep(BETWEEN_FETCHES).await;
    }
}

/// Reads exactly one answer. Anything but one whose status begins as it should, and whose end can be told, is an error.
async fn read_answer(stream: &mut TcpStream, buffer: &mut Vec<u8>, status: &str) -> io::Result<()> {
    buffer.clear();
    let head = loop {
        read_more(stream, buffer).await?;
        if let Some(end) = buffer.windows(4).position(|four| four == b"\r\n\r\n") {
            break end + 4;
        }
    };
    match body(&buffer[..head], status)? {
        Body::Length(length) => {
            while buffer.len() < head + length {
                read_more(stream, buffer).await?;
            }
        }
        Body::Chunked => {
            let mut at = head;
            loop {
                match chunk(&buffer[at..])? {
                    Chunk::Whole { length, is_last: false } => at += length,
                    Chunk::Whole { is_last: true, .. } => break,
                    Chunk::Unfinished => read_more(stream, buffer).await?,
                }
            }
        }
    }
    Ok(())
}

async fn read_more(stream: &mut TcpStream, buffer: &mut Vec<u8>) -> io::Result<()> {
    match stream.read_buf(buffer).await? {
        0 => Err(io::ErrorKind::UnexpectedEof.into()),
        _ => Ok(()),
    }
}

/// How the end of a body is told.
#[derive(Debug, PartialEq)]
enum Body {
    Length(usize),
    /// Node's way when nobody says how long an answer will be.
    Chunked,
}

/// The body that follows a head with the right status.
fn body(head: &[u8], status: &str) -> io::Result<Body> {
    let head = String::from_utf8_lossy(head);
    let first = head.lines().next().unwrap_or_default();
    if !first.strip_prefix("HTTP/1.1 ").is_some_and(|rest| rest.starts_with(status)) {
        return Err(io::Error::other(format!("answered with `{first}`")));
    }
    for (name, value) in head.lines().filter_map(|line| line.split_once(':')) {
        let value = value.trim();
        if name.eq_ignore_ascii_case("content-length") {
            return value.parse().map(Body::Length).map_err(io::Error::other);
        }
        if name.eq_ignore_ascii_case("transfer-encoding") && value.eq_ignore_ascii_case("chunked") {
            return Ok(Body::Chunked);
        }
    }
    Err(io::Error::other("an answer does not say where it ends"))
}

#[derive(Debug, PartialEq)]
enum Chunk {
    /// With its size line and the line end behind it.
    Whole {
        length: usize,
        is_last: bool,
    },
    Unfinished,
}

/// The chunk at the beginning of the bytes. Nobody here sends trailers.
fn chunk(bytes: &[u8]) -> io::Result<Chunk> {
    let Some(line) = bytes.windows(2).position(|two| two == b"\r\n") else { return Ok(Chunk::Unfinished) };
    let size = String::from_utf8_lossy(&bytes[..line]);
    let size = usize::from_str_radix(size.split(';').next().unwrap_or_default().trim(), 16)
        .map_err(|_| io::Error::other(format!("`{size}` is no size of a chunk")))?;
    let length = line + 2 + size + 2;
    if bytes.len() < length {
        return Ok(Chunk::Unfinished);
    }
    Ok(Chunk::Whole { length, is_last: size == 0 })
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

    fn options() -> Options {
        Options {
            url: String::new(),
            connections: 1,
            seconds: 1,
            header: Vec::new(),
            cookies: None,
            body: None,
            bodies: None,
            link: None,
            people: 1,
            callback: None,
            threads: 1,
        }
    }

    #[test]
    fn a_body_makes_it_a_post_of_known_length() {
        let options = Options { header: vec!["cookie: a=1".into()], ..options() };
        let address = "127.0.0.1:80".parse().unwrap();
        let expected = "POST /x HTTP/1.1\r\nhost: 127.0.0.1:80\r\ncookie: a=1\r\ncontent-length: 2\r\n\r\n{}";
        assert_eq!(request(&options, address, "/x", None, Some("{}")), expected);
    }

    #[test]
    fn people_who_are_sent_links_have_numbers() {
        let options = Options {
            body: Some(r#"{"email":"{n}@x"}"#.into()),
            link: Some("/open".into()),
            people: 2,
            ..options()
        };
        let requests = Requests::new(&options, "127.0.0.1:80".parse().unwrap(), "/").unwrap();
        for person in ["0", "1", "0"] {
            let body = format!(r#"{{"email":"{person}@x"}}"#);
            assert!(requests.next().ends_with(&body));
        }
    }

    #[test]
    fn people_take_turns_with_their_cookies() {
        let file = std::env::temp_dir().join(format!("housekey-bench-cookies-{}", std::process::id()));
        let address = "127.0.0.1:80".parse().unwrap();
        let of = |lines: &str| {
            std::fs::write(&file, lines).unwrap();
            Requests::new(&Options { cookies: Some(file.clone()), ..options() }, address, "/")
        };
        let requests = of("a=1\na=2; b=3\n").unwrap();
        let nobody = of("");
        std::fs::remove_file(&file).unwrap();
        let ada = "GET / HTTP/1.1\r\nhost: 127.0.0.1:80\r\ncookie: a=1\r\n\r\n";
        assert_eq!(requests.next(), ada);
        assert!(requests.next().ends_with("cookie: a=2; b=3\r\n\r\n"));
        assert_eq!(requests.next(), ada);
        assert!(nobody.is_err());
    }

    #[test]
    fn an_answer_counts_only_as_a_success_whose_end_can_be_told() {
        let of = |head: &[u8]| body(head, "2").map_err(|error| error.to_string());
        assert_eq!(of(b"HTTP/1.1 200 OK\r\nContent-Length: 12\r\n\r\n"), Ok(Body::Length(12)));
        assert_eq!(of(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"), Ok(Body::Chunked));
        assert!(of(b"HTTP/1.1 500 No\r\ncontent-length: 12\r\n\r\n").unwrap_err().contains("500 No"));
        assert!(of(b"HTTP/1.1 200 OK\r\n\r\n").unwrap_err().contains("where it ends"));
    }

    #[test]
    fn chunks_are_read_one_by_one_and_only_whole() {
        let whole = |bytes: &[u8]| chunk(bytes).unwrap();
        assert_eq!(whole(b"4;x=1\r\nhous\r\n0\r\n\r\n"), Chunk::Whole { length: 13, is_last: false });
        assert_eq!(whole(b"0\r\n\r\n"), Chunk::Whole { length: 5, is_last: true });
        for unfinished in [&b"4"[..], b"4\r\nho", b"4\r\nhous\r", b"0\r\n"] {
            assert_eq!(whole(unfinished), Chunk::Unfinished);
        }
        assert!(chunk(b"zz\r\n").is_err());
    }

    /// As Node answers: in chunks, and the connection stays.
    #[tokio::test]
    async fn a_server_that_answers_in_chunks_is_pressed_without_errors() {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        tokio::spawn(async move {
            let (mut stream, _) = listener.accept().await.unwrap();
            let mut request = [0; 1024];
            while stream.read(&mut request).await.is_ok_and(|read| read > 0) {
                for part in
                    ["HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n4\r\nho", "us\r\n0\r\n\r\n"]
                {
                    stream.write_all(part.as_bytes()).await.unwrap();
                    tokio::task::yield_now().await;
                }
            }
        });
        let until = Instant::now() + Duration::from_millis(50);
        let requests = Requests::new(&options(), address, "/").unwrap();
        let times = ask_until(address, Arc::new(requests), until).await.unwrap();
        assert!(!times.is_empty());
    }

    #[test]
    fn quantiles_come_from_the_sorted_times() {
        let times: Vec<u64> = (1..=100).map(|time| time * 1000).collect();
        assert_eq!(quantile(&times, 50), 51.0);
        assert_eq!(quantile(&times, 99), 100.0);
        assert_eq!(quantile(&[], 99), 0.0);
    }
}
