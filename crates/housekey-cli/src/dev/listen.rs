//! Taking the port, before there is anything to serve.

use std::io;
use std::net::{IpAddr, SocketAddr, TcpListener, ToSocketAddrs};
use std::process::Command;

use super::Options;
use crate::app::App;
use crate::failure::Failure;
use crate::ui;

const DEFAULT_PORT: u16 = 3000;
/// How far to look for a free port when nobody asked for a certain one.
const TRIES: u16 = 20;

#[derive(Debug)]
pub(crate) struct Listening {
    pub(crate) listeners: Vec<TcpListener>,
    /// The address to open in a browser.
    pub(crate) url: String,
}

/// The address people use, for the programs behind it, which cannot know it themselves.
#[derive(Debug)]
pub(crate) struct Address {
    pub(crate) url: String,
    app_url: Option<String>,
}

impl Address {
    pub(crate) fn new(url: String, app: &App) -> Self {
        Self { app_url: app_url(app.env("APP_URL").as_deref(), &url), url }
    }

    /// Links, cookies and the bundler's list of allowed origins go by `APP_URL`, so it must be the address in the
    /// browser's address bar.
    pub(crate) fn tell(&self, command: &mut Command) {
        command.env("HOUSEKEY_DEV_URL", &self.url);
        if let Some(app_url) = &self.app_url {
            command.env("APP_URL", app_url);
        }
    }
}

pub(crate) fn on(options: &Options, app: &App) -> Result<Listening, Failure> {
    let host = options.host.as_deref().unwrap_or("localhost");
    if let Some(port) = options.port {
        return bind(host, port).map_err(|error| refused(host, port, &error));
    }
    let wanted = app.env("PORT").and_then(|port| port.parse().ok()).unwrap_or(DEFAULT_PORT);
    let mut first_error = None;
    for port in wanted..=wanted.saturating_add(TRIES) {
        match bind(host, port) {
            Ok(listening) => {
                if port != wanted {
                    ui::warning(&format!("port {wanted} is in use, so this is {port} (--port chooses)"));
                }
                return Ok(listening);
            }
            Err(error) if error.kind() == io::ErrorKind::AddrInUse => {
                first_error.get_or_insert(error);
            }
            Err(error) => return Err(refused(host, port, &error)),
        }
    }
    Err(refused(host, wanted, &first_error.unwrap_or_else(|| io::ErrorKind::AddrInUse.into())))
}

/// Binds every address of the name. `localhost` is both 127.0.0.1 and ::1, and a browser may try either first, so
/// the second gets the port of the first; a machine without one of them is fine.
fn bind(host: &str, port: u16) -> io::Result<Listening> {
    let mut addresses: Vec<SocketAddr> = (host, port).to_socket_addrs()?.collect();
    addresses.sort_by_key(SocketAddr::is_ipv6);
    addresses.dedup();
    let mut listeners: Vec<TcpListener> = Vec::new();
    let mut bound = port;
    for mut address in addresses {
        address.set_port(bound);
        match TcpListener::bind(address) {
            Ok(listener) => {
                bound = listener.local_addr()?.port();
                listeners.push(listener);
            }
            Err(error) if listeners.is_empty() || error.kind() == io::ErrorKind::AddrInUse => {
                return Err(error);
            }
            Err(_) => {}
        }
    }
    if listeners.is_empty() {
        return Err(io::Error::new(io::ErrorKind::NotFound, "the name has no address"));
    }
    Ok(Listening { listeners, url: format!("http://{}:{bound}", openable(host)) })
}

/// A wildcard address is for binding, not for opening.
fn openable(host: &str) -> String {
    match host.parse::<IpAddr>() {
        Ok(address) if address.is_unspecified() => "localhost".to_owned(),
        Ok(IpAddr::V6(address)) => format!("[{address}]"),
        _ => host.to_owned(),
    }
}

/// The app's own address, when `.env` names this machine with another port than the one that was taken. A real
/// host name is left alone: then somebody has a tunnel or a certificate in front.
fn app_url(configured: Option<&str>, serving: &str) -> Option<String> {
    let is_local = configured.is_none_or(|url| {
        let host = url.split("://").nth(1).unwrap_or(url);
        url.starts_with("http://")
            && ["localhost", "127.0.0.1", "[::1]"].iter().any(|name| host.starts_with(name))
    });
    (is_local && configured.map(|url| url.trim_end_matches('/')) != Some(serving)).then(|| serving.to_owned())
}

fn refused(host: &str, port: u16, error: &io::Error) -> Failure {
    let failure = Failure::failed(format!("cannot serve on {host}:{port}: {error}"));
    match error.kind() {
        io::ErrorKind::AddrInUse => {
            failure.help("Another program uses that port. Stop it, or choose one with --port.")
        }
        io::ErrorKind::PermissionDenied => {
            failure.help("Ports below 1024 need rights you do not have: choose one with --port.")
        }
        _ => failure.help("Check --host and --port."),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_port_somebody_asked_for_is_taken_or_refused_but_never_swapped() {
        let taken = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = taken.local_addr().unwrap().port();
        let options = Options { port: Some(port), host: Some("127.0.0.1".into()), ..Options::default() };

        let refused = on(&options, &App::at("/nowhere".into())).unwrap_err();

        assert!(refused.to_string().contains("Another program uses that port"), "{refused}");
    }

    #[test]
    fn a_local_address_follows_the_port_that_was_taken() {
        let serving = "http://localhost:3001";
        assert_eq!(app_url(Some("http://localhost:3000"), serving).as_deref(), Some(serving));
        assert_eq!(app_url(None, serving).as_deref(), Some(serving));
        assert_eq!(app_url(Some("http://localhost:3001/"), serving), None);
        assert_eq!(app_url(Some("https://app.example"), serving), None);
    }

    #[test]
    fn the_wildcard_address_is_shown_as_one_that_opens() {
        assert_eq!(openable("0.0.0.0"), "localhost");
        assert_eq!(openable("::"), "localhost");
        assert_eq!(openable("::1"), "[::1]");
        assert_eq!(openable("192.168.0.7"), "192.168.0.7");
    }
}
