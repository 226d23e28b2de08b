//! The loop behind `housekey dev`: build, start, swap, wait for a change, and again.

mod setting_up;

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Weak};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};
use std::{fs, io};

use super::backend::Backend;
use super::bundler::Bundler;
use super::cargo::Build;
use super::event::Event;
use super::listen::Address;
use super::state::{DevState, Phase, Problem, Progress};
use super::watch::{self, Watch};
use super::worker::Worker;
use crate::app::App;
use crate::failure::Failure;
use crate::{forward, setup, ui};

/// Touched after every swap. The bundler's plugin sees it and reloads the browser.
const RESTARTED: &str = "storage/framework/restarted";
/// Editors write a file in several steps, and "save all" writes several files.
const QUIET: Duration = Duration::from_millis(80);
const TICK: Duration = Duration::from_millis(20);
/// How long a new app may take until it accepts connections.
const STARTING: Duration = Duration::from_secs(60);

pub(crate) struct Session {
    app: App,
    address: Address,
    state: Arc<DevState>,
    inbox: Receiver<Event>,
    watch: Watch,
    bundler: Bundler,
    worker: Worker,
    serving: Option<Arc<Backend>>,
    /// Replaced apps that are still finishing their last requests.
    retiring: Vec<Weak<Backend>>,
    /// The program that is in service. `None` when the app must be started anew although nothing was compiled: its
    /// environment changed, or it ended.
    started: Option<Stamp>,
    /// Files that the app's own setup wrote. What they say is done already, so they are no reason to build again.
    made: Vec<(PathBuf, Option<Stamp>)>,
    /// The migrations there were before a setup that failed.
    before_failure: Option<Vec<PathBuf>>,
    /// Who can sign in after the setup, until that has been told.
    demo: Option<String>,
}

/// What tells one build of a program from another. cargo's own word for it (`fresh`) compares with the last build,
/// and that one may have been overtaken by a change before it was ever started.
type Stamp = (SystemTime, u64);

/// Why a step did not come to its end.
enum Interruption {
    /// Files changed meanwhile: whatever this was, it is out of date.
    Changed,
    Stop,
    /// The app is at fault, and the next change may mend it.
    Problem(Problem),
    /// Nothing can be built here at all.
    Failure(Failure),
}

impl Session {
    pub(crate) fn new(
        app: App,
        address: Address,
        bundler: Bundler,
        state: Arc<DevState>,
        events: Sender<Event>,
        inbox: Receiver<Event>,
    ) -> Self {
        let watch = Watch::start(&app, events);

        Self {
            app,
            address,
            state,
            inbox,
            watch,
            bundler,
            worker: Worker::default(),
            serving: None,
            retiring: Vec::new(),
            started: None,
            made: Vec::new(),
            before_failure: None,
            demo: None,
        }
    }

    pub(crate) fn run(mut self) -> Result<ExitCode, Failure> {
        let result = self.work();
        ui::clear_transient();
        ui::done("Stopping", "the app and everything started with it");
        self.bundler.stop();
        self.worker.stop();
        let retiring = self.retiring.iter().filter_map(Weak::upgrade);
        for backend in self.state.take_out_of_service().into_iter().chain(retiring) {
            backend.stop();
        }
        result.map(|()| ExitCode::SUCCESS)
    }

    fn work(&mut self) -> Result<(), Failure> {
        loop {
            match self.build_and_swap() {
                Ok(()) => {}
                Err(Interruption::Problem(problem)) => self.fail(problem),
                Err(Interruption::Changed) => continue,
                Err(Interruption::Stop) => return Ok(()),
                Err(Interruption::Failure(failure)) => return Err(failure),
            }
            if self.wait_for_a_change().is_break() {
                return Ok(());
            }
        }
    }

    fn build_and_swap(&mut self) -> Result<(), Interruption> {
        let started = Instant::now();
        let executable = self.build()?;
        let stamp = stamp(&executable);
        if stamp.is_some() && stamp == self.started {
            self.state.enter(Phase::Ready);
            return Ok(());
        }
        self.set_up(&executable)?;
        let backend = self.start(&executable)?;
        let verb = if self.serving.is_some() { "Reloaded" } else { "Ready" };
        if self.serving.is_none() {
            self.wait_for_the_bundler()?;
        }
        self.put_in_service(backend);
        self.worker.restart(&self.app, &executable, &self.address);
        self.started = stamp;
        let seconds = started.elapsed().as_secs_f32();
        ui::done(verb, &format!("{} after {seconds:.1} s", ui::strong(&self.address.url)));
        if let Some(demo) = self.demo.take() {
            setup::print_sign_in(&demo, &self.address.url);
        }
        Ok(())
    }

