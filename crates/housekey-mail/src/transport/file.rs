use std::path::PathBuf;

use housekey_core::{Clock, Error, Result, random, replace_file};

use super::{Transport, TransportFuture};
use crate::OutgoingMail;

/// Writes every mail into a folder, as a file that mail programs open.
pub(crate) struct FileTransport {
    pub(crate) folder: PathBuf,
    pub(crate) clock: Clock,
}

impl Transport for FileTransport {
    fn name(&self) -> &'static str {
        "file"
    }

    fn send<'a>(&'a self, mail: &'a OutgoingMail) -> TransportFuture<'a> {
        let path = self.folder.join(format!("{:013}-{}.eml", self.clock.unix_millis(), random::short_id()));
        let raw = mail.raw().to_vec();
        Box::pin(async move { write(path, raw).await })
    }
}

async fn write(path: PathBuf, raw: Vec<u8>) -> Result<()> {
    let written = tokio::task::spawn_blocking({
        let path = path.clone();
        move || replace_file(&path, &raw, None)
    });
    written.await?.map_err(|error| {
        Error::from(error).context(format!(
            "the mail could not be written to {}; make the folder writable, or choose another in config/mail.rs",
            path.display()
        ))
    })
}
