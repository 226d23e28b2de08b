use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use crate::{Address, OutgoingMail};

/// What would have been sent. [`Mailer::fake`](crate::Mailer::fake) gives it; clones look at the same mails.
///
/// ```
/// use housekey_mail::{Mailer, Message};
///
/// # #[tokio::main(flavor = "current_thread")] async fn main() -> housekey_core::Result<()> {
/// let mailer = Mailer::fake_only();
/// let fake = mailer.fake();
/// fake.assert_nothing_sent();
///
/// mailer
///     .send(Message::new().to("ada@example.com").subject("Confirm").action("Confirm", "https://a.example/c?t=1"))
///     .await?;
///
/// fake.assert_count(1).assert_sent_to("ada@example.com").assert_subject("ada@example.com", "Confirm");
/// assert_eq!(fake.link_to("ada@example.com"), "https://a.example/c?t=1");
/// # Ok(()) }
/// ```
#[derive(Clone, Default)]
pub struct MailFake(Arc<Mutex<Vec<SentMail>>>);

/// A mail the fake was given.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct SentMail {
    pub mail: Arc<OutgoingMail>,
    pub mailer: String,
    /// Whether it was queued rather than sent.
    pub queued: bool,
}

impl MailFake {
    pub(crate) fn add(&self, mailer: &str, mail: OutgoingMail, queued: bool) {
        let sent = SentMail { mail: Arc::new(mail), mailer: mailer.to_owned(), queued };
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(sent);
    }

    /// Everything so far, oldest first.
    pub fn all(&self) -> Vec<SentMail> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub fn clear(&self) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }

    /// What was sent to an address, oldest first.
    pub fn sent_to(&self, address: impl Into<Address>) -> Vec<Arc<OutgoingMail>> {
        let address = address.into();
        self.all().into_iter().map(|sent| sent.mail).filter(|mail| mail.is_for(&address)).collect()
    }

    /// The last mail to an address.
    ///
    /// # Panics
    /// When there is none; the message lists what there is.
    #[track_caller]
    pub fn last_to(&self, address: impl Into<Address>) -> Arc<OutgoingMail> {
        let address = address.into();
        let Some(mail) = self.sent_to(address.clone()).pop() else {
            panic!("no mail was sent to {address}; {self}");
        };
        mail
    }

    /// Where the last mail to an address leads: what its button, or the first address in it, says.
    ///
    /// # Panics
    /// When there is no such mail, or no address in it.
    #[track_caller]
    pub fn link_to(&self, address: impl Into<Address>) -> String {
        let mail = self.last_to(address);
        let Some(link) = mail.link() else { panic!("there is no link in {:?}", mail.subject()) };
        link
    }

    /// # Panics
    /// When nothing was sent to the address.
    #[track_caller]
    pub fn assert_sent_to(&self, address: impl Into<Address>) -> &Self {
        self.last_to(address);
        self
    }

    /// # Panics
    /// When something was sent to the address.
    #[track_caller]
    pub fn assert_not_sent_to(&self, address: impl Into<Address>) -> &Self {
        let address = address.into();
        assert!(self.sent_to(address.clone()).is_empty(), "a mail was sent to {address}; {self}");
        self
    }

    /// # Panics
    /// When no mail to the address has this subject.
    #[track_caller]
    pub fn assert_subject(&self, address: impl Into<Address>, subject: &str) -> &Self {
        let address = address.into();
        let found = self.sent_to(address.clone()).iter().any(|mail| mail.subject() == subject);
        assert!(found, "no mail to {address} has the subject {subject:?}; {self}");
        self
    }

    /// # Panics
    /// When no mail satisfies the test.
    #[track_caller]
    pub fn assert_sent(&self, test: impl Fn(&OutgoingMail) -> bool) -> &Self {
        assert!(self.all().iter().any(|sent| test(&sent.mail)), "no mail is like that; {self}");
        self
    }

    /// # Panics
    /// When nothing was queued for the address.
    #[track_caller]
    pub fn assert_queued_to(&self, address: impl Into<Address>) -> &Self {
        let address = address.into();
        let found = self.all().iter().any(|sent| sent.queued && sent.mail.is_for(&address));
        assert!(found, "no mail to {address} was queued; {self}");
        self
    }

    /// # Panics
    /// When it was another number of mails.
    #[track_caller]
    pub fn assert_count(&self, count: usize) -> &Self {
        assert_eq!(self.all().len(), count, "another number of mails was sent; {self}");
        self
    }

    /// # Panics
    /// When anything was sent.
    #[track_caller]
    pub fn assert_nothing_sent(&self) -> &Self {
        self.assert_count(0)
    }
}

/// The list a failing assertion prints.
impl fmt::Display for MailFake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let all = self.all();
        if all.is_empty() {
            return f.write_str("nothing was sent");
        }
        f.write_str("these were sent:")?;
        for sent in all {
            let to: Vec<&str> = sent.mail.recipients().map(|address| address.email.as_str()).collect();
            write!(f, "\n  {:?} to {}", sent.mail.subject(), to.join(", "))?;
        }
        Ok(())
    }
}

impl fmt::Debug for MailFake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}
