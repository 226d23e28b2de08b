//! `housekey dev`: the app on its port, rebuilt when a file changes.
//!
//! One port is bound before anything else happens and stays bound until the end; behind it the app comes and goes.
//!
//! ```text
//! browser ──► proxy ──┬─► progress or error page           (no app yet, or the last build failed)
//!   (always there)    └─► the app, on a private port       (the old one until the new one accepts connections)
//! ```
//!
//! - [`proxy`] owns the port and decides, request by request, who answers. [`pages`] are its own answers.
//! - [`state`] is the one piece of shared state: what is going on, and which app is in service.
//! - [`session`] is the loop: build, start, swap, wait for a change. [`cargo`], [`watch`], [`bundler`],
//!   [`worker`] and [`process`] are its tools.

mod backend;
mod bundler;
mod cargo;
mod event;
mod head;
mod listen;
mod pages;
mod process;
mod proxy;
mod session;
mod state;
mod watch;
mod worker;

use std::process::ExitCode;
use std::sync::{Arc, mpsc};

use clap::{Arg, ArgMatches, Command, value_parser};

use self::bundler::Bundler;
use self::event::Event;
use self::listen::Address;
use self::session::Session;
use self::state::DevState;
use crate::app::App;
use crate::failure::Failure;
use crate::ui;

/// Where to serve what.
#[derive(Debug, Default)]
pub(crate) struct Options {
    /// The app, when it is not the one around the current folder.
    pub(crate) app: Option<App>,
    pub(crate) port: Option<u16>,
    pub(crate) host: Option<String>,
    /// Whether the npm packages are to be installed first.
    pub(crate) install: bool,
}

impl Options {
    pub(crate) fn from_arguments(arguments: &ArgMatches) -> Self {
        Self {
            app: None,
            port: arguments.get_one("port").copied(),
            host: arguments.get_one::<String>("host").cloned(),
            install: false,
        }
    }
}

pub(crate) fn command() -> Command {
    Command::new("dev")
        .about("Serve the app around the current folder and rebuild it when a file changes")
        .arg(
            Arg::new("port")
                .long("port")
                .value_parser(value_parser!(u16))
                .help("The port to serve on [default: PORT of .env, else 3000]; 0 takes any free one"),
        )
        .arg(Arg::new("host").long("host").help("The address to serve on [default: localhost]"))
}

pub(crate) fn run(options: &Options) -> Result<ExitCode, Failure> {
    let app = options.app.clone().map_or_else(App::around_here, Ok)?;
    let listening = listen::on(options, &app)?;
    let state = Arc::new(DevState::default());
    for listener in listening.listeners {
        proxy::start(listener, Arc::clone(&state));
    }

    let (events, inbox) = mpsc::channel();
    let stop = events.clone();
    ctrlc::set_handler(move || {
        let _ = stop.send(Event::Stop);
    })
    .map_err(|error| Failure::failed(format!("signals cannot be handled: {error}")))?;

    ui::done("Serving", &format!("{} (Ctrl-C stops)", ui::strong(&listening.url)));
    let address = Address::new(listening.url, &app);
    let bundler = Bundler::start(&app, &address, options.install);
    Session::new(app, address, bundler, state, events, inbox).run()
}
