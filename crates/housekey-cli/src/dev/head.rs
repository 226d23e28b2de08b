//! The head of one HTTP request: as much of it as a relay has to understand.
//!
//! Bodies are never parsed. Every request to the app gets a connection of its own that ends with the answer
//! (`Connection: close`), so bytes can be copied blindly in both directions and the next request of the same browser
//! is decided anew. A connection costs microseconds on loopback; a proxy that tracked message lengths would be a
//! second HTTP implementation to get wrong.

use std::io::{self, Read};

/// More than any browser sends, and no more than we care to keep.
const LIMIT: usize = 64 * 1024;

#[derive(Debug)]
pub(crate) struct Head {
    method: String,
    target: String,
    lines: Vec<Vec<u8>>,
    /// What arrived after the head: the beginning of the body.
    rest: Vec<u8>,
}

#[derive(Debug)]
pub(crate) enum Refusal {
    /// Nothing came, or the other side went away: there is nobody to answer.
    Gone,
    Malformed,
    TooLarge,
}

impl Head {
    pub(crate) fn read(stream: &mut impl Read) -> Result<Self, Refusal> {
        let mut bytes = Vec::with_capacity(1024);
        let mut chunk = [0; 4096];
        let end = loop {
            if let Some(end) = find(&bytes, b"\r\n\r\n") {
                break end;
            }
            if bytes.len() > LIMIT {
                return Err(Refusal::TooLarge);
            }
            match stream.read(&mut chunk) {
                Ok(0) => return Err(if bytes.is_empty() { Refusal::Gone } else { Refusal::Malformed }),
                Ok(read) => bytes.extend_from_slice(&chunk[..read]),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(_) => return Err(Refusal::Gone),
            }
            // A browser that tries https sends a TLS hello, which never contains the end of a head.
            if !bytes[0].is_ascii_alphabetic() && bytes[0] != b'\r' {
                return Err(Refusal::Malformed);
            }
        };
        let rest = bytes.split_off(end + 4);
        Self::parse(&bytes[..end], rest).ok_or(Refusal::Malformed)
    }

    fn parse(head: &[u8], rest: Vec<u8>) -> Option<Self> {
        let mut lines =
            head.split(|byte| *byte == b'\n').map(|line| line.strip_suffix(b"\r").unwrap_or(line));
        let first = std::str::from_utf8(lines.next()?).ok()?;
        let mut words = first.split(' ');
        let (method, target, version) = (words.next()?, words.next()?, words.next()?);
        if words.next().is_some() || method.is_empty() || target.is_empty() || !version.starts_with("HTTP/1.")
        {
            return None;
        }
        let lines: Vec<Vec<u8>> = lines.map(<[u8]>::to_vec).collect();
        lines.iter().all(|line| line.contains(&b':')).then(|| Self {
            method: method.to_owned(),
            target: target.to_owned(),
            lines,
            rest,
        })
    }

    pub(crate) fn path(&self) -> &str {
        self.target.split('?').next().unwrap_or_default()
    }

    pub(crate) fn is_head(&self) -> bool {
        self.method == "HEAD"
    }

    /// A client that reads JSON, by the framework's own rule.
    pub(crate) fn wants_json(&self) -> bool {
        let accept = self.header("accept").unwrap_or_default();
        accept.contains("/json")
            || accept.contains("+json")
            || self.header("x-requested-with").is_some_and(|value| value == "xmlhttprequest")
    }

    /// A person opening a page, as opposed to a script, a style sheet or a form being sent.
    pub(crate) fn opens_a_page(&self) -> bool {
        let is_read = self.method == "GET" || self.is_head();
        is_read
            && !self.wants_json()
            && match self.header("sec-fetch-mode") {
                Some(mode) => mode == "navigate",
                None => self.header("accept").is_some_and(|accept| accept.contains("text/html")),
            }
    }

