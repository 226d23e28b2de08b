//! `cargo xtask bench data`: our layer beside what is below it and beside its like, on all three engines, in one run.
//!
//! First a read by key beside bare sqlx. Then a page of 100 books with their tags and last loans, beside SQL written by hand
//! over sqlx and beside SeaORM 2, which a package of its own brings (`benches/relations`).

use crate::process;
use crate::provision::{self, MARIADB, POSTGRES, REDIS};
use crate::services::Services;
use crate::ui;
use crate::workspace::{Workspace, program};

/// What we promise: at most this many times what bare sqlx takes.
const BAR: f64 = 1.3;

const READERS: [&str; 3] = ["bare sqlx", "Model::find", "Query::first"];
const LOADERS: [&str; 3] = ["SQL by hand", "our models", "SeaORM 2"];

pub(crate) fn measure(workspace: &Workspace) -> Result<(), String> {
    provision::provide(&[&POSTGRES, &MARIADB, &REDIS])?;
    ui::heading("build");
    let example = ["--release", "--package", "housekey-database", "--example", "point_read"];
    let package = ["--release", "--locked", "--manifest-path", "benches/relations/Cargo.toml"];
    for what in [&example[..], &package] {
        let mut build = workspace.cargo(&["build"]);
        if !process::run(build.args(what).env("CARGO_TARGET_DIR", workspace.target()))?.success {
            return Err("the measurement does not build; see above".into());
        }
    }
    ui::heading("start the servers");
    let services = Services::start()?;
    points(workspace, &services, &example)?;
    relations(workspace, &services)
}

/// A read by key.
fn points(workspace: &Workspace, services: &Services, example: &[&str]) -> Result<(), String> {
    let mut reading = workspace.cargo(&["run", "--quiet"]);
    reading.args(example).envs(services.variables());
    let output = process::read(&mut reading)?;
    let engines =
        parse(&output).ok_or_else(|| format!("the measurement says nothing readable:\n{output}"))?;

    ui::heading("a read by key");
    show(BY_THE_CLOCK, READERS, &engines, |engine| engine.clock);
    show(BY_THE_PROCESSOR, READERS, &engines, |engine| engine.processor);
    let worst = engines.iter().flat_map(|engine| ratios(engine.clock)).fold(0.0, f64::max);
    let word = if worst <= BAR { ui::green("met") } else { ui::red("missed") };
    ui::line(format_args!("  the bar is {BAR:.2}× the time of bare sqlx: {word}, at most {worst:.2}×"));
    Ok(())
}

const BY_THE_CLOCK: &str = "µs by the clock: the best of many short rounds, turn about";
const BY_THE_PROCESSOR: &str = "µs of processor time of this side, all rounds";

/// A page of books with their tags and last loans.
fn relations(workspace: &Workspace, services: &Services) -> Result<(), String> {
    let mut loading = program(workspace.target().join("release/housekey-bench-relations"));
    let output = process::read(loading.envs(services.variables()))?;
    let (queries, engines) =
        parse_pages(&output).ok_or_else(|| format!("the measurement says nothing readable:\n{output}"))?;
    ui::heading("100 books with their tags and last loans");
    for (loader, count) in LOADERS.iter().zip(queries) {
        ui::note(format_args!("{loader}: {count} queries"));
    }
    show(BY_THE_CLOCK, LOADERS, &engines, |engine| engine.clock);
    show(BY_THE_PROCESSOR, LOADERS, &engines, |engine| engine.processor);
    for (name, micros) in [("by the clock", clock as fn(&Engine) -> Micros), ("of processor time", processor)]
    {
        let worst = engines.iter().map(|engine| micros(engine)[1] / micros(engine)[0]).fold(0.0, f64::max);
        judge(&format!("{name}: at most {BAR:.2}× of SQL by hand"), worst <= BAR, worst);
        let worst = engines.iter().map(|engine| micros(engine)[1] / micros(engine)[2]).fold(0.0, f64::max);
        judge(&format!("{name}: faster than SeaORM"), worst < 1.0, worst);
    }
    Ok(())
}

fn clock(engine: &Engine) -> Micros {
    engine.clock
}

fn processor(engine: &Engine) -> Micros {
    engine.processor
}

fn judge(bar: &str, is_met: bool, worst: f64) {
    let word = if is_met { ui::green("met") } else { ui::red("missed") };
    ui::line(format_args!("  {bar}: {word}, {worst:.2}× where it is worst"));
}

/// Reads a line per engine: its name, how many queries each of the three makes (the same on every engine), six numbers.
fn parse_pages(output: &str) -> Option<([u32; 3], Vec<Engine>)> {
    let mut counted = None;
    let mut without = String::new();
    for line in output.lines() {
        let cells: Vec<&str> = line.split('\t').collect();
        let (name, [one, two, three, times @ ..]) = cells.split_first()? else { return None };
        let queries = [one.parse().ok()?, two.parse().ok()?, three.parse().ok()?];
        if *counted.get_or_insert(queries) != queries {
            return None;
        }
        without += &format!("{name}\t{}\n", times.join("\t"));
    }
    Some((counted?, parse(&without)?))
}

/// What each of the three took for one of them, in microseconds.
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

fn show(title: &str, sides: [&str; 3], engines: &[Engine], micros: impl Fn(&Engine) -> Micros) {
    ui::note(title);
    let mut rows = vec![vec![String::new(), sides[0].to_owned()]];
    for reader in &sides[1..] {
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

/// The others against the first.
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
    fn queries_are_read_beside_the_times_and_must_be_the_same_on_every_engine() {
        let (queries, engines) = parse_pages("SQLite\t3\t3\t4\t1\t2\t3\t4\t5\t6\n").unwrap();
        assert_eq!((queries, engines[0].processor), ([3, 3, 4], [4.0, 5.0, 6.0]));
        assert_eq!(
            parse_pages("SQLite\t3\t3\t4\t1\t2\t3\t4\t5\t6\nMySQL\t3\t3\t3\t1\t2\t3\t4\t5\t6\n"),
            None
        );
        assert_eq!(parse_pages(""), None);
    }

    #[test]
    fn what_cannot_be_read_is_no_measurement() {
        for output in ["", "thread main panicked", "SQLite\t1\t2\t3\t4\t5\n", "SQLite\t1\t2\t3\t4\t5\tfast\n"]
        {
            assert_eq!(parse(output), None, "{output}");
        }
    }
}