    fn build(&mut self) -> Result<PathBuf, Interruption> {
        self.state.enter(Phase::Building(Progress { current: "Asking cargo".into(), ..Progress::default() }));
        let started = Build::start(&self.app, &self.state);
        let mut build = started.map_err(|error| Interruption::Failure(forward::no_cargo(&error)))?;
        loop {
            if let Some(outcome) = build.poll() {
                return outcome.map_err(Interruption::Problem);
            }
            if let Err(interruption) = self.look() {
                build.cancel();
                return Err(interruption);
            }
        }
    }

    /// Starts the new app and waits until it accepts connections. The old one serves meanwhile.
    fn start(&mut self, executable: &Path) -> Result<Arc<Backend>, Interruption> {
        let problem = |title: &str, detail| Interruption::Problem(Problem { title: title.into(), detail });
        self.state.enter(Phase::Starting);
        let backend = Backend::start(&self.app, executable, &self.address).map_err(|error| {
            problem("The app could not be started", format!("{}: {error}", executable.display()))
        })?;
        let deadline = Instant::now() + STARTING;
        while !backend.accepts() {
            if let Some(last_words) = backend.ended() {
                return Err(problem("The app stopped while it was starting", last_words));
            }
            if Instant::now() > deadline {
                let detail = "It does not accept connections after a minute.";
                return Err(problem("The app does not start", detail.into()));
            }
            self.look()?;
        }
        Ok(Arc::new(backend))
    }

    fn wait_for_the_bundler(&mut self) -> Result<(), Interruption> {
        while let Some(what) = self.bundler.getting_ready() {
            self.state.enter(Phase::Building(Progress { current: what.into(), ..Progress::default() }));
            self.look()?;
        }
        Ok(())
    }

    /// From here on the new app gets every request. The old one finishes what it has.
    fn put_in_service(&mut self, backend: Arc<Backend>) {
        self.serving = Some(Arc::clone(&backend));
        if let Some(old) = self.state.put_in_service(backend) {
            self.retiring.retain(|backend| backend.strong_count() > 0);
            self.retiring.push(Arc::downgrade(&old));
            Backend::retire(old);
        }
        if let Err(error) = self.tell_the_bundler() {
            ui::warning(&format!("{RESTARTED} could not be written ({error}); browsers will not reload"));
        }
    }

    fn fail(&mut self, problem: Problem) {
        ui::error(&problem.title, Some("Waiting for a change."));
        self.state.enter(Phase::Failed(problem));
    }

    fn tell_the_bundler(&self) -> io::Result<()> {
        let file = self.app.path(RESTARTED);
        file.parent().map_or(Ok(()), fs::create_dir_all)?;
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        fs::write(file, format!("{}\n", now.as_millis()))
    }

    fn wait_for_a_change(&mut self) -> ControlFlow<()> {
        loop {
            match self.look() {
                Ok(()) => {}
                Err(Interruption::Changed) => return ControlFlow::Continue(()),
                Err(_) => return ControlFlow::Break(()),
            }
            if let Some(detail) = self.serving.as_ref().and_then(|backend| backend.ended()) {
                self.serving = None;
                self.started = None;
                self.state.take_out_of_service();
                self.fail(Problem { title: "The app has stopped".into(), detail });
            }
        }
    }

    /// Looks at the inbox for a moment.
    fn look(&mut self) -> Result<(), Interruption> {
        let changed = self.changes()?;
        if changed.iter().any(|path| !self.is_made(path)) { Err(Interruption::Changed) } else { Ok(()) }
    }

    /// What has changed in the last moment. After the first change it goes on looking until the files are quiet.
    fn changes(&mut self) -> Result<Vec<PathBuf>, Interruption> {
        let mut changed = Vec::new();
        loop {
            match self.inbox.recv_timeout(if changed.is_empty() { TICK } else { QUIET }) {
                Ok(Event::Stop) | Err(RecvTimeoutError::Disconnected) => return Err(Interruption::Stop),
                Ok(Event::Changed(path)) => {
                    if !watch::is_compiled(&path) {
                        self.started = None;
                    }
                    changed.push(path);
                }
                Err(RecvTimeoutError::Timeout) if !changed.is_empty() => {
                    self.watch.cover();
                    return Ok(changed);
                }
                Err(RecvTimeoutError::Timeout) => {
                    self.bundler.check(&self.app, &self.address);
                    self.worker.check(&self.app, &self.address);
                    return Ok(changed);
                }
            }
        }
    }
}

fn stamp(executable: &Path) -> Option<Stamp> {
    let metadata = fs::metadata(executable).ok()?;
    Some((metadata.modified().ok()?, metadata.len()))
}
