use std::path::Path;
use std::time::Duration;

use crate::bench::cores::Cores;
use crate::bench::load::pinned;
use crate::http::{free_port, wait_for};
use crate::process::{self, Background};
use crate::workspace::{Workspace, program};

/// Where it tells its keys.
const KEYS: &str = "/bench/https/www.googleapis.com/oauth2/v3/certs";

/// An imitation of Google that both engines ask, answering from memory on the cores of the load generator.
pub(in crate::bench) struct Provider {
    _program: Background,
    /// Where requests to `https://host/path` go, with `/https/host/path` behind it.
    pub(in crate::bench) entrance: String,
}

impl Provider {
    pub(in crate::bench) fn start(
        workspace: &Workspace,
        peers: &Path,
        cores: &Cores,
        scratch: &Path,
    ) -> Result<Self, String> {
        let script = workspace.path("benches/compare/provider.mjs");
        let pages = process::read(program("node").arg(script).arg(scratch))?;
        let port = free_port()?;
        let mut command = pinned(cores.generator.as_deref(), &[&peers.display().to_string(), "pages"]);
        command.args(["--port", &port.to_string()]);
        for page in pages.lines() {
            command.args(["--page", page]);
        }
        let mut program = Background::start(&mut command, &scratch.join("provider.log"))?;
        let entrance = format!("http://127.0.0.1:{port}/bench");
        wait_for(&mut program, port, KEYS, Duration::from_secs(20), |answer| answer.status == 200)?;
        Ok(Self { _program: program, entrance })
    }
}
