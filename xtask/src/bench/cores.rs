use std::thread;

use crate::process::which;

/// Which cores belong to whom.
pub(crate) struct Cores {
    pub(crate) server: Option<String>,
    pub(crate) generator: Option<String>,
    pub(crate) threads: usize,
}

impl Cores {
    pub(crate) fn share() -> Self {
        let all = thread::available_parallelism().map_or(1, usize::from);
        if all < 2 || which("taskset").is_none() {
            return Self { server: None, generator: None, threads: all };
        }
        let half = all / 2;
        Self {
            server: Some(format!("0-{}", half - 1)),
            generator: Some(format!("{half}-{}", 2 * half - 1)),
            threads: half,
        }
    }

    pub(crate) fn describe(&self) -> String {
        match &self.server {
            Some(_) => format!("{} core(s) for the server, as many for the generator", self.threads),
            None => "server and generator share the cores".into(),
        }
    }
}
