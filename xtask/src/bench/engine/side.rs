use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use crate::bench::cores::Cores;
use crate::bench::load::{Ask, Link, Who, pinned};
use crate::bench::people::{People, SECRET};
use crate::http::post_json;
use crate::node;
use crate::process::{self, Background};
use crate::ui;
use crate::workspace::Workspace;

use super::provider::Provider;

pub(super) const BASE: &str = "/api/auth";
const PERSON: &str =
    r#""name":"Ada Lovelace","email":"ada@example.com","password":"correct horse battery staple""#;

/// Whether a copy of session and user travels in a cookie.
#[derive(Clone, Copy)]
pub(in crate::bench) enum Cache {
    Off,
    Jwe,
}

impl Cache {
    fn name(self) -> &'static str {
        match self {
            Self::Off => "off",
            Self::Jwe => "jwe",
        }
    }

    /// An hour: no copy may expire between two rounds.
    fn options(self) -> &'static str {
        match self {
            Self::Off => r#"{"enabled":false}"#,
            Self::Jwe => r#"{"enabled":true,"strategy":"jwe","maxAge":3600}"#,
        }
    }
}

/// What both servers are started from.
pub(in crate::bench) struct Programs {
    ours: PathBuf,
    node: PathBuf,
}

impl Programs {
    pub(in crate::bench) fn make(workspace: &Workspace) -> Result<Self, String> {
        ui::heading("build the engine's server, install the reference");
        let package = "housekey-conformance-server";
        if !process::run(&mut workspace.cargo(&["build", "--release", "--package", package]))?.success {
            return Err("the engine's server does not build; see above".into());
        }
        node::install(&workspace.path("tests/conformance"))?;
        Ok(Self {
            ours: workspace.target().join("release").join(package),
            node: workspace.path("benches/compare/reference.mjs"),
        })
    }
}

/// Links by mail, API keys that are not limited, tokens for other services.
const PLUGINS: &str = r#","magicLink":{"storeToken":"hashed"},"apiKey":{"rateLimit":{"enabled":false,"timeWindow":60000,"maxRequests":1000}},"jwt":{}"#;

/// Where the rows of a server with keys lie: a copy of people's, or an empty database.
pub(super) enum KeysIn<'a> {
    Sqlite(&'a People),
    Postgres(&'a str),
}

/// What a server is told when it starts.
struct Setup<'a> {
    cache: Cache,
    social: &'a str,
    /// Beside the options.
    rest: &'a str,
    database: &'a str,
}

impl Setup<'_> {
    fn to_json(&self) -> String {
        let Self { cache, social, rest, database } = self;
        let cache = cache.options();
        format!(
            r#"{{"options":{{"secret":"{SECRET}","emailAndPassword":{{"enabled":true}},"rateLimit":{{"enabled":false}},"session":{{"cookieCache":{cache}}}{social}}},"database":{database:?}{rest}}}"#
        )
    }
}

/// A server with somebody signed in: many people, or the one who signs in again and again.
pub(in crate::bench) struct Side {
    program: Background,
    port: u16,
    who: Who,
}

impl Side {
    pub(in crate::bench) fn ours(
        programs: &Programs,
        cores: &Cores,
        scratch: &Path,
        cache: Cache,
        people: Option<&People>,
        provider: Option<&Provider>,
    ) -> Result<Self, String> {
        let mut command = pinned(cores.server.as_deref(), &[&programs.ours.display().to_string(), "0"]);
        command.env("TOKIO_WORKER_THREADS", cores.threads.to_string());
        Self::start("ours", command, scratch, cache, people, provider)
    }

    pub(in crate::bench) fn node(
        programs: &Programs,
        cores: &Cores,
        scratch: &Path,
        cache: Cache,
        people: Option<&People>,
        provider: Option<&Provider>,
    ) -> Result<Self, String> {
        let mut command = pinned(cores.server.as_deref(), &["node", &programs.node.display().to_string()]);
        command.env("NODE_ENV", "production");
        Self::start("node", command, scratch, cache, people, provider)
    }

    /// The same with links by mail, API keys and tokens for other services, and no cookie cache.
    pub(super) fn ours_with_keys(
        programs: &Programs,
        cores: &Cores,
        scratch: &Path,
        database: &KeysIn<'_>,
    ) -> Result<Self, String> {
        let mut command = pinned(cores.server.as_deref(), &[&programs.ours.display().to_string(), "0"]);
        command.env("TOKIO_WORKER_THREADS", cores.threads.to_string());
        Self::start_with_keys("ours", command, scratch, database)
    }

    pub(super) fn node_with_keys(
        programs: &Programs,
        cores: &Cores,
        scratch: &Path,
        database: &KeysIn<'_>,
    ) -> Result<Self, String> {
        let mut command = pinned(cores.server.as_deref(), &["node", &programs.node.display().to_string()]);
        command.env("NODE_ENV", "production");
        Self::start_with_keys("node", command, scratch, database)
    }

