//! The app's queue worker, running beside the app when its jobs wait somewhere.

use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use super::backend;
use super::listen::Address;
use super::process::Process;
use crate::app::App;
use crate::ui;

/// How long the jobs in hand of a replaced worker may still take. Longer ones go back, and the next worker does them.
const LAST_JOBS: Duration = Duration::from_secs(10);
/// The same at the end of `housekey dev`.
const STOPPING: Duration = Duration::from_secs(3);
/// How long a worker may take to put its jobs back.
const PUTTING_BACK: Duration = Duration::from_secs(1);
/// How long we wait until a worker that failed is started anew, at first and at most: its tables may come meanwhile.
const FIRST_PAUSE: Duration = Duration::from_secs(2);
const LONGEST_PAUSE: Duration = Duration::from_secs(30);

#[derive(Debug, Default)]
pub(crate) struct Worker {
    state: State,
    /// Replaced workers that finish the jobs they have, and until when they may.
    retiring: Vec<(Process, Instant)>,
}

#[derive(Debug, Default)]
enum State {
    /// The app has no queue, or one in which no job waits.
    #[default]
    Off,
    Running(Process, Start),
    Failed(Start, Instant),
}

/// What is started, and how long to wait if it fails.
#[derive(Debug)]
struct Start {
    executable: PathBuf,
    pause: Duration,
}

impl Worker {
    /// Replaces the worker by one of the program that is in service now. Whether jobs wait for one is for the app to know:
    /// if they do not, its `queue:work --if-needed` ends at once.
    pub(crate) fn restart(&mut self, app: &App, executable: &Path, address: &Address) {
        self.retire(LAST_JOBS);
        if app.has_feature("queue") {
            self.start(app, address, Start { executable: executable.to_owned(), pause: FIRST_PAUSE });
        }
    }

    /// Starts a worker anew that has failed, and ends a replaced one whose time is over.
    pub(crate) fn check(&mut self, app: &App, address: &Address) {
        self.retiring.retain_mut(|(process, deadline)| {
            if Instant::now() >= *deadline {
                put_back(process);
            }
            process.ended().is_none()
        });
        match std::mem::take(&mut self.state) {
            State::Running(mut process, start) => match process.ended() {
                None => self.state = State::Running(process, start),
                Some(ending) if ending.is_success() => {}
                Some(ending) => {
                    ui::clear_transient();
                    let (how, pause) = (ending.how(), start.pause.as_secs());
                    ui::warning(&format!("the queue worker stopped ({how}); it starts again in {pause} s"));
                    let again_at = Instant::now() + start.pause;
                    self.state = State::Failed(start, again_at);
                }
            },
            State::Failed(start, again_at) if Instant::now() >= again_at => {
                let pause = (start.pause * 2).min(LONGEST_PAUSE);
                self.start(app, address, Start { pause, ..start });
            }
            state => self.state = state,
        }
    }

    pub(crate) fn stop(&mut self) {
        self.retire(STOPPING);
        let deadline = Instant::now() + STOPPING;
        while Instant::now() < deadline
            && self.retiring.iter_mut().any(|(process, _)| process.ended().is_none())
        {
            thread::sleep(Duration::from_millis(20));
        }
        self.retiring.iter_mut().for_each(|(process, _)| put_back(process));
    }

    /// Asks the worker to take no more jobs and to end after those it has.
    fn retire(&mut self, grace: Duration) {
        if let State::Running(process, _) = std::mem::take(&mut self.state) {
            process.ask_to_stop();
            self.retiring.push((process, Instant::now() + grace));
        }
    }

    fn start(&mut self, app: &App, address: &Address, start: Start) {
        let mut command = backend::console(app, &start.executable, address);
        command.args(["queue:work", "--all", "--if-needed"]);
        match Process::start(command, "queue") {
            Ok(process) => self.state = State::Running(process, start),
            Err(error) => ui::warning(&format!("the queue worker could not be started: {error}")),
        }
    }
}

/// Asked a second time, a worker puts its jobs back instead of finishing them.
fn put_back(process: &mut Process) {
    process.stop(PUTTING_BACK);
}
