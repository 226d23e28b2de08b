//! Steps as they happen, and the table at the end.

use std::process::ExitCode;
use std::time::{Duration, Instant};

use crate::count::{Count, plain};
use crate::process::Finished;
use crate::ui;

/// How many of the last lines of a failed program are said again at the end: where runners name what failed and why.
const LAST_LINES: usize = 80;

/// Why a step failed, how many tests it had run by then, and the last that its program said.
#[derive(Debug)]
pub(crate) struct Failure {
    why: String,
    count: Count,
    last_words: String,
}

impl From<String> for Failure {
    fn from(why: String) -> Self {
        Self { why, count: Count { passed: 0, failed: 1 }, last_words: String::new() }
    }
}

impl From<&str> for Failure {
    fn from(why: &str) -> Self {
        why.to_owned().into()
    }
}

impl Failure {
    pub(crate) fn why(&self) -> &str {
        &self.why
    }

    /// Judges a program that runs tests. One that fails without a failed test still counts as one failure.
    pub(crate) fn unless_green(finished: &Finished, what: &str) -> Result<Count, Self> {
        let mut count = Count::read(&finished.output);
        if finished.success && count.failed == 0 {
            return Ok(count);
        }
        count.failed = count.failed.max(1);
        Err(Self {
            why: format!("{what} failed; see above"),
            count,
            last_words: last_lines(&finished.output),
        })
    }
}

/// The steps taken so far.
#[derive(Default)]
pub(crate) struct Progress {
    rows: Vec<Row>,
}

struct Row {
    name: String,
    took: Duration,
    count: Count,
    /// Why it failed, with the last words of its program.
    failed: Option<String>,
}

impl Progress {
    /// Takes a step that counts tests.
    pub(crate) fn step(&mut self, name: &str, action: impl FnOnce() -> Result<Count, Failure>) -> bool {
        self.step_with(name, || action().map(|count| ((), count))).is_some()
    }

    /// Takes a step that later steps build on. `None` when it failed.
    pub(crate) fn step_with<T>(
        &mut self,
        name: &str,
        action: impl FnOnce() -> Result<(T, Count), Failure>,
    ) -> Option<T> {
        ui::heading(name);
        let begun = Instant::now();
        let outcome = action();
        self.keep(name, outcome, begun.elapsed())
    }

    /// Takes note of a step that was taken beside the others.
    pub(crate) fn note(&mut self, name: &str, outcome: Result<Count, Failure>, took: Duration) {
        ui::heading(name);
        self.keep(name, outcome.map(|count| ((), count)), took);
    }

    fn keep<T>(&mut self, name: &str, outcome: Result<(T, Count), Failure>, took: Duration) -> Option<T> {
        let (value, count, failed) = match outcome {
            Ok((value, count)) => (Some(value), count, None),
            Err(failure) => {
                ui::error(&failure.why);
                (None, failure.count, Some(format!("{}\n{}", failure.why, failure.last_words)))
            }
        };
        let word = if failed.is_some() { ui::red("failed") } else { ui::green("passed") };
        ui::note(format_args!("{name}: {word} after {}", seconds(took)));
        self.rows.push(Row { name: name.to_owned(), took, count, failed });
        value
    }

    /// Whether a step has failed so far.
    pub(crate) fn has_failed(&self) -> bool {
        self.rows.iter().any(|row| row.failed.is_some())
    }

    /// Prints again what failed, the table, and last the one line that says it all. Who sees only the end of a long
    /// run sees what broke it.
    pub(crate) fn close(self) -> ExitCode {
        for row in &self.rows {
            if let Some(said) = &row.failed {
                ui::heading(&format!("what failed: {}", row.name));
                ui::line(said.trim_end());
            }
        }
        let mut total = Count::default();
        let mut took = Duration::ZERO;
        let mut cells = vec![["step", "result", "tests", "time"].map(String::from).to_vec()];
        for row in &self.rows {
            total += row.count;
            took += row.took;
            let result = if row.failed.is_some() { "FAILED" } else { "passed" };
            let tests = row.count.passed + row.count.failed;
            cells.push(vec![row.name.clone(), result.into(), tests.to_string(), seconds(row.took)]);
        }
        cells.push(vec![
            "all".into(),
            String::new(),
            (total.passed + total.failed).to_string(),
            seconds(took),
        ]);
        ui::heading("summary");
        let paint = |index: usize, text: String| match self.rows.get(index.wrapping_sub(1)) {
            Some(row) if row.failed.is_some() => ui::red(&text),
            Some(_) => text,
            None => ui::bold(&text),
        };
        ui::line(ui::table(&cells, paint));
        ui::line(format_args!("{} passed, {} failed", total.passed, total.failed));
        let green = total.failed == 0 && !self.has_failed();
        if green { ExitCode::SUCCESS } else { ExitCode::FAILURE }
    }
}

fn last_lines(output: &str) -> String {
    let text = plain(output);
    let lines: Vec<&str> = text.lines().collect();
    lines[lines.len().saturating_sub(LAST_LINES)..].join("\n")
}

fn seconds(time: Duration) -> String {
    format!("{:.1} s", time.as_secs_f64())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_runner_that_breaks_without_a_failed_test_is_a_failure() {
        let broken = Finished { success: false, output: "error: could not compile".into() };
        assert_eq!(Failure::unless_green(&broken, "x").unwrap_err().count, Count { passed: 0, failed: 1 });
        let lying = Finished { success: true, output: "test result: FAILED. 1 passed; 1 failed".into() };
        assert!(Failure::unless_green(&lying, "x").is_err());
    }

    #[test]
    fn a_failed_program_is_quoted_by_its_last_lines() {
        let output = (0..200).map(|line| format!("line {line}\n")).collect();
        let broken = Finished { success: false, output };
        let said = Failure::unless_green(&broken, "x").unwrap_err().last_words;
        assert!(said.starts_with("line 120\n") && said.ends_with("line 199"), "{said}");
    }
}
