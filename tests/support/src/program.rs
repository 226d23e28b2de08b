use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use crate::wait::{DEADLINE, until};

/// How long the last words of a process that has ended are waited for. What it started may hold its streams open for ever.
const LAST_WORDS: Duration = Duration::from_secs(10);

/// A process that ends with the test, whatever becomes of the test. What it prints is read from the start, so that it
/// never waits for a reader.
#[derive(Debug)]
pub struct Program {
    child: Child,
    lines: Mutex<mpsc::Receiver<String>>,
    said: Arc<Mutex<String>>,
    readers: [JoinHandle<()>; 2],
}

impl Program {
    /// Starts it with the input that the command has.
    ///
    /// # Panics
    ///
    /// When it cannot be started.
    #[track_caller]
    pub fn start(command: &mut Command) -> Self {
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap_or_else(|error| panic!("cannot start {command:?}: {error}"));
        let (sender, lines) = mpsc::channel();
        let said = Arc::<Mutex<String>>::default();
        let readers = streams(&mut child).map(|stream| {
            let (sender, said) = (sender.clone(), Arc::clone(&said));
            thread::spawn(move || {
                for line in BufReader::new(stream).lines().map_while(Result::ok) {
                    let mut said = said.lock().unwrap_or_else(PoisonError::into_inner);
                    said.push_str(&line);
                    said.push('\n');
                    drop(said);
                    let _ = sender.send(line);
                }
            })
        });
        Self { child, lines: Mutex::new(lines), said, readers }
    }

    /// Reads on in what it prints, on both streams, until a line contains the text, and gives that line back.
    ///
    /// # Panics
    ///
    /// When it ends or the patience does before it has said so.
    #[track_caller]
    pub fn says(&self, text: &str) -> String {
        let lines = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
        let deadline = Instant::now() + DEADLINE;
        loop {
            let line = lines.recv_timeout(deadline.saturating_duration_since(Instant::now()));
            match line {
                Ok(line) if line.contains(text) => return line,
                Ok(_) => {}
                Err(why) => panic!("it never said `{text}` ({why}). It said:\n{}", self.said()),
            }
        }
    }

    /// Everything it has said so far.
    #[must_use]
    pub fn said(&self) -> String {
        self.said.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Waits until it has ended by itself. Everything that it said has been read then.
    ///
    /// # Panics
    ///
    /// When it does not.
    #[track_caller]
    pub fn ended(&mut self) -> ExitStatus {
        let mut status = None;
        until("the end of the process", || {
            status = self.status();
            status.is_some()
        });
        let deadline = Instant::now() + LAST_WORDS;
        while !self.readers.iter().all(JoinHandle::is_finished) && Instant::now() < deadline {
            thread::sleep(Duration::from_millis(1));
        }
        status.expect("it was waited for")
    }

    /// How it ended, if it has.
    pub fn status(&mut self) -> Option<ExitStatus> {
        self.child.try_wait().ok().flatten()
    }

    /// Closes its input.
    pub fn close_input(&mut self) {
        drop(self.child.stdin.take());
    }

    /// Ends it without asking: nothing of it gets to say a last word.
    pub fn kill(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }

    /// Its number, for signals.
    #[must_use]
    pub fn id(&self) -> u32 {
        self.child.id()
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Runs a program without input to its end.
///
/// # Panics
///
/// When it cannot be started or does not end.
#[track_caller]
pub fn run(command: &mut Command) -> Output {
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap_or_else(|error| panic!("cannot start {command:?}: {error}"));
    let readers = streams(&mut child).map(|mut stream| {
        let (sender, whole) = mpsc::channel();
        thread::spawn(move || {
            let mut bytes = Vec::new();
            let _ = stream.read_to_end(&mut bytes);
            let _ = sender.send(bytes);
        });
        whole
    });
    let mut ending = Ending(child);
    let mut status = None;
    until(&format!("the end of {command:?}"), || {
        status = ending.0.try_wait().ok().flatten();
        status.is_some()
    });
    let [stdout, stderr] = readers.map(|whole| whole.recv_timeout(DEADLINE).unwrap_or_default());
    Output { status: status.expect("it was waited for"), stdout, stderr }
}

struct Ending(Child);

impl Drop for Ending {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// One test of the running test binary, as another process. It is one that only makes sense there, and is marked
/// `#[ignore]` so that a plain run says that it was left out. Its name is the one that a test runner prints, with its modules.
///
/// # Panics
///
/// When the system does not know where this binary is.
#[must_use]
pub fn this_test(name: &str) -> Command {
    let mut command = Command::new(std::env::current_exe().expect("this binary has a path"));
    command.args(["--exact", name, "--ignored", "--nocapture"]).stdin(Stdio::null());
    command
}

fn streams(child: &mut Child) -> [Box<dyn Read + Send>; 2] {
    [
        Box::new(child.stdout.take().expect("the output is piped")),
        Box::new(child.stderr.take().expect("the output is piped")),
    ]
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn shell(script: &str) -> Command {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        command
    }

    #[test]
    fn a_program_ends_with_its_test() {
        let program = Program::start(&mut shell("echo here; exec sleep 1000"));
        program.says("here");
        let id = program.id().to_string();
        drop(program);
        assert!(!run(Command::new("ps").args(["-p", &id])).status.success());
    }

    #[test]
    fn what_is_not_said_fails_and_quotes_what_was() {
        let program = Program::start(&mut shell("echo one; echo two >&2"));
        let panic = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| program.says("three")));
        let message = panic.unwrap_err().downcast_ref::<String>().unwrap().clone();
        assert!(message.contains("`three`") && message.contains("one\n") && message.contains("two\n"));
    }

    #[test]
    fn who_has_ended_has_been_heard_to_the_end() {
        for _ in 0..20 {
            let mut program = Program::start(&mut shell("seq 3000; seq 3000 >&2; echo last"));
            assert!(program.ended().success());
            assert_eq!(program.said().lines().count(), 6001);
        }
    }

    #[test]
    fn both_streams_and_the_status_come_back() {
        let output = run(&mut shell("echo out; echo err >&2; exit 3"));
        assert_eq!((&*output.stdout, &*output.stderr), (&b"out\n"[..], &b"err\n"[..]));
        assert_eq!(output.status.code(), Some(3));
    }
}
