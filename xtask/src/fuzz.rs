//! `cargo xtask fuzz`: the fuzz targets of the auth engine and of the kernel, one after the other, each for a while.
//!
//! Without this, `cargo test` replays their corpus and a fixed set of changes; see `tests/support/src/fuzz/mod.rs`.

use crate::process;
use crate::workspace::Workspace;

/// What to run, and for how long.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// Seconds for each target
    #[arg(long, default_value_t = 60)]
    seconds: u32,
    /// Run only the targets whose name contains this: cookies, tokens, codes, encodings, webauthn, json, paths, forms
    #[arg(long, value_name = "NAME")]
    target: Option<String>,
}

/// The packages with a test target `fuzz`.
const PACKAGES: [&str; 2] = ["housekey-engine", "housekey-http"];

/// Fails with the first input that is not answered as it must be.
pub(crate) fn run(workspace: &Workspace, options: &Options) -> Result<(), String> {
    PACKAGES.iter().try_for_each(|package| run_package(workspace, options, package))
}

fn run_package(workspace: &Workspace, options: &Options, package: &str) -> Result<(), String> {
    let mut command = workspace.cargo(&[
        "test",
        "--release",
        "--package",
        package,
        "--all-features",
        "--test",
        "fuzz",
        "--",
        "--test-threads=1",
        "--nocapture",
    ]);
    command.args(options.target.as_deref()).env("HOUSEKEY_FUZZ_SECONDS", options.seconds.to_string());
    if process::run(&mut command)?.success {
        return Ok(());
    }
    Err(format!("an input failed: it is printed above; put it into crates/{package}/tests/fuzz/corpus"))
}
