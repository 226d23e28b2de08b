//! Running other programs: to their end with their output shown, or in the background until dropped.

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// No single program of the suite needs longer; one that does hangs.
const LIMIT: Duration = Duration::from_mins(60);

/// How long a program may take to stop after it was asked to.
const GRACE: Duration = Duration::from_secs(10);

/// What a program printed, and whether it was content.
pub(crate) struct Finished {
    pub(crate) success: bool,
    pub(crate) output: String,
}

/// Runs a program to its end. What it prints is shown as it comes, and kept.
pub(crate) fn run(command: &mut Command) -> Result<Finished, String> {
    start(command, Show::Always)
}

/// The same, but only a failure is shown.
pub(crate) fn run_quietly(command: &mut Command) -> Result<Finished, String> {
    start(command, Show::OnFailure)
}

/// What a program prints to its standard output; an error when it fails.
pub(crate) fn read(command: &mut Command) -> Result<String, String> {
    let output = command.stdin(Stdio::null()).output().map_err(|error| cannot_start(command, &error))?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    Err(format!("{} failed:\n{}", describe(command), String::from_utf8_lossy(&output.stderr).trim_end()))
}

#[derive(Clone, Copy, PartialEq)]
enum Show {
    Always,
    OnFailure,
}

fn start(command: &mut Command, show: Show) -> Result<Finished, String> {
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| cannot_start(command, &error))?;
    let kept = Arc::new(Mutex::new(Vec::new()));
    let readers = [
        child.stdout.take().map(|pipe| tee(pipe, show, Arc::clone(&kept))),
        child.stderr.take().map(|pipe| tee(pipe, show, Arc::clone(&kept))),
    ];
    let status = wait(&mut child, LIMIT);
    for reader in readers.into_iter().flatten() {
        // A grandchild that outlives its parent may hold the pipe open; its words are not waited for.
        let until = Instant::now() + GRACE;
        while !reader.is_finished() && Instant::now() < until {
            thread::sleep(Duration::from_millis(5));
        }
    }
    let bytes = kept.lock().unwrap_or_else(PoisonError::into_inner).clone();
    let output = String::from_utf8_lossy(&bytes).into_owned();
    let Some(status) = status else {
        return Err(format!("{} did not end within {} minutes", describe(command), LIMIT.as_secs() / 60));
    };
    if show == Show::OnFailure && !status.success() {
        let _ = io::stdout().lock().write_all(&bytes);
    }
    Ok(Finished { success: status.success(), output })
}

fn tee(
    mut pipe: impl Read + Send + 'static,
    show: Show,
    kept: Arc<Mutex<Vec<u8>>>,
) -> thread::JoinHandle<()> {
    thread::spawn(move || {
        let mut chunk = [0; 8192];
        while let Ok(length @ 1..) = pipe.read(&mut chunk) {
            if show == Show::Always {
                let mut stdout = io::stdout().lock();
                let _ = stdout.write_all(&chunk[..length]).and_then(|()| stdout.flush());
            }
            kept.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(&chunk[..length]);
        }
    })
}

/// Waits for the end, or stops the program when `limit` has passed.
fn wait(child: &mut Child, limit: Duration) -> Option<ExitStatus> {
    let until = Instant::now() + limit;
    loop {
        match child.try_wait() {
            Ok(Some(status)) => return Some(status),
            Ok(None) if Instant::now() < until => thread::sleep(Duration::from_millis(10)),
            _ => {
                stop(child);
                return None;
            }
        }
    }
}

/// Asks to stop, waits, and insists.
fn stop(child: &mut Child) -> bool {
    let asked = Command::new("kill").args(["-TERM", &child.id().to_string()]).status();
    let until = Instant::now() + GRACE;
    while asked.is_ok() && Instant::now() < until {
        if let Ok(Some(_)) = child.try_wait() {
            return true;
        }
        thread::sleep(Duration::from_millis(10));
    }
    let _ = child.kill();
    let _ = child.wait();
    false
}

/// A program in the background, with its output in a file. Stopped when dropped.
pub(crate) struct Background {
    child: Child,
    log: PathBuf,
    /// Held open for a program that ends with its input.
    _input: Option<ChildStdin>,
}

