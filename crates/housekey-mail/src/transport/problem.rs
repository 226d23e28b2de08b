use housekey_core::Secret;
use lettre::transport::smtp::Error;

use crate::MailError;
use crate::config::Encryption;
pub(super) use crate::error::Kind as Problem;

/// The server as an error message names it.
pub(super) struct Server {
    pub(super) mailer: String,
    pub(super) address: String,
    pub(super) encryption: Encryption,
    pub(super) username: String,
    pub(super) password: Secret,
    pub(super) seconds: u64,
}

/// How far the conversation came.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    Connect,
    StartTls,
    SignIn,
    Send,
}

impl Server {
    /// What happened, where, and what to do about it.
    pub(super) fn problem(&self, step: Step, error: &Error) -> MailError {
        let detail = self.redact(error);
        if error.is_timeout() {
            return self.too_slow(step);
        }
        if error.is_tls() {
            return self.say(
                Problem::Tls,
                &format!("no secure connection came about ({detail}); {}", self.tls_advice()),
            );
        }
        let code = error.status().map(u16::from);
        match (step, code) {
            (Step::SignIn, Some(500..)) => self.say(
                Problem::Credentials,
                &format!(
                    "it refused the user name {:?} or its password ({detail}); check MAIL_USERNAME and MAIL_PASSWORD",
                    self.username
                ),
            ),
            (Step::SignIn, None) if error.is_client() => self.say(
                Problem::Credentials,
                &format!("it does not let anybody sign in the way we can ({detail}); leave MAIL_USERNAME empty if it needs none, or check the encryption: many servers offer it only over TLS"),
            ),
            (Step::StartTls, _) => {
                self.say(Problem::Tls, &format!("it does not offer STARTTLS ({detail}); {}", self.tls_advice()))
            }
            (Step::Send, Some(530 | 535 | 550..=553)) if self.username.is_empty() && code == Some(530) => self.say(
                Problem::Credentials,
                &format!("it wants a user name and a password ({detail}); set MAIL_USERNAME and MAIL_PASSWORD"),
            ),
            (_, Some(500..)) => self.say(Problem::Refused, &format!("it refused the mail ({detail})")),
            (_, Some(_)) => self.say(Problem::Busy, &format!("it cannot take the mail now ({detail})")),
            (Step::Connect, None) => self.say(
                Problem::Unreachable,
                &format!("no mail server answers there ({detail}); check MAIL_HOST and MAIL_PORT, that it runs, and that the encryption fits: {}", self.tls_advice()),
            ),
            (_, None) if error.is_client() => self.say(Problem::Refused, &format!("it cannot take this mail ({detail})")),
            (_, None) => self.say(Problem::Other, &format!("it broke the conversation off ({detail})")),
        }
    }

    pub(super) fn too_slow(&self, step: Step) -> MailError {
        let doing = match step {
            Step::Connect | Step::StartTls | Step::SignIn => "connect",
            Step::Send => "take the mail",
        };
        self.say(
            Problem::Timeout,
            &format!(
                "it took longer than {} seconds to {doing}; check MAIL_HOST, MAIL_PORT and firewalls, or allow more \
                 `timeout` in config/mail.rs",
                self.seconds
            ),
        )
    }

    pub(super) fn say(&self, kind: Problem, what: &str) -> MailError {
        MailError::new(kind, format!("mailer `{}` ({}): {what}", self.mailer, self.address))
    }

    fn tls_advice(&self) -> &'static str {
        match self.encryption {
            Encryption::StartTls => {
                "MAIL_ENCRYPTION is `starttls` (port 587); a server on port 465 wants `tls`, a relay on this machine `none`, \
                 one with a certificate of its own a `ca` in config/mail.rs"
            }
            Encryption::Tls => {
                "MAIL_ENCRYPTION is `tls` (port 465); a server on port 587 wants `starttls`, one with a certificate of its \
                 own a `ca` in config/mail.rs"
            }
            Encryption::None => "MAIL_ENCRYPTION is `none`; a server on port 465 wants `tls`",
        }
    }

    /// The library's words without the password, whatever a server echoes.
    fn redact(&self, error: &Error) -> String {
        let text = error.to_string();
        let text =
            text.trim_start_matches("Connection error: ").trim_start_matches("internal client error: ");
        let text = crate::address::one_line(text);
        match self.password.reveal() {
            "" => text,
            password => text.replace(password, "[secret]").replace(&base64(password), "[secret]"),
        }
    }
}

fn base64(text: &str) -> String {
    data_encoding::BASE64.encode(text.as_bytes())
}
