//! A child process with everything it starts: one group, stopped as one, its output passed on line by line.

use std::collections::VecDeque;
use std::io::{self, BufRead, BufReader, Read};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crate::ui;

/// How many of a child's last lines are kept for the page that reports its end.
const KEPT: usize = 60;

/// How long the readers of a child that has ended may take to come to the end of what it wrote. Long, for a machine that
/// is busy compiling: words that come too late are missing on the page that says why the app did not start.
const LAST_WORDS: Duration = Duration::from_secs(3);

type LastLines = Arc<Mutex<VecDeque<String>>>;

#[derive(Debug)]
pub(crate) struct Process {
    child: Child,
    last_lines: LastLines,
    readers: Vec<thread::JoinHandle<()>>,
    /// The system may give the number of a finished group to somebody else, so a group is stopped once.
    is_stopped: bool,
}

impl Process {
    pub(crate) fn start(mut command: Command, label: &'static str) -> io::Result<Self> {
        // A pipe that we never write to: it stays open as long as we live. An app and our plugin for the bundler,
        // told so, watch it and end with it: even when we are killed, nothing stays behind.
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command.env("HOUSEKEY_DEV_PIPE", "1");
        if ui::is_live() {
            // The child sees a pipe and would drop its colours.
            command.env("CLICOLOR_FORCE", "1").env("FORCE_COLOR", "1");
        }
        own_group(&mut command);
        let mut child = command.spawn()?;
        let last_lines = LastLines::default();
        let streams: [Option<Box<dyn Read + Send>>; 2] = [
            child.stdout.take().map(|out| Box::new(out) as _),
            child.stderr.take().map(|err| Box::new(err) as _),
        ];
        let readers = streams
            .into_iter()
            .flatten()
            .map(|stream| {
                let last_lines = Arc::clone(&last_lines);
                thread::spawn(move || pass_on(stream, label, &last_lines))
            })
            .collect();
        Ok(Self { child, last_lines, readers, is_stopped: false })
    }

    /// How a process ended that was not stopped, or `None` while it runs.
    pub(crate) fn ended(&mut self) -> Option<Ending> {
        let status = self.child.try_wait().ok().flatten()?;
        self.stop(Duration::ZERO);
        // Everything it wrote is in the pipes now; a grandchild that still holds them must not hold us up.
        let deadline = Instant::now() + LAST_WORDS;
        while self.readers.iter().any(|reader| !reader.is_finished()) && Instant::now() < deadline {
            thread::sleep(Duration::from_millis(10));
        }
        let lines = self.last_lines.lock().unwrap_or_else(PoisonError::into_inner);
        let text: Vec<&str> = lines.iter().map(String::as_str).collect();
        Some(Ending { status, last_words: text.join("\n") })
    }

    /// Asks the process to stop, and waits for nothing.
    pub(crate) fn ask_to_stop(&self) {
        if !self.is_stopped {
            ask_to_stop(&self.child);
        }
    }

    /// Asks the whole group to stop, and makes it stop when the time is over.
    pub(crate) fn stop(&mut self, grace: Duration) {
        if !self.is_stopped {
            self.is_stopped = true;
            stop_group(&mut self.child, grace);
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.stop(Duration::ZERO);
    }
}

/// The end of a process.
#[derive(Debug)]
pub(crate) struct Ending {
    status: ExitStatus,
    pub(crate) last_words: String,
}

impl Ending {
    pub(crate) fn is_success(&self) -> bool {
        self.status.success()
    }