impl Background {
    pub(crate) fn start(command: &mut Command, log: &Path) -> Result<Self, String> {
        Self::spawn(command.stdin(Stdio::null()), log)
    }

    /// The same for a program that reads one line, and serves until its input closes.
    pub(crate) fn start_telling(command: &mut Command, log: &Path, line: &str) -> Result<Self, String> {
        let mut program = Self::spawn(command.stdin(Stdio::piped()), log)?;
        let mut input = program.child.stdin.take();
        let told = input.as_mut().map(|input| writeln!(input, "{line}"));
        if !matches!(told, Some(Ok(()))) {
            program.still_running()?;
        }
        program._input = input;
        Ok(program)
    }

    fn spawn(command: &mut Command, log: &Path) -> Result<Self, String> {
        let open = || -> io::Result<(File, File)> {
            let file = File::create(log)?;
            Ok((file.try_clone()?, file))
        };
        let (out, err) = open().map_err(|error| format!("cannot write {}: {error}", log.display()))?;
        let child = command.stdout(out).stderr(err).spawn().map_err(|error| cannot_start(command, &error))?;
        Ok(Self { child, log: log.to_owned(), _input: None })
    }

    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    pub(crate) fn output(&self) -> String {
        std::fs::read(&self.log).map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).unwrap_or_default()
    }

    /// An error with the program's own words when it has already ended.
    pub(crate) fn still_running(&mut self) -> Result<(), String> {
        match self.child.try_wait() {
            Ok(None) => Ok(()),
            _ => Err(format!("the program ended early. It said:\n{}", self.output().trim_end())),
        }
    }

    /// Stops it; false when it had to be killed.
    pub(crate) fn stop(mut self) -> bool {
        stop(&mut self.child)
    }
}

impl Drop for Background {
    fn drop(&mut self) {
        if let Ok(None) = self.child.try_wait() {
            stop(&mut self.child);
        }
    }
}

/// Where a program of that name is, as the shell would find it.
pub(crate) fn which(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(name)).find(|file| file.is_file())
}

/// The command as a person would type it.
pub(crate) fn describe(command: &Command) -> String {
    let program = Path::new(command.get_program()).file_name().unwrap_or(command.get_program());
    let words = std::iter::once(program).chain(command.get_args());
    words.map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ")
}

fn cannot_start(command: &Command, error: &io::Error) -> String {
    format!("cannot start {}: {error}", command.get_program().to_string_lossy())
}

#[cfg(test)]
mod tests {
    use housekey_test_support::until;

    use super::*;

    #[test]
    fn what_a_program_prints_is_kept_and_its_failure_known() {
        let mut command = Command::new("sh");
        let finished = run_quietly(command.args(["-c", "echo out; echo err >&2; exit 3"])).unwrap();
        assert!(!finished.success);
        assert!(finished.output.contains("out") && finished.output.contains("err"));
    }

    #[test]
    fn a_program_that_does_not_exist_is_named() {
        let error = read(&mut Command::new("no-such-program-here")).unwrap_err();
        assert!(error.contains("no-such-program-here"), "{error}");
    }

    #[test]
    fn a_background_program_stops_when_asked() {
        let folder = tempfile::tempdir().unwrap();
        let mut command = Command::new("sleep");
        let mut program = Background::start(command.arg("600"), &folder.path().join("log")).unwrap();
        program.still_running().unwrap();
        assert!(program.stop());
    }

    #[test]
    fn a_program_hears_its_line_and_ends_with_its_input() {
        let folder = tempfile::tempdir().unwrap();
        let mut command = Command::new("sh");
        command.args(["-c", "read line; echo heard $line; cat"]);
        let mut program =
            Background::start_telling(&mut command, &folder.path().join("log"), "this").unwrap();
        until("its answer", || {
            program.still_running().unwrap();
            program.output().contains("heard this\n")
        });
        drop(program._input.take());
        assert!(program.child.wait().unwrap().success());
    }

    #[test]
    fn a_program_that_ended_early_is_quoted() {
        let folder = tempfile::tempdir().unwrap();
        let mut command = Command::new("sh");
        let mut program =
            Background::start(command.args(["-c", "echo the port is taken"]), &folder.path().join("log"))
                .unwrap();
        program.child.wait().unwrap();
        assert!(program.still_running().unwrap_err().contains("the port is taken"));
    }
}
