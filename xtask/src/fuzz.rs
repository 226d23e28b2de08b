//! `cargo xtask fuzz`: the fuzz targets of the auth engine, one after the other, each for a while.
//!
//! Without this, `cargo test` replays their corpus and a fixed set of changes; see
//! `crates/housekey-engine/tests/fuzz/main.rs`.

use crate::process;
use crate::workspace::Workspace;

/// What to run, and for how long.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// Seconds for each target
    #[arg(long, default_value_t = 60)]
    seconds: u32,
    /// Run only the targets whose name contains this: cookies, tokens, codes, encodings, webauthn, json
    #[arg(long, value_name = "NAME")]
    target: Option<String>,
}

/// Fails with the first input that an engine does not stand.
pub(crate) fn run(workspace: &Workspace, options: &Options) -> Result<(), String> {
    let mut command = workspace.cargo(&[
        "test",
        "--release",
        "--package",
        "housekey-engine",
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
    Err("an input failed: it is printed above; put it into crates/housekey-engine/tests/fuzz/corpus".into())
}