    /// `exit code 3`, or the signal.
    pub(crate) fn how(&self) -> String {
        self.status.code().map_or_else(|| self.status.to_string(), |code| format!("exit code {code}"))
    }
}

fn pass_on(stream: impl Read, label: &str, last_lines: &LastLines) {
    let mut reader = BufReader::new(stream);
    let mut line = Vec::new();
    // Not `lines()`: a child may print bytes that are no UTF-8, and its output must keep flowing.
    while reader.read_until(b'\n', &mut line).is_ok_and(|read| read > 0) {
        let text = String::from_utf8_lossy(&line).trim_end().to_owned();
        if !text.is_empty() {
            ui::clear_transient();
            ui::from_child(label, &text);
        }
        let mut kept = last_lines.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.len() == KEPT {
            kept.pop_front();
        }
        kept.push_back(text);
        line.clear();
    }
}

#[cfg(unix)]
pub(crate) fn own_group(command: &mut Command) {
    use std::os::unix::process::CommandExt as _;
    // Ctrl-C then reaches only us, and we stop the children in order.
    command.process_group(0);
}

#[cfg(unix)]
fn ask_to_stop(child: &Child) {
    use nix::sys::signal::{Signal, kill};
    use nix::unistd::Pid;

    if let Ok(process) = i32::try_from(child.id()).map(Pid::from_raw) {
        let _ = kill(process, Signal::SIGTERM);
    }
}

#[cfg(unix)]
pub(crate) fn stop_group(child: &mut Child, grace: Duration) {
    use nix::sys::signal::{Signal, killpg};
    use nix::unistd::Pid;

    let Ok(group) = i32::try_from(child.id()).map(Pid::from_raw) else { return };
    let deadline = Instant::now() + grace;
    let _ = killpg(group, Signal::SIGTERM);
    // The group outlives its leader when a grandchild is slow, so both are waited for.
    while Instant::now() < deadline {
        let _ = child.try_wait();
        if killpg(group, None).is_err() {
            return;
        }
        thread::sleep(Duration::from_millis(10));
    }
    let _ = killpg(group, Signal::SIGKILL);
    let _ = child.wait();
}

/// There is no such request there; a worker that is ended leaves its jobs to the next one.
#[cfg(not(unix))]
fn ask_to_stop(_child: &Child) {}

#[cfg(not(unix))]
pub(crate) fn own_group(_command: &mut Command) {}

#[cfg(not(unix))]
pub(crate) fn stop_group(child: &mut Child, _grace: Duration) {
    // `npm` starts a shell that starts the bundler; taskkill ends the tree, `kill` only its root.
    let _ = Command::new("taskkill").args(["/T", "/F", "/PID", &child.id().to_string()]).output();
    let _ = child.kill();
    let _ = child.wait();
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use housekey_test_support::until;

    use super::*;

    fn shell(script: &str) -> Process {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        Process::start(command, "test").unwrap()
    }

    fn alive(pid: &str) -> bool {
        // A killed process that nobody has reaped yet is a zombie, not alive.
        let output = Command::new("ps").args(["-o", "stat=", "-p", pid]).output().unwrap();
        let state = String::from_utf8_lossy(&output.stdout).trim().to_owned();
        !state.is_empty() && !state.starts_with('Z')
    }

    #[test]
    fn the_last_words_of_a_process_are_kept() {
        let mut process = shell("echo one; echo two >&2; exit 3");
        let mut ending = None;
        until("the end of the process", || {
            ending = process.ended();
            ending.is_some()
        });
        let ending = ending.unwrap();
        assert!(ending.last_words.contains("one") && ending.last_words.contains("two"), "{ending:?}");
        assert!(!ending.is_success() && ending.how() == "exit code 3");
    }

    #[test]
    fn stopping_ends_grandchildren_that_ignore_the_request() {
        let folder = tempfile::tempdir().unwrap();
        let pid_file = folder.path().join("pid");
        let mut process = shell(&format!(
            "trap '' TERM; sh -c 'trap \"\" TERM; echo $$ > {0}; while :; do sleep 1; done' & wait",
            pid_file.display()
        ));
        let mut grandchild = String::new();
        until("the grandchild's number", || {
            grandchild = std::fs::read_to_string(&pid_file).unwrap_or_default();
            grandchild.ends_with('\n')
        });
        let grandchild = grandchild.trim();
        assert!(alive(grandchild));

        process.stop(Duration::from_millis(50));

        until("its end", || !alive(grandchild));
    }
}
