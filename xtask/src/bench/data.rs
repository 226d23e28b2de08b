//! `cargo xtask bench data`: a read by key through our layer beside bare sqlx, on all three engines, in one run.

use crate::process;
use crate::provision::{self, MARIADB, POSTGRES, REDIS};
use crate::services::Services;
use crate::ui;
use crate::workspace::Workspace;

/// What we promise: at most this many times what bare sqlx takes.
const BAR: f64 = 1.3;

const READERS: [&str; 3] = ["bare sqlx", "Model::find", "Query::first"];

pub(crate) fn measure(workspace: &Workspace) -> Result<(), String> {
    provision::provide(&[&POSTGRES, &MARIADB, &REDIS])?;
    ui::heading("build");
    let example = ["--release", "--package", "housekey-database", "--example", "point_read"];
    if !process::run(workspace.cargo(&["build"]).args(example))?.success {
        return Err("the measurement does not build; see above".into());
    }
    ui::heading("start the servers");
    let services = Services::start()?;
    let mut reading = workspace.cargo(&["run", "--quiet"]);
    reading.args(example).envs(services.variables());
    let output = process::read(&mut reading)?;
    let engines =
        parse(&output).ok_or_else(|| format!("the measurement says nothing readable:\n{output}"))?;

    show("µs by the clock: the best of many short rounds, turn about", &engines, |engine| engine.clock);
    show("µs of processor time, which a busy machine does not change as much", &engines, |engine| {
        engine.processor
    });
    let worst = engines.iter().flat_map(|engine| ratios(engine.clock)).fold(0.0, f64::max);
    let word = if worst <= BAR { ui::green("met") } else { ui::red("missed") };
    ui::line(format_args!("  the bar is {BAR:.2}× the time of bare sqlx: {word}, at most {worst:.2}×"));
    Ok(())
}

/// What each reader took for one read by key, in microseconds.
type Micros = [f64; READERS.len()];

#[derive(Debug, PartialEq)]
struct Engine {
    name: String,
    clock: Micros,
    processor: Micros,
}

/// Reads a line per engine: its name and six numbers, with tabs between them.
fn parse(output: &str) -> Option<Vec<Engine>> {
    let engine = |line: &str| {
        let (name, numbers) = line.split_once('\t')?;
        let numbers: Vec<f64> = numbers.split('\t').map(|cell| cell.parse().ok()).collect::<Option<_>>()?;
        let (clock, processor) = numbers.split_at_checked(READERS.len())?;
        Some(Engine {
            name: name.to_owned(),
            clock: clock.try_into().ok()?,
            processor: processor.try_into().ok()?,
        })
    };
    output.lines().map(engine).collect::<Option<Vec<_>>>().filter(|engines| !engines.is_empty())
}

fn show(title: &str, engines: &[Engine], micros: impl Fn(&Engine) -> Micros) {
    ui::heading(title);
    let mut rows = vec![vec![String::new(), READERS[0].to_owned()]];
    for reader in &READERS[1..] {
        rows[0].extend([(*reader).to_owned(), "ratio".to_owned()]);
    }
    rows.extend(engines.iter().map(|engine| row(&engine.name, micros(engine))));
    ui::line(ui::table(&rows, |index, row| if index == 0 { ui::bold(&row) } else { row }));
}

fn row(name: &str, micros: Micros) -> Vec<String> {
    let mut row = vec![name.to_owned(), format!("{:.2}", micros[0])];
    for (micros, ratio) in micros[1..].iter().zip(ratios(micros)) {
        row.extend([format!("{micros:.2}"), format!("{ratio:.2}×")]);
    }
    row
}

/// Ours against bare sqlx.
fn ratios([bare, ours @ ..]: Micros) -> impl Iterator<Item = f64> {
    ours.into_iter().map(move |micros| micros / bare)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_per_engine_is_read_and_ours_is_set_against_bare_sqlx() {
        let engines = parse("SQLite\t10.0\t11.0\t12.5\t20\t21\t22\nMySQL\t100\t101\t102\t1\t2\t3\n").unwrap();
        assert_eq!(engines.len(), 2);
        assert_eq!(engines[1].processor, [1.0, 2.0, 3.0]);
        assert_eq!(ratios(engines[0].clock).collect::<Vec<_>>(), [1.1, 1.25]);
        assert_eq!(row("SQLite", engines[0].clock), ["SQLite", "10.00", "11.00", "1.10×", "12.50", "1.25×"]);
    }

    #[test]
    fn what_cannot_be_read_is_no_measurement() {
        for output in ["", "thread main panicked", "SQLite\t1\t2\t3\t4\t5\n", "SQLite\t1\t2\t3\t4\t5\tfast\n"]
        {
            assert_eq!(parse(output), None, "{output}");
        }
    }
}
