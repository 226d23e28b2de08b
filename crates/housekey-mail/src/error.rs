use std::fmt;

/// Why a mail did not go out.
///
/// It turns into an [`Error`](housekey_core::Error) by `?`; a queue finds it again with
/// [`downcast_ref`](housekey_core::Error::downcast_ref) and asks whether another try makes sense.
///
/// ```
/// use housekey_mail::{MailError, Message, Mailer};
///
/// # #[tokio::main(flavor = "current_thread")] async fn main() {
/// let error = Mailer::fake_only().send(Message::new().to("nobody").subject("Hi")).await.unwrap_err();
/// assert!(error.downcast_ref::<MailError>().unwrap().is_permanent());
/// # }
/// ```
pub struct MailError {
    kind: Kind,
    message: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Unreachable,
    Timeout,
    Tls,
    Credentials,
    Refused,
    Busy,
    Invalid,
    Other,
}

impl MailError {
    pub(crate) fn new(kind: Kind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into() }
    }

    pub(crate) fn invalid(message: impl Into<String>) -> Self {
        Self::new(Kind::Invalid, message)
    }

    /// A failure of a transport of one's own that may pass: another try makes sense.
    pub fn temporary(message: impl Into<String>) -> Self {
        Self::new(Kind::Busy, message)
    }

    /// A failure of a transport of one's own that will not pass: the mail itself was refused.
    pub fn permanent(message: impl Into<String>) -> Self {
        Self::new(Kind::Refused, message)
    }

    /// Whether the same mail would fail again however often it is tried: it is malformed, or was refused for good.
    pub fn is_permanent(&self) -> bool {
        matches!(self.kind, Kind::Refused | Kind::Invalid)
    }

    /// Whether the server could not be reached.
    pub fn is_unreachable(&self) -> bool {
        self.kind == Kind::Unreachable
    }

    pub fn is_timeout(&self) -> bool {
        self.kind == Kind::Timeout
    }

    /// Whether no secure connection came about.
    pub fn is_tls(&self) -> bool {
        self.kind == Kind::Tls
    }

    /// Whether the user name or the password was refused.
    pub fn is_credentials(&self) -> bool {
        self.kind == Kind::Credentials
    }
}

impl fmt::Display for MailError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl fmt::Debug for MailError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}: {}", self.kind, self.message)
    }
}

impl std::error::Error for MailError {}
