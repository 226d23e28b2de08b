//! One `cargo build` and what it tells while it runs.

use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use serde_json::Value;

use super::process;
use super::state::{DevState, Problem};
use crate::app::App;
use crate::artifact::Program;
use crate::{programs, ui};

pub(crate) struct Build {
    child: Child,
    findings: Arc<Mutex<Findings>>,
    readers: Vec<JoinHandle<()>>,
}

/// What the build has found so far.
#[derive(Debug, Default)]
struct Findings {
    errors: Vec<String>,
    /// cargo's own lines: the reason when it fails before any compiler runs.
    said: Vec<String>,
    program: Program,
}

impl Build {
    pub(crate) fn start(app: &App, state: &Arc<DevState>) -> io::Result<Self> {
        let mut command = programs::cargo(app.root());
        command
            .args(["build", "--message-format=json-diagnostic-rendered-ansi"])
            // cargo knows how much there is to do, but tells it only through the progress bar. Asking for the bar
            // is documented (`term.progress`); its numbers are taken if they can be read and missed if not.
            .env("CARGO_TERM_PROGRESS_WHEN", "always")
            .env("CARGO_TERM_PROGRESS_WIDTH", "160")
            .env("CARGO_TERM_COLOR", "never")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        process::own_group(&mut command);
        let mut child = command.spawn()?;

        let findings = Arc::new(Mutex::new(Findings::default()));
        let mut readers = Vec::new();
        if let Some(messages) = child.stdout.take() {
            let (findings, manifest) = (Arc::clone(&findings), app.path("Cargo.toml"));
            readers.push(thread::spawn(move || {
                for line in BufReader::new(messages).lines().map_while(Result::ok) {
                    if let Ok(message) = serde_json::from_str::<Value>(&line) {
                        note_message(&message, &manifest, &findings);
                    }
                }
            }));
        }
        if let Some(chatter) = child.stderr.take() {
            let (findings, state) = (Arc::clone(&findings), Arc::clone(state));
            readers.push(thread::spawn(move || listen(chatter, &state, &findings)));
        }
        Ok(Self { child, findings, readers })
    }

    /// The outcome, once there is one: the app's program, or why there is none.
    pub(crate) fn poll(&mut self) -> Option<Result<PathBuf, Problem>> {
        let status = self.child.try_wait().ok().flatten()?;
        for reader in self.readers.drain(..) {
            let _ = reader.join();
        }
        ui::clear_transient();
        let findings = self.findings.lock().unwrap_or_else(PoisonError::into_inner);
        Some(match (findings.program.path(), status.success()) {
            (Some(executable), true) => Ok(executable.to_owned()),
            (None, true) => Err(Problem {
                title: "There is no program to run".into(),
                detail: "cargo built the package, but it has no binary. Is there a src/main.rs?".into(),
            }),
            (_, false) => Err(findings.problem()),
        })
    }

    /// Ends a build whose result nobody wants any more. cargo may be stopped at any point.
    pub(crate) fn cancel(mut self) {
        process::stop_group(&mut self.child, Duration::from_secs(2));
    }
}

impl Drop for Build {
    fn drop(&mut self) {
        if matches!(self.child.try_wait(), Ok(None)) {
            process::stop_group(&mut self.child, Duration::ZERO);
        }
    }
}

impl Findings {
    fn problem(&self) -> Problem {
        match self.errors.len() {
            0 => Problem { title: "cargo could not build the app".into(), detail: self.said.join("\n") },
            _ => Problem { title: "The app does not compile".into(), detail: self.errors.join("\n\n") },
        }
    }
}

fn note_message(message: &Value, manifest: &Path, findings: &Mutex<Findings>) {
    let mut findings = findings.lock().unwrap_or_else(PoisonError::into_inner);
    match message["reason"].as_str() {
        Some("compiler-message") => {
            let Some(rendered) = message["message"]["rendered"].as_str() else { return };
            ui::clear_transient();
            ui::foreign(rendered);
            // "aborting due to 2 previous errors" has no place in the code and nothing to say.
            let has_place = message["message"]["spans"].as_array().is_some_and(|spans| !spans.is_empty());
            if message["message"]["level"] == "error" && (has_place || findings.errors.is_empty()) {
                findings.errors.push(rendered.trim_end().to_owned());
            }
        }
        _ => findings.program.note(message, manifest),
    }
}

/// Reads cargo's error stream, where progress lines end with a carriage return and messages with a line feed.
fn listen(stream: impl Read, state: &DevState, findings: &Mutex<Findings>) {
    let mut line = Vec::new();
    for byte in BufReader::new(stream).bytes().map_while(Result::ok) {
        if byte != b'\r' && byte != b'\n' {
            line.push(byte);
            continue;
        }
        let text = String::from_utf8_lossy(&line).trim().to_owned();
        line.clear();
        if text.is_empty() {
            continue;
        }
        if let Some((done, total, names)) = progress(&text) {
            state.progress(|progress| {
                (progress.done, progress.total) = (done, total);
                if !names.is_empty() {
                    progress.current = format!("Compiling {names}");
                }
            });
            if ui::is_live() {
                ui::transient(&format!("{:>12} {done}/{total} {}", "Building", shortened(&names, 50)));
            }
        } else {
            if !ui::is_live() {
                ui::note(&text);
            }
            findings.lock().unwrap_or_else(PoisonError::into_inner).said.push(text.clone());
            state.progress(|progress| progress.current = text);
        }
    }
}

/// `Building [====>   ] 12/204: serde, tokio(build)...`
fn progress(line: &str) -> Option<(u32, u32, String)> {
    let (_, after) = line.strip_prefix("Building [")?.split_once("] ")?;
    let (numbers, names) = after.split_once(':').unwrap_or((after, ""));
    let (done, total) = numbers.trim().split_once('/')?;
    Some((done.parse().ok()?, total.parse().ok()?, names.trim().to_owned()))
}

fn shortened(text: &str, length: usize) -> String {
    if text.chars().count() <= length {
        text.to_owned()
    } else {
        text.chars().take(length).chain(['…']).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn progress_is_read_from_the_bar() {
        assert_eq!(
            progress("Building [=====>    ] 12/204: serde, tokio(build)..."),
            Some((12, 204, "serde, tokio(build)...".to_owned()))
        );
        assert_eq!(progress("Building [=>] 3/4"), Some((3, 4, String::new())));
        assert_eq!(progress("Compiling serde v1.0.0"), None);
        assert_eq!(progress("Building [] x/y: z"), None);
    }

    #[test]
    fn errors_are_kept_and_the_closing_line_is_not() {
        let findings = Mutex::new(Findings::default());
        let error = |text: &str, spans: Value| json!({ "reason": "compiler-message", "message": { "level": "error", "rendered": text, "spans": spans } });
        let manifest = Path::new("/app/Cargo.toml");
        note_message(&error("error: expected `;`", json!([{}])), manifest, &findings);
        note_message(&error("error: aborting due to 1 previous error", json!([])), manifest, &findings);

        let problem = findings.into_inner().unwrap().problem();

        assert_eq!(problem.title, "The app does not compile");
        assert_eq!(problem.detail, "error: expected `;`");
    }

    #[test]
    fn a_failure_before_any_compiler_ran_is_told_in_cargos_words() {
        let findings = Findings { said: vec!["error: no matching package".into()], ..Findings::default() };
        assert_eq!(findings.problem().detail, "error: no matching package");
    }
}
