use std::fmt;

use lettre::address::Envelope;

use crate::{Address, Attachment, Message};

/// A mail as it goes out: both versions, the headers, and the bytes on the wire.
#[derive(Clone)]
pub struct OutgoingMail {
    pub(crate) id: String,
    pub(crate) from: Address,
    pub(crate) subject: String,
    pub(crate) html: String,
    pub(crate) text: String,
    pub(crate) raw: Vec<u8>,
    pub(crate) envelope: Envelope,
    pub(crate) message: Message,
}

impl OutgoingMail {
    /// Its `Message-ID`, without the angle brackets.
    pub fn id(&self) -> &str {
        &self.id
    }

    pub fn from(&self) -> &Address {
        &self.from
    }

    pub fn to(&self) -> &[Address] {
        &self.message.to
    }

    pub fn cc(&self) -> &[Address] {
        &self.message.cc
    }

    /// Who gets a copy without the others knowing. No header says so.
    pub fn bcc(&self) -> &[Address] {
        &self.message.bcc
    }

    /// Everybody it is delivered to.
    pub fn recipients(&self) -> impl Iterator<Item = &Address> {
        self.message.to.iter().chain(&self.message.cc).chain(&self.message.bcc)
    }

    /// Whether it is delivered to this address.
    pub fn is_for(&self, address: &Address) -> bool {
        self.recipients().any(|recipient| recipient.is_same_mailbox(address))
    }

    pub fn subject(&self) -> &str {
        &self.subject
    }

    pub fn html(&self) -> &str {
        &self.html
    }

    pub fn text(&self) -> &str {
        &self.text
    }

    pub fn attachments(&self) -> &[Attachment] {
        &self.message.attachments
    }

    /// The bytes on the wire.
    pub fn raw(&self) -> &[u8] {
        &self.raw
    }

    /// The headers as they travel, long ones joined to one line.
    pub fn headers(&self) -> Vec<(String, String)> {
        headers(&self.raw)
    }

    /// The message it was made from.
    pub fn message(&self) -> &Message {
        &self.message
    }

    /// Where the button leads, or the first address in the text if there is no button. What a test of a sign-up or a
    /// password reset follows.
    pub fn link(&self) -> Option<String> {
        self.message.action_url().map(str::to_owned).or_else(|| self.links().into_iter().next())
    }

    /// Every `http` and `https` address in the text version.
    pub fn links(&self) -> Vec<String> {
        let words = self.text.split(|char: char| char.is_whitespace() || matches!(char, '<' | '>' | '"'));
        words
            .filter(|word| word.starts_with("https://") || word.starts_with("http://"))
            .map(|word| word.trim_end_matches(['.', ',', ';', ')']).to_owned())
            .collect()
    }

    pub(crate) fn sender(&self) -> &Envelope {
        &self.envelope
    }
}

impl fmt::Debug for OutgoingMail {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Neither body: both may hold a secret address.
        let to: Vec<String> = self.recipients().map(|address| address.email.clone()).collect();
        f.debug_struct("OutgoingMail")
            .field("to", &to)
            .field("subject", &self.subject)
            .finish_non_exhaustive()
    }
}

pub(crate) fn headers(raw: &[u8]) -> Vec<(String, String)> {
    let text = String::from_utf8_lossy(raw);
    let head = text.split_once("\r\n\r\n").map_or(&*text, |(head, _)| head);
    let mut headers: Vec<(String, String)> = Vec::new();
    for line in head.split("\r\n") {
        match (line.starts_with([' ', '\t']), headers.last_mut(), line.split_once(':')) {
            (true, Some((_, value)), _) => {
                value.push(' ');
                value.push_str(line.trim());
            }
            (false, _, Some((name, value))) => headers.push((name.to_owned(), value.trim().to_owned())),
            _ => {}
        }
    }
    headers
}