    fn start(
        name: &str,
        command: Command,
        scratch: &Path,
        cache: Cache,
        people: Option<&People>,
        provider: Option<&Provider>,
    ) -> Result<Self, String> {
        let name = format!("{name}-{}", cache.name());
        let database = scratch.join(format!("{name}.sqlite"));
        if let Some(people) = people {
            people.copy(&database)?;
        }
        let (social, imitation) = match provider {
            Some(Provider { entrance, .. }) => (
                r#","socialProviders":{"google":{"clientId":"client-id","clientSecret":"client-secret"}}"#,
                format!(r#","imitation":{entrance:?}"#),
            ),
            None => ("", String::new()),
        };
        let database = database.display().to_string();
        let setup = Setup { cache, social, rest: &imitation, database: &database };
        Self::begin(&name, command, scratch, &setup, people)
    }

    fn start_with_keys(
        name: &str,
        command: Command,
        scratch: &Path,
        keys: &KeysIn<'_>,
    ) -> Result<Self, String> {
        let (name, database, people) = match keys {
            KeysIn::Sqlite(people) => {
                let file = scratch.join(format!("{name}-keys.sqlite"));
                people.copy(&file)?;
                (format!("{name}-keys"), file.display().to_string(), Some(*people))
            }
            KeysIn::Postgres(url) => (format!("{name}-keys-postgres"), (*url).to_owned(), None),
        };
        let setup = Setup { cache: Cache::Off, social: "", rest: PLUGINS, database: &database };
        Self::begin(&name, command, scratch, &setup, people)
    }

    fn begin(
        name: &str,
        mut command: Command,
        scratch: &Path,
        setup: &Setup<'_>,
        people: Option<&People>,
    ) -> Result<Self, String> {
        let log = scratch.join(format!("{name}.log"));
        let mut program = Background::start_telling(&mut command, &log, &setup.to_json())?;
        let port = port_of(&mut program)?;
        let answer = post_json(port, &format!("{BASE}/sign-up/email"), &format!("{{{PERSON}}}"))
            .map_err(|error| format!("{name}: {error}"))?;
        if answer.status != 200 || answer.cookies.is_empty() {
            return Err(format!("{name}: signing up was answered with {}: {}", answer.status, answer.body));
        }
        let who = match people {
            Some(people) => {
                people
                    .are_known(port, &format!("{BASE}/get-session"))
                    .map_err(|error| format!("{name}: {error}"))?;
                people.who()
            }
            None => Who::Person(answer.cookies.join("; ")),
        };
        Ok(Self { program, port, who })
    }

    pub(in crate::bench) fn id(&self) -> u32 {
        self.program.id()
    }

    /// Who am I?
    pub(in crate::bench) fn session(&self) -> Ask {
        Ask::get(self.url("/get-session"), self.who.clone())
    }

    /// Signs one person in once more.
    pub(in crate::bench) fn sign_in(&self) -> Ask {
        Ask { json: Some(format!("{{{PERSON}}}")), ..Ask::get(self.url("/sign-in/email"), Who::Guest) }
    }

    /// Signs one person in with a provider: there, and back.
    pub(in crate::bench) fn sign_in_with_provider(&self) -> Ask {
        Ask {
            json: Some(r#"{"provider":"google","callbackURL":"/dashboard"}"#.into()),
            callback: Some(format!("{BASE}/callback/google")),
            ..Ask::get(self.url("/sign-in/social"), Who::Guest)
        }
    }

    /// A token for other services.
    pub(super) fn token(&self) -> Ask {
        Ask::get(self.url("/token"), self.who.clone())
    }

    /// Somebody asks for a link by mail and opens it: the two together are one request.
    pub(super) fn magic_link(&self, people: u32) -> Ask {
        let link = Link { path: format!("{BASE}/magic-link/verify"), people };
        Ask {
            json: Some(r#"{"email":"person.{n}@example.com","callbackURL":"/dashboard"}"#.into()),
            link: Some(link),
            ..Ask::get(self.url("/sign-in/magic-link"), Who::Guest)
        }
    }

    pub(super) fn port(&self) -> u16 {
        self.port
    }

    pub(super) fn who(&self) -> &Who {
        &self.who
    }

    /// The address of an endpoint.
    pub(super) fn url(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}{BASE}{path}", self.port)
    }
}

/// The port at the end of the address that a server prints first.
fn port_of(program: &mut Background) -> Result<u16, String> {
    let until = Instant::now() + Duration::from_mins(2);
    while Instant::now() < until {
        program.still_running()?;
        let said = program.output();
        let address = said.split_once('\n').map(|(first, _)| first.trim());
        if let Some(port) = address.and_then(|address| address.rsplit_once(':')?.1.parse().ok()) {
            return Ok(port);
        }
        thread::sleep(Duration::from_millis(20));
    }
    Err(format!("a server did not say where it listens. It said:\n{}", program.output().trim_end()))
}
