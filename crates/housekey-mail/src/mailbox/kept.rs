use std::sync::atomic::{AtomicU32, Ordering};

use housekey_core::random;
use serde::{Deserialize, Serialize};
use time::OffsetDateTime;

use crate::OutgoingMail;

/// A mail in the mailbox of development.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct KeptMail {
    /// Its name in the mailbox.
    pub id: String,
    /// When it was sent, in milliseconds since 1970.
    pub sent_at: i64,
    pub transport: String,
    /// Why it did not go, if it did not.
    pub problem: Option<String>,
    pub from: String,
    pub to: Vec<String>,
    pub cc: Vec<String>,
    /// Who got a copy without the others knowing.
    pub bcc: Vec<String>,
    pub subject: String,
    /// The words a list of mails shows.
    pub snippet: String,
    pub html: String,
    pub text: String,
    /// The headers as they travelled.
    pub headers: Vec<(String, String)>,
    /// What travelled, up to [`KeptMail::LARGEST_SOURCE`] bytes of it.
    pub source: String,
    /// Name, kind and size of the files that travelled with it.
    pub attachments: Vec<(String, String, usize)>,
}

impl KeptMail {
    /// How many bytes of the source are kept: the rest is attachments.
    pub const LARGEST_SOURCE: usize = 256 * 1024;

    pub(super) fn new(mail: &OutgoingMail, now: i64, transport: &str, problem: Option<String>) -> Self {
        let list = |addresses: &[crate::Address]| addresses.iter().map(ToString::to_string).collect();
        let raw = mail.raw();
        Self {
            id: name(now),
            sent_at: now,
            transport: transport.to_owned(),
            problem,
            from: mail.from().to_string(),
            to: list(mail.to()),
            cc: list(mail.cc()),
            bcc: list(mail.bcc()),
            subject: mail.subject().to_owned(),
            snippet: snippet(mail.text()),
            html: mail.html().to_owned(),
            text: mail.text().to_owned(),
            headers: mail.headers(),
            source: String::from_utf8_lossy(&raw[..raw.len().min(Self::LARGEST_SOURCE)]).into_owned(),
            attachments: mail
                .attachments()
                .iter()
                .map(|file| (file.name().to_owned(), file.content_type().to_owned(), file.content().len()))
                .collect(),
        }
    }

    pub fn time(&self) -> OffsetDateTime {
        let nanos = i128::from(self.sent_at) * 1_000_000;
        OffsetDateTime::from_unix_timestamp_nanos(nanos).unwrap_or(OffsetDateTime::UNIX_EPOCH)
    }
}

/// A name that sorts by time, and within one millisecond (or while a test holds the clock) by turn.
fn name(now: i64) -> String {
    static TURN: AtomicU32 = AtomicU32::new(0);
    let turn = TURN.fetch_add(1, Ordering::Relaxed) % 1_000_000;
    format!("{now:013}-{turn:06}-{}", random::short_id())
}

/// The first words after the greeting.
fn snippet(text: &str) -> String {
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let line = lines.clone().nth(1).or_else(|| lines.clone().next()).unwrap_or_default();
    line.chars().take(120).collect()
}
