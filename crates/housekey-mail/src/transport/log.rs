use super::{Transport, TransportFuture};
use crate::{Block, OutgoingMail, redact_for_log};

/// Writes to the log what was sent, without anything that could be a secret.
pub(crate) struct LogTransport;

impl Transport for LogTransport {
    fn name(&self) -> &'static str {
        "log"
    }

    fn send<'a>(&'a self, mail: &'a OutgoingMail) -> TransportFuture<'a> {
        Box::pin(async move {
            let to: Vec<&str> = mail.recipients().map(|address| address.email.as_str()).collect();
            tracing::info!(
                target: "housekey::mail",
                to = to.join(", "),
                subject = shown(mail, mail.subject()),
                "mail (nothing left the house)\n{}",
                shown(mail, mail.text())
            );
            Ok(())
        })
    }
}

/// What a message calls a code goes whatever it looks like; [`redact_for_log`] takes out the rest.
fn shown(mail: &OutgoingMail, text: &str) -> String {
    let message = mail.message();
    let codes = message.intro.iter().chain(&message.outro).filter_map(|block| match block {
        Block::Code(code) if !code.trim().is_empty() => Some(code.trim()),
        _ => None,
    });
    redact_for_log(&codes.fold(text.to_owned(), |text, code| text.replace(code, "…")))
}
