use std::fs;
use std::net::{TcpStream, ToSocketAddrs};
use std::path::Path;
use std::time::Duration;

use serde::Deserialize;

use super::problem::Stale;
use super::tag::Tag;

/// A running dev server, as its note (the hot file) describes it.
#[derive(Debug)]
pub(super) struct DevServer {
    pub(super) origin: String,
    client: String,
    pub(super) injected: Vec<Tag>,
}

/// What the bundler plugin writes.
#[derive(Deserialize)]
struct Note {
    origin: String,
    #[serde(default = "default_client")]
    client: String,
    #[serde(default)]
    tags: Vec<Tag>,
}

fn default_client() -> String {
    "/@vite/client".into()
}

/// What became of looking for one.
#[derive(Debug)]
pub(super) enum Search {
    Running(DevServer),
    Stale(Stale),
    None,
}

impl DevServer {
    /// Looks for a dev server. A note is believed only if somebody answers where it points: a bundler that was
    /// killed cannot take its note away.
    pub(super) fn find(hot_file: &Path) -> Search {
        let Ok(text) = fs::read_to_string(hot_file) else { return Search::None };
        let note = serde_json::from_str::<Note>(&text).ok().filter(|note| is_origin(&note.origin));
        match note {
            Some(note) if answers(&note.origin) => Search::Running(Self {
                origin: note.origin.trim_end_matches('/').to_owned(),
                client: note.client,
                injected: note.tags,
            }),
            note => {
                let origin = note.map_or_else(|| "an unreadable address".into(), |note| note.origin);
                Search::Stale(Stale { file: hot_file.to_owned(), origin })
            }
        }
    }

    pub(super) fn url(&self, path: &str) -> String {
        format!("{}/{}", self.origin, path.trim_start_matches('/'))
    }

    /// The tags for these entries: the client that keeps the page up to date, then each entry as it is.
    pub(super) fn tags(&self, entries: &[impl AsRef<str>]) -> Vec<Tag> {
        let mut tags = vec![Tag::module(&self.url(&self.client))];
        for entry in entries.iter().map(AsRef::as_ref) {
            tags.push(if is_stylesheet(entry) {
                Tag::stylesheet(&self.url(entry))
            } else {
                Tag::module(&self.url(entry))
            });
        }
        tags
    }

    /// The same address for a web socket.
    pub(super) fn socket_origin(&self) -> String {
        self.origin.replacen("http", "ws", 1)
    }
}

fn is_stylesheet(entry: &str) -> bool {
    let extension = Path::new(entry).extension().and_then(|extension| extension.to_str());
    matches!(extension, Some("css" | "scss" | "sass" | "less" | "styl" | "stylus" | "pcss" | "postcss"))
}

/// `http(s)://host:port` and nothing more: it goes into the content security policy word for word.
fn is_origin(text: &str) -> bool {
    let rest = text.strip_prefix("http://").or_else(|| text.strip_prefix("https://"));
    rest.is_some_and(|host| {
        let host = host.strip_suffix('/').unwrap_or(host);
        !host.is_empty() && host.bytes().all(|byte| byte.is_ascii_alphanumeric() || b".-:[]".contains(&byte))
    })
}

/// Somebody listens there. On the same machine the answer is a matter of microseconds.
fn answers(origin: &str) -> bool {
    let secure = origin.starts_with("https");
    let host = origin.split_once("://").map_or(origin, |(_, rest)| rest).trim_end_matches('/');
    let has_port = host.rsplit_once(':').is_some_and(|(_, port)| port.parse::<u16>().is_ok());
    let address =
        if has_port { host.to_owned() } else { format!("{host}:{}", if secure { 443 } else { 80 }) };
    address.to_socket_addrs().is_ok_and(|mut addresses| {
        addresses.any(|address| TcpStream::connect_timeout(&address, Duration::from_millis(300)).is_ok())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_an_origin_is_taken_for_one() {
        for good in
            ["http://localhost:5173", "https://127.0.0.1:1/", "http://[::1]:5173", "https://phone.example"]
        {
            assert!(is_origin(good), "{good}");
        }
        for bad in
            ["", "localhost:5173", "http://", "http://a b", "http://a; script-src *", "http://a/x", "ftp://a"]
        {
            assert!(!is_origin(bad), "{bad}");
        }
    }
}