    /// The bytes to send to the app: the same request, on a connection that ends with the answer. A websocket keeps
    /// its connection; other upgrades are not passed on.
    pub(crate) fn for_the_app(&self) -> Vec<u8> {
        let upgrade = self.header("upgrade").is_some_and(|protocol| protocol == "websocket");
        let mut bytes = format!("{} {} HTTP/1.1\r\n", self.method, self.target).into_bytes();
        for line in &self.lines {
            let (name, _) = split(line);
            let about_the_connection =
                ["connection", "keep-alive", "proxy-connection", "upgrade"].iter().any(|word| name == *word);
            if upgrade || !about_the_connection {
                bytes.extend_from_slice(line);
                bytes.extend_from_slice(b"\r\n");
            }
        }
        if !upgrade {
            bytes.extend_from_slice(b"Connection: close\r\n");
        }
        bytes.extend_from_slice(b"\r\n");
        bytes.extend_from_slice(&self.rest);
        bytes
    }

    /// The first value of a header, in lower case: everything asked here is compared without regard to case.
    fn header(&self, wanted: &str) -> Option<String> {
        self.lines.iter().map(|line| split(line)).find(|(name, _)| name == wanted).map(|(_, value)| value)
    }
}

fn split(line: &[u8]) -> (String, String) {
    let line = String::from_utf8_lossy(line).to_ascii_lowercase();
    line.split_once(':').map_or_else(
        || (line.clone(), String::new()),
        |(name, value)| (name.to_owned(), value.trim().to_owned()),
    )
}

fn find(bytes: &[u8], wanted: &[u8]) -> Option<usize> {
    bytes.windows(wanted.len()).position(|window| window == wanted)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn head(text: &str) -> Head {
        Head::read(&mut text.as_bytes()).unwrap()
    }

    #[test]
    fn a_person_opening_a_page_is_told_from_a_script() {
        for (headers, expected) in [
            ("Accept: text/html,application/xhtml+xml\r\n", true),
            ("Accept: */*\r\nSec-Fetch-Mode: navigate\r\n", true),
            ("Accept: text/html\r\nSec-Fetch-Mode: cors\r\n", false),
            ("Accept: application/json\r\n", false),
            ("Accept: text/html\r\nX-Requested-With: XMLHttpRequest\r\n", false),
            ("Accept: text/css,*/*\r\n", false),
            ("", false),
        ] {
            assert_eq!(
                head(&format!("GET / HTTP/1.1\r\n{headers}\r\n")).opens_a_page(),
                expected,
                "{headers}"
            );
        }
        assert!(!head("POST / HTTP/1.1\r\nAccept: text/html\r\n\r\n").opens_a_page());
    }

    #[test]
    fn the_app_gets_the_same_request_on_a_connection_that_ends() {
        let sent = "POST /a?b=1 HTTP/1.1\r\nHost: x\r\nConnection: keep-alive\r\nKeep-Alive: 5\r\nX-Odd: \u{fe}\r\n\r\nbody";
        assert_eq!(
            String::from_utf8(head(sent).for_the_app()).unwrap(),
            "POST /a?b=1 HTTP/1.1\r\nHost: x\r\nX-Odd: \u{fe}\r\nConnection: close\r\n\r\nbody"
        );
    }

    #[test]
    fn a_websocket_keeps_its_upgrade_and_nothing_else_does() {
        let websocket = "GET /ws HTTP/1.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n";
        assert_eq!(head(websocket).for_the_app(), websocket.as_bytes());
        let other = head("GET / HTTP/1.1\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\n\r\n")
            .for_the_app();
        assert_eq!(other, b"GET / HTTP/1.1\r\nConnection: close\r\n\r\n");
    }

    #[test]
    fn what_is_no_request_is_refused() {
        for bytes in [
            &b"\x16\x03\x01\x02\x00\x01"[..],
            b"PRI * HTTP/2.0\r\n\r\n",
            b"GET\r\n\r\n",
            b"GET  HTTP/1.1\r\n\r\n",
            b"GET / HTTP/1.1\r\nno colon\r\n\r\n",
            b"GET / HTTP/1.1\r\ncut off",
        ] {
            assert!(matches!(Head::read(&mut &bytes[..]), Err(Refusal::Malformed)), "{bytes:?}");
        }
        assert!(matches!(Head::read(&mut &b""[..]), Err(Refusal::Gone)));
        let endless = format!("GET / HTTP/1.1\r\nX: {}", "x".repeat(2 * LIMIT));
        assert!(matches!(Head::read(&mut endless.as_bytes()), Err(Refusal::TooLarge)));
    }
}
