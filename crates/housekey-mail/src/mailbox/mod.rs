//! The mailbox of development: every mail that was sent, kept on disk and shown at `/dev/mailbox`.

mod kept;
mod page;
mod pages;
mod previews;

use std::fs;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use housekey_core::{Clock, Error, Result, replace_file};

pub use kept::KeptMail;
pub(crate) use pages::routes;
pub use previews::MailPreviews;

use crate::OutgoingMail;

/// The mails an app sent outside production, newest first. On disk, so that a worker in another process fills it too.
///
/// It holds links that sign people in: it is never there in production, and only its owner can read its files.
#[derive(Clone, Debug)]
pub struct Mailbox(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    folder: PathBuf,
    limit: usize,
    clock: Clock,
}

impl Mailbox {
    /// A mailbox in a folder, which need not exist yet, that keeps this many mails.
    pub fn new(folder: impl Into<PathBuf>, limit: usize, clock: Clock) -> Self {
        Self(Arc::new(Inner { folder: folder.into(), limit: limit.max(1), clock }))
    }

    /// Every mail, newest first. A file that cannot be read is left out.
    pub async fn all(&self) -> Result<Vec<KeptMail>> {
        self.blocking(|inner| {
            let ids = inner.ids()?;
            Ok(ids.iter().rev().filter_map(|id| inner.read(id)).collect())
        })
        .await
    }

    /// A mail by its id; `None` where it is not there or cannot be read.
    pub async fn find(&self, id: &str) -> Result<Option<KeptMail>> {
        let id = id.to_owned();
        self.blocking(move |inner| Ok(inner.read(&id))).await
    }

    pub async fn clear(&self) -> Result<()> {
        self.blocking(|inner| inner.ids()?.iter().try_for_each(|id| inner.remove(id))).await
    }

    pub(crate) async fn keep(
        &self,
        mail: &OutgoingMail,
        transport: &str,
        problem: Option<&Error>,
    ) -> Result<()> {
        let kept =
            KeptMail::new(mail, self.0.clock.unix_millis(), transport, problem.map(ToString::to_string));
        self.blocking(move |inner| {
            replace_file(&inner.path(&kept.id), &serde_json::to_vec(&kept)?, None)?;
            let ids = inner.ids()?;
            let too_many = ids.len().saturating_sub(inner.limit);
            ids[..too_many].iter().try_for_each(|id| inner.remove(id))
        })
        .await
    }

    async fn blocking<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Inner) -> io::Result<T> + Send + 'static,
    ) -> Result<T> {
        let inner = self.0.clone();
        let folder = inner.folder.clone();
        let done = tokio::task::spawn_blocking(move || work(&inner)).await?;
        done.map_err(|error| Error::from(error).context(format!("using the mailbox in {}", folder.display())))
    }
}

impl Inner {
    /// Oldest first: a name starts with the time.
    fn ids(&self) -> io::Result<Vec<String>> {
        let entries = match fs::read_dir(&self.folder) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(error),
        };
        let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
        let mut ids: Vec<String> =
            names.filter_map(|name| name.strip_suffix(".json").map(str::to_owned)).collect();
        ids.sort_unstable();
        Ok(ids)
    }

    fn read(&self, id: &str) -> Option<KeptMail> {
        // The id comes from an address: nothing but what we gave out leads to a file.
        let is_ours = !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
        if !is_ours {
            return None;
        }
        serde_json::from_slice(&fs::read(self.path(id)).ok()?).ok()
    }

    /// Another process may have been faster.
    fn remove(&self, id: &str) -> io::Result<()> {
        match fs::remove_file(self.path(id)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }

    fn path(&self, id: &str) -> PathBuf {
        self.folder.join(format!("{id}.json"))
    }
}
