//! `cargo xtask bench`: numbers that mean something, because both sides are measured in one run on one machine.

pub(crate) mod admin;
pub(crate) mod attacks;
pub(crate) mod auth;
pub(crate) mod build;
pub(crate) mod change;
mod cores;
mod cost;
pub(crate) mod cpu;
pub(crate) mod data;
pub(crate) mod engine;
pub(crate) mod first_page;
pub(crate) mod http;
mod load;
pub(crate) mod pages;
mod people;
mod series;
pub(crate) mod timing;

use std::path::PathBuf;

use crate::workspace::Workspace;
use crate::{process, ui};

/// What to measure.
#[derive(clap::Subcommand)]
pub(crate) enum Bench {
    /// The list of users at a million of them, on PostgreSQL and SQLite
    Admin(admin::Options),
    /// What requests cost that are made to be expensive
    Attacks(attacks::Options),
    /// Requests: bare hyper, plain axum and an app of ours
    Http(http::Options),
    /// The auth engine beside Better Auth on Node: sessions, sign-ins, memory
    Engine(engine::Options),
    /// What accounts cost an app's own routes
    Auth(auth::Options),
    /// Seconds from a changed view and a changed model to the new page, under `housekey dev` of the `jsx` kit
    Change,
    /// Reads by key beside bare sqlx, and pages with relations beside hand-written SQL and SeaORM, on all three engines
    Data,
    /// From `housekey dev` in an empty target folder to a signed-in demo user in the `jsx` kit
    FirstPage,
    /// Pages of the kits beside bare hyper sending the same bytes
    Pages(pages::Options),
    /// Whether the time of an answer tells who has an account, with a slow mail server
    Timing(timing::Options),
    /// The `none` kit: crates, build time, rebuild time, binary size
    Build,
}

pub(crate) fn run(workspace: &Workspace, bench: &Bench) -> Result<(), String> {
    match bench {
        Bench::Admin(options) => admin::measure(workspace, options),
        Bench::Attacks(options) => attacks::measure(workspace, options),
        Bench::Http(options) => http::measure(workspace, options),
        Bench::Engine(options) => engine::measure(workspace, options),
        Bench::Auth(options) => auth::measure(workspace, options),
        Bench::Change => change::measure(workspace),
        Bench::Data => data::measure(workspace),
        Bench::FirstPage => first_page::measure(workspace),
        Bench::Pages(options) => pages::measure(workspace, options),
        Bench::Timing(options) => timing::measure(workspace, options),
        Bench::Build => build::measure(workspace),
    }
}

/// Bare hyper, plain axum and the fallback generator live in one binary.
fn build_peers(workspace: &Workspace) -> Result<PathBuf, String> {
    ui::heading("build the peers");
    let mut command = workspace.cargo(&["build", "--release", "--package", "housekey-bench-compare"]);
    if !process::run(&mut command)?.success {
        return Err("the peers do not build; see above".into());
    }
    Ok(workspace.target().join("release/housekey-bench-compare"))
}

/// The middle one: a single disturbed round does not move it.
fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    match values.len() {
        0 => f64::NAN,
        odd if odd % 2 == 1 => values[odd / 2],
        even => f64::midpoint(values[even / 2 - 1], values[even / 2]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_ignores_one_bad_round() {
        assert_eq!(median(vec![10.0, 900.0, 11.0]), 11.0);
        assert_eq!(median(vec![4.0, 2.0]), 3.0);
    }
}
