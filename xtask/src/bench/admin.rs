//! `cargo xtask bench admin`: the list of users at a million of them, on PostgreSQL and SQLite, with the plans of both.

use crate::process;
use crate::provision::{self, MARIADB, POSTGRES, REDIS};
use crate::services::Services;
use crate::ui;
use crate::workspace::Workspace;

/// What we promise for a page far behind, a sorted one and a search by how an address begins, in milliseconds.
const BAR: f64 = 50.0;

/// What no plain index can answer: it is measured and shown, and not promised.
const NOT_PROMISED: [&str; 3] =
    ["addresses with this in them", "addresses with what none has", "how many there are"];

/// How many users.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// Users in the database
    #[arg(long, default_value_t = 1_000_000, value_parser = clap::value_parser!(u32).range(1000..=10_000_000))]
    users: u32,
}

pub(crate) fn measure(workspace: &Workspace, options: &Options) -> Result<(), String> {
    provision::provide(&[&POSTGRES, &MARIADB, &REDIS])?;
    ui::heading("build");
    let example = ["--release", "--package", "housekey-engine-sql", "--example", "admin_list"];
    if !process::run(workspace.cargo(&["build"]).args(example))?.success {
        return Err("the measurement does not build; see above".into());
    }
    ui::heading("start the servers");
    let services = Services::start()?;
    let mut asking = workspace.cargo(&["run", "--quiet"]);
    asking.args(example).args(["--", &options.users.to_string()]).envs(services.variables());
    let output = process::read(&mut asking)?;
    for line in output.lines().filter(|line| !line.starts_with(['=', 'm'])) {
        ui::line(format_args!("{line}"));
    }
    let answers =
        parse(&output).ok_or_else(|| format!("the measurement says nothing readable:\n{output}"))?;
    show(&answers);
    Ok(())
}

/// What one question took, in milliseconds: the best round and the middle one.
#[derive(Debug, PartialEq)]
struct Answer {
    engine: String,
    question: String,
    best: f64,
    middle: f64,
}

fn parse(output: &str) -> Option<Vec<Answer>> {
    let answer = |line: &str| {
        let cells: Vec<_> = line.split('\t').collect();
        let [_, engine, question, best, middle] = cells[..] else { return None };
        let (best, middle) = (best.parse().ok()?, middle.parse().ok()?);
        Some(Answer { engine: engine.to_owned(), question: question.to_owned(), best, middle })
    };
    let lines = output.lines().filter(|line| line.starts_with('='));
    lines.map(answer).collect::<Option<Vec<_>>>().filter(|answers| !answers.is_empty())
}

fn show(answers: &[Answer]) {
    ui::heading("milliseconds, from the process to the database and back");
    let mut rows = vec![["", "", "best", "middle", "bar"].map(str::to_owned).to_vec()];
    for Answer { engine, question, best, middle } in answers {
        let word = match NOT_PROMISED.contains(&question.as_str()) {
            true => "not promised".to_owned(),
            false if *middle <= BAR => ui::green("met"),
            false => ui::red("missed"),
        };
        rows.push(vec![engine.clone(), question.clone(), format!("{best:.1}"), format!("{middle:.1}"), word]);
    }
    ui::line(ui::table(&rows, |index, row| if index == 0 { ui::bold(&row) } else { row }));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_per_question_is_read() {
        let answers = parse("SQLite: page 500\n  | SCAN\n=\tSQLite\tpage 500\t1.50\t2.25\n").unwrap();
        let expected =
            Answer { engine: "SQLite".into(), question: "page 500".into(), best: 1.5, middle: 2.25 };
        assert_eq!(answers, [expected]);
        assert_eq!(parse("nothing\n"), None);
        assert_eq!(parse("=\tSQLite\tpage 500\tfast\n"), None);
    }
}
