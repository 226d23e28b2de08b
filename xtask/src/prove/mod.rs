//! `cargo xtask prove`: what no test of seconds can show. Processes are killed for minutes, files are larger than memory.

mod dice;
mod fleet;
mod kills;
mod psql;
mod tally;
mod uploads;

use std::path::PathBuf;
use std::process::Command;

use crate::workspace::{Workspace, program};
use crate::{process, ui};

/// What to prove.
#[derive(clap::Subcommand)]
pub(crate) enum Prove {
    /// Kill the processes of an app at random: nothing committed is lost, nothing that is marked once happens twice
    Kills(kills::Options),
    /// Send a film of 2 GiB to S3 and fetch it back, through an app that stays small
    Uploads(uploads::Options),
}

pub(crate) fn run(workspace: &Workspace, prove: &Prove) -> Result<(), String> {
    match prove {
        Prove::Kills(options) => kills::prove(workspace, options),
        Prove::Uploads(options) => uploads::prove(workspace, options),
    }
}

/// Builds the app of the proofs for release; gives the folder that it is in.
fn build(workspace: &Workspace) -> Result<PathBuf, String> {
    ui::heading("build");
    let mut command = workspace.cargo(&["build", "--release", "--package", "housekey-proofs"]);
    if !process::run(&mut command)?.success {
        return Err("the app of the proofs does not build; see above".into());
    }
    Ok(workspace.target().join("release"))
}

/// A command of the app, in a folder of its own and as it would run on a server.
fn app(binaries: &std::path::Path, folder: &std::path::Path, database: &str) -> Command {
    let mut command = program(binaries.join("housekey-proofs"));
    command.current_dir(folder).env("APP_ENV", "production").env("APP_KEY", KEY);
    command.env("DATABASE_URL", database).env("LOG_LEVEL", "info");
    command
}

/// Any key will do: nothing of this outlives the proof.
const KEY: &str = "base64:AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";

/// A line of the account: what was counted, and what it has to be.
struct Finding {
    what: String,
    count: u64,
    must: Must,
}

#[derive(Clone, Copy)]
enum Must {
    Be(u64),
    /// Said, and not judged.
    Anything,
}

impl Finding {
    fn is_wrong(&self) -> bool {
        matches!(self.must, Must::Be(expected) if expected != self.count)
    }
}

/// Prints the account. An error names what is wrong in it.
fn account(findings: &[Finding]) -> Result<(), String> {
    let mut rows = vec![["", "counted", "must be", ""].map(String::from).to_vec()];
    rows.extend(findings.iter().map(|finding| {
        let (must, word) = match finding.must {
            Must::Be(expected) if finding.is_wrong() => (expected.to_string(), ui::red("wrong")),
            Must::Be(expected) => (expected.to_string(), ui::green("right")),
            Must::Anything => (String::new(), String::new()),
        };
        vec![finding.what.clone(), finding.count.to_string(), must, word]
    }));
    ui::line(ui::table(&rows, |index, row| if index == 0 { ui::bold(&row) } else { row }));
    let wrong: Vec<&str> =
        findings.iter().filter(|finding| finding.is_wrong()).map(|finding| finding.what.as_str()).collect();
    if wrong.is_empty() { Ok(()) } else { Err(format!("not proven: {}", wrong.join("; "))) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrong_count_is_named() {
        let finding = |what: &str, count, must| Finding { what: what.into(), count, must };
        assert!(account(&[finding("lost", 0, Must::Be(0)), finding("kills", 7, Must::Anything)]).is_ok());
        let wrong = account(&[finding("lost", 1, Must::Be(0)), finding("twice", 0, Must::Be(0))]);
        assert_eq!(wrong.unwrap_err(), "not proven: lost");
    }
}
