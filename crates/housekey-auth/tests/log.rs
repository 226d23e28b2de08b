//! The log of this process, line by line.

use std::io::{self, Write};
use std::sync::{Arc, Mutex, OnceLock};

use serde_json::Value;
use tracing_subscriber::fmt::MakeWriter;

/// Everything that any part of the process says.
#[derive(Clone, Default)]
pub(crate) struct Log(Arc<Mutex<Vec<u8>>>);

impl Log {
    pub(crate) fn of_process() -> &'static Self {
        static LOG: OnceLock<Log> = OnceLock::new();
        LOG.get_or_init(|| {
            let log = Self::default();
            let lines = tracing_subscriber::fmt().json().with_max_level(tracing::Level::TRACE);
            lines.with_writer(log.clone()).init();
            log
        })
    }

    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.0.lock().unwrap()).into_owned()
    }

    /// The fields of the lines about accounts, those of one user.
    pub(crate) fn security(&self, user: &str) -> Vec<Value> {
        let lines = self.text();
        let lines = lines.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
        let lines = lines.filter(|line| line["target"] == "housekey::security");
        lines.map(|line| line["fields"].clone()).filter(|fields| fields["user"] == user).collect()
    }
}

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl<'a> MakeWriter<'a> for Log {
    type Writer = Self;

    fn make_writer(&'a self) -> Self {
        self.clone()
    }
}
