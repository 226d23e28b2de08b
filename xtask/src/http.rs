//! A very small HTTP client for asking servers that we started ourselves, on loopback.

use std::io::{self, Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use housekey_test_support::ServerPort;

use crate::process::Background;

/// An answer: its status, its headers, the cookies it sets and its body.
pub(crate) struct Answer {
    pub(crate) status: u16,
    /// Names and values as they were sent.
    pub(crate) headers: Vec<(String, String)>,
    /// `name=value`, without the attributes.
    pub(crate) cookies: Vec<String>,
    pub(crate) body: String,
}

impl Answer {
    /// The value of a header that is sent once.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers
            .iter()
            .find(|(given, _)| given.eq_ignore_ascii_case(name))
            .map(|(_, value)| value.as_str())
    }
}

/// Asks once. A refused or broken connection is an error.
pub(crate) fn get(port: u16, path: &str) -> io::Result<Answer> {
    get_with(port, path, "")
}

/// The same, with cookies: `name=value; name=value`.
pub(crate) fn get_with(port: u16, path: &str, cookies: &str) -> io::Result<Answer> {
    let head = format!("GET {path} HTTP/1.1\r\nhost: localhost:{port}\r\naccept: text/html,*/*;q=0.8");
    send(port, &format!("{head}{}\r\nconnection: close\r\n\r\n", cookie_line(cookies)))
}

/// Sends a form, as a browser on the same site would.
pub(crate) fn post_form(port: u16, path: &str, cookies: &str, form: &str) -> io::Result<Answer> {
    let origin = format!("localhost:{port}");
    let head =
        format!("POST {path} HTTP/1.1\r\nhost: {origin}\r\norigin: http://{origin}\r\naccept: text/html");
    let length = form.len();
    let kind = format!("content-type: application/x-www-form-urlencoded\r\ncontent-length: {length}");
    send(port, &format!("{head}{}\r\nconnection: close\r\n{kind}\r\n\r\n{form}", cookie_line(cookies)))
}

fn cookie_line(cookies: &str) -> String {
    if cookies.is_empty() { String::new() } else { format!("\r\ncookie: {cookies}") }
}

/// Sends JSON, as a page on the same origin would.
pub(crate) fn post_json(port: u16, path: &str, json: &str) -> io::Result<Answer> {
    post_json_with(port, path, "", json)
}

/// The same as somebody with this address, for a server that trusts us as its proxy.
pub(crate) fn post_json_from(port: u16, path: &str, from: &str, json: &str) -> io::Result<Answer> {
    post_json_with(port, path, &format!("\r\nx-forwarded-for: {from}"), json)
}

fn post_json_with(port: u16, path: &str, header: &str, json: &str) -> io::Result<Answer> {
    let origin = format!("127.0.0.1:{port}");
    let head = format!("POST {path} HTTP/1.1\r\nhost: {origin}\r\norigin: http://{origin}{header}");
    let length = json.len();
    let body = format!("content-type: application/json\r\ncontent-length: {length}\r\n\r\n{json}");
    send(port, &format!("{head}\r\nconnection: close\r\n{body}"))
}

/// Sends a request as it is written.
pub(crate) fn send(port: u16, request: &str) -> io::Result<Answer> {
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
    let mut stream = TcpStream::connect_timeout(&address, Duration::from_mins(1))?;
    stream.set_read_timeout(Some(Duration::from_mins(2)))?;
    stream.write_all(request.as_bytes())?;
    let mut bytes = Vec::new();
    stream.read_to_end(&mut bytes)?;
    parse(&bytes).ok_or_else(|| io::Error::new(io::ErrorKind::InvalidData, "the answer is not HTTP"))
}

