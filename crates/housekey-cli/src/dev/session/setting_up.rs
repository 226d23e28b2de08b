//! The first start of a new app: what it needs once is done by its own program, before it serves.

use std::path::{Path, PathBuf};
use std::time::Duration;
use std::{fs, io};

use super::super::backend;
use super::super::process::{Ending, Process};
use super::super::state::{Phase, Problem, Progress};
use super::{Interruption, Session, stamp};
use crate::setup::{self, Setup};
use crate::ui;

/// How long a command may take to stop once asked.
const STOPPING: Duration = Duration::from_secs(3);

impl Session {
    /// What a new app needs once: commands of its own program, before it serves for the first time.
    pub(super) fn set_up(&mut self, executable: &Path) -> Result<(), Interruption> {
        let pending = Setup::pending(&self.app).map_err(|error| no_setup(&error))?;
        let Some(mut setup) = pending else { return Ok(()) };
        self.demo = setup.demo().map(str::to_owned);
        let before = self.migrations();
        let mut changed = Vec::new();
        let outcome = self.run_setup(&mut setup, executable, &mut changed);
        // Also after a failure: what it wrote is not to be the reason for the next attempt, and that for another.
        let new = self.migrations().into_iter().filter(|file| !before.contains(file));
        self.made.extend(new.map(|file| (file.clone(), stamp(&file))).collect::<Vec<_>>());
        self.before_failure = outcome.is_err().then_some(before);
        match outcome {
            Err(Interruption::Stop) => Err(Interruption::Stop),
            _ if changed.iter().any(|path| !self.is_made(path)) => Err(Interruption::Changed),
            outcome => outcome,
        }
    }

    /// Runs what is left. Files that change meanwhile wait: half a migration helps nobody.
    fn run_setup(
        &mut self,
        setup: &mut Setup,
        executable: &Path,
        changed: &mut Vec<PathBuf>,
    ) -> Result<(), Interruption> {
        let (total, mut done) = (u32::try_from(setup.commands().len()).unwrap_or(u32::MAX), 0);
        while let Some(command) = setup.commands().first() {
            ui::done("Setting up", command);
            self.state.enter(Phase::SettingUp(Progress { done, total, current: command.clone() }));
            let mut console = backend::console(&self.app, executable, &self.address);
            console.args(command.split_whitespace());
            let process = Process::start(console, "setup").map_err(|error| {
                failed(command, &format!("{} could not be started: {error}", executable.display()))
            })?;
            let ending = self.wait_for_the_end(process, changed)?;
            if !ending.is_success() {
                let last_words = format!("{}\n\n(It ended with {}.)", ending.last_words, ending.how());
                return Err(failed(command, &last_words));
            }
            setup.first_is_done(&self.app).map_err(|error| no_setup(&error))?;
            done += 1;
        }
        setup.finish(&self.app).map_err(|error| no_setup(&error))
    }

    fn wait_for_the_end(
        &mut self,
        mut process: Process,
        changed: &mut Vec<PathBuf>,
    ) -> Result<Ending, Interruption> {
        loop {
            if let Some(ending) = process.ended() {
                return Ok(ending);
            }
            match self.changes() {
                Ok(paths) => changed.extend(paths),
                Err(interruption) => {
                    process.stop(STOPPING);
                    return Err(interruption);
                }
            }
        }
    }

    fn migrations(&self) -> Vec<PathBuf> {
        let entries = fs::read_dir(self.migrations_folder()).into_iter().flatten();
        entries.filter_map(|entry| Some(entry.ok()?.path())).collect()
    }

    /// As the watch spells it.
    fn migrations_folder(&self) -> PathBuf {
        let root = self.app.root().canonicalize().unwrap_or_else(|_| self.app.root().to_owned());
        root.join("database/migrations")
    }

    /// Whether the setup wrote this file and nobody has changed it since, or wrote it and took it away again.
    pub(super) fn is_made(&self, path: &Path) -> bool {
        let came_and_went = || {
            let before = self.before_failure.as_ref();
            before.is_some_and(|before| !before.iter().any(|known| known == path))
                && path.starts_with(self.migrations_folder())
                && !path.exists()
        };
        self.made.iter().any(|(made, at)| made == path && *at == stamp(path)) || came_and_went()
    }
}

fn failed(command: &str, detail: &str) -> Interruption {
    let advice = format!(
        "It is tried again after the next build. To go on without it, take its line out of {}.",
        setup::FILE
    );
    let title = format!("Setting up the app failed at `{command}`");
    Interruption::Problem(Problem { title, detail: format!("{detail}\n\n{advice}") })
}

fn no_setup(error: &io::Error) -> Interruption {
    let title = "What the new app needs first is not known".into();
    Interruption::Problem(Problem { title, detail: format!("{}: {error}", setup::FILE) })
}
