//! The ways a mail can go.

mod connections;
mod file;
mod log;
mod problem;
mod smtp;

use std::future::Future;
use std::pin::Pin;

use housekey_core::Result;

pub(crate) use file::FileTransport;
pub(crate) use log::LogTransport;
pub(crate) use smtp::SmtpTransport;

use crate::OutgoingMail;

/// A way mail can go. `smtp`, `log`, `file` and the fake are ours; [`AppMail::mail_transport`](crate::AppMail::mail_transport)
/// adds another, such as the web API of a mail provider.
///
/// ```
/// use housekey_mail::{OutgoingMail, Transport, TransportFuture};
///
/// struct Postbox;
///
/// impl Transport for Postbox {
///     fn name(&self) -> &'static str {
///         "postbox"
///     }
///
///     fn send<'a>(&'a self, mail: &'a OutgoingMail) -> TransportFuture<'a> {
///         Box::pin(async move {
///             let _request_body = mail.raw();
///             Ok(())
///         })
///     }
/// }
/// ```
pub trait Transport: Send + Sync + 'static {
    /// What it is called in logs and in the mailbox.
    fn name(&self) -> &'static str;

    /// Hands the mail on. Failing with a [`MailError`](crate::MailError) tells a queue whether to try again.
    fn send<'a>(&'a self, mail: &'a OutgoingMail) -> TransportFuture<'a>;
}

pub type TransportFuture<'a> = Pin<Box<dyn Future<Output = Result<()>> + Send + 'a>>;