fn parse(bytes: &[u8]) -> Option<Answer> {
    let end = bytes.windows(4).position(|four| four == b"\r\n\r\n")?;
    let head = String::from_utf8_lossy(&bytes[..end]);
    let status = head.strip_prefix("HTTP/1.")?.split(' ').nth(1)?.parse().ok()?;
    let chunked =
        head.lines().any(|line| line.to_ascii_lowercase().starts_with("transfer-encoding: chunked"));
    let body = if chunked { unchunk(&bytes[end + 4..])? } else { bytes[end + 4..].to_vec() };
    let headers: Vec<(String, String)> = head
        .lines()
        .filter_map(|line| line.split_once(": "))
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .collect();
    let cookies = headers
        .iter()
        .filter(|(name, _)| name.eq_ignore_ascii_case("set-cookie"))
        .map(|(_, value)| value.split(';').next().unwrap_or_default().to_owned())
        .collect();
    Some(Answer { status, headers, cookies, body: String::from_utf8_lossy(&body).into_owned() })
}

fn unchunk(mut bytes: &[u8]) -> Option<Vec<u8>> {
    let mut body = Vec::new();
    loop {
        let line = bytes.windows(2).position(|two| two == b"\r\n")?;
        let size =
            usize::from_str_radix(std::str::from_utf8(&bytes[..line]).ok()?.split(';').next()?.trim(), 16)
                .ok()?;
        bytes = &bytes[line + 2..];
        if size == 0 {
            return Some(body);
        }
        body.extend_from_slice(bytes.get(..size)?);
        bytes = bytes.get(size + 2..)?;
    }
}

/// Asks again and again until the answer pleases, the server ends, or the time is over.
pub(crate) fn wait_for(
    server: &mut Background,
    port: u16,
    path: &str,
    time_limit: Duration,
    pleases: impl Fn(&Answer) -> bool,
) -> Result<Answer, String> {
    let until = Instant::now() + time_limit;
    loop {
        server.still_running()?;
        let last = match get(port, path) {
            Ok(answer) if pleases(&answer) => return Ok(answer),
            Ok(answer) => {
                format!("status {}: {}", answer.status, answer.body.chars().take(400).collect::<String>())
            }
            Err(error) => error.to_string(),
        };
        if Instant::now() > until {
            return Err(format!(
                "http://localhost:{port}{path} did not answer as expected within {} s. Last: {last}\nThe server said:\n{}",
                time_limit.as_secs(),
                server.output().trim_end()
            ));
        }
        thread::sleep(Duration::from_millis(20));
    }
}

/// A port for a server that must be told one. It stays ours until this program ends.
pub(crate) fn free_port() -> Result<u16, String> {
    static CLAIMED: Mutex<Vec<ServerPort>> = Mutex::new(Vec::new());
    let port = ServerPort::claim().map_err(|error| format!("no free port on loopback: {error}"))?;
    let number = port.number();
    CLAIMED.lock().unwrap_or_else(PoisonError::into_inner).push(port);
    Ok(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plain_answer_is_read() {
        let answer = parse(b"HTTP/1.1 404 Not Found\r\ncontent-length: 4\r\n\r\ngone").unwrap();
        assert_eq!((answer.status, answer.body.as_str()), (404, "gone"));
        assert_eq!(answer.header("Content-Length"), Some("4"));
    }

    #[test]
    fn cookies_are_read_without_their_attributes() {
        let bytes = b"HTTP/1.1 200 OK\r\nSet-Cookie: a=1; Path=/; HttpOnly\r\nset-cookie: b=2\r\n\r\n";
        assert_eq!(parse(bytes).unwrap().cookies, ["a=1", "b=2"]);
    }

    #[test]
    fn a_chunked_answer_is_put_together() {
        let bytes =
            b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhous\r\n5;x=1\r\nekeys\r\n0\r\n\r\n";
        assert_eq!(parse(bytes).unwrap().body, "housekeys");
    }

    #[test]
    fn nonsense_is_no_answer() {
        assert!(parse(b"SSH-2.0-OpenSSH\r\n\r\n").is_none());
        assert!(unchunk(b"zz\r\n").is_none());
        assert!(unchunk(b"9\r\nabc").is_none());
    }
}
