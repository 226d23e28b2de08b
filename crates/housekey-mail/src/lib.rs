//! Mail for Housekey: written as a few calls, sent by whatever way the configuration says.
//!
//! A short tour:
//!
//! - [`Message`] is the mail being written: subject, greeting, lines, a button. Text and HTML come from the same words.
//! - [`MailConfig`] (`config/mail.rs`) names the ways mail can go and may bring a [layout](MailParts) of its own.
//! - [`Mailer`] sends and queues; [`mail()`] is the application's. [`MailError`] says why a mail did not go out.
//! - [`Transport`] is a way mail can go: `smtp`, `log`, `file`, or one of your own ([`AppMail`]).
//! - [`MailFake`] is for tests: what was sent, to whom, and where its link leads.
//! - [`Mailbox`] keeps every mail outside production; `/dev/mailbox` shows them in the browser.
//! - [`JobSink`] is where queued mail goes. This crate knows no queue.
//! - [`MailProvider`] brings all of it into an app.
//!
//! ```
//! use housekey_mail::{Message, mail};
//!
//! async fn welcome(name: &str, email: &str) -> housekey_core::Result<()> {
//!     let message = Message::new()
//!         .to((email, name))
//!         .subject("Welcome to the shop")
//!         .greeting(format!("Hello {name},"))
//!         .line("Your account is ready.")
//!         .action("Go to the shop", "https://shop.example")
//!         .line("Questions? Just answer this mail.");
//!     mail()?.send(message).await
//! }
//! ```

mod address;
mod app_transports;
mod attachment;
mod config;
mod error;
mod fake;
mod jobs;
mod layout;
mod mailbox;
mod mailer;
mod message;
mod outgoing;
mod provider;
mod redact;
mod render;
mod transport;

pub use address::Address;
pub use app_transports::AppMail;
pub use attachment::Attachment;
pub use config::{Encryption, MailConfig, SmtpConfig, TransportConfig};
pub use error::MailError;
pub use fake::{MailFake, SentMail};
pub use jobs::{DeferredJob, JobFuture, JobQueue, JobSink};
pub use layout::{Brand, Layout, MailParts, escape, layout};
pub use mailbox::{KeptMail, MailPreviews, Mailbox};
pub use mailer::{MAIL_JOB, Mailer, MailerBuilder, mail};
pub use message::{Action, Block, Level, Message};
pub use outgoing::OutgoingMail;
pub use provider::MailProvider;
pub use redact::redact_for_log;
pub use transport::{Transport, TransportFuture};
