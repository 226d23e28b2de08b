use std::time::SystemTime;

use housekey_core::translation::with_locale;
use housekey_core::{AppConfig, Hook, Result, random};
use lettre::message::header::{ContentType, Header, HeaderName, HeaderValue};
use lettre::message::{MultiPart, SinglePart};

use crate::address::one_line;
use crate::layout::{self, Brand, Layout, MailParts};
use crate::{Action, Address, Attachment, MailError, Message, OutgoingMail};

/// What turns a [`Message`] into the mail that goes out.
pub(crate) struct Renderer {
    pub(crate) app: AppConfig,
    pub(crate) brand: Brand,
    pub(crate) layout: Hook<Layout>,
    pub(crate) from: Address,
}

impl Renderer {
    pub(crate) async fn render(&self, message: Message, now: SystemTime) -> Result<OutgoingMail> {
        match message.locale.clone() {
            Some(language) => with_locale(&language, async { self.render_here(message, now) }).await,
            None => self.render_here(message, now),
        }
    }

    fn render_here(&self, message: Message, now: SystemTime) -> Result<OutgoingMail> {
        check(&message)?;
        let parts = MailParts::new(&message, &self.app, &self.brand);
        let text = message.text.clone().unwrap_or_else(|| layout::text(&parts));
        let html = message.html.clone().unwrap_or_else(|| match self.layout.get() {
            Some(layout) => layout(&parts),
            None => parts.document(),
        });
        let from = message.from.clone().unwrap_or_else(|| self.from.clone());
        let id = message_id(&from);
        let mail = assemble(&message, &from, &parts.subject, &id, now, &text, &html)?;
        Ok(OutgoingMail {
            id,
            from,
            subject: parts.subject,
            html,
            text,
            raw: mail.formatted(),
            envelope: mail.envelope().clone(),
            message,
        })
    }
}

fn check(message: &Message) -> Result<()> {
    if message.to.is_empty() && message.cc.is_empty() && message.bcc.is_empty() {
        return Err(MailError::invalid("the message has no recipient: say .to(address)").into());
    }
    if one_line(&message.subject).is_empty() {
        return Err(MailError::invalid("the message has no subject: say .subject(text)").into());
    }
    message.actions().try_for_each(check_action)
}

/// Only addresses of the web: `javascript:` would run in the mailbox of development and in some web mailers.
fn check_action(action: &Action) -> Result<()> {
    let url = action.url.trim();
    let is_web = ["http://", "https://"]
        .iter()
        .any(|scheme| url.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme)));
    if is_web && !url.contains(|char: char| char.is_whitespace() || char.is_control()) {
        return Ok(());
    }
    Err(MailError::invalid(format!(
        "the action {:?} needs a whole address that starts with https:// or http://",
        action.label
    ))
    .into())
}

fn message_id(from: &Address) -> String {
    let domain = from.email.rsplit_once('@').map_or("localhost", |(_, domain)| domain.trim());
    format!("{}@{}", random::short_id(), if domain.is_ascii() { domain } else { "localhost" })
}

fn assemble(
    message: &Message,
    from: &Address,
    subject: &str,
    id: &str,
    now: SystemTime,
    text: &str,
    html: &str,
) -> Result<lettre::Message> {
    let mut mail = lettre::Message::builder()
        .from(from.checked().map_err(|error| {
            error.context("the sender is wrong: check `from` in config/mail.rs (MAIL_FROM_ADDRESS)")
        })?)
        .date(now)
        .message_id(Some(format!("<{id}>")))
        .subject(subject)
        .header(AutoSubmitted);
    for address in &message.to {
        mail = mail.to(address.checked()?);
    }
    for address in &message.cc {
        mail = mail.cc(address.checked()?);
    }
    for address in &message.bcc {
        mail = mail.bcc(address.checked()?);
    }
    for address in &message.reply_to {
        mail = mail.reply_to(address.checked()?);
    }
    let body = MultiPart::alternative_plain_html(text.to_owned(), html.to_owned());
    let body = match message.attachments.as_slice() {
        [] => body,
        files => files.iter().try_fold(MultiPart::mixed().multipart(body), |body, file| {
            Ok::<_, housekey_core::Error>(body.singlepart(attachment(file)?))
        })?,
    };
    mail.multipart(body)
        .map_err(|error| MailError::invalid(format!("the mail cannot be written: {error}")).into())
}

fn attachment(file: &Attachment) -> Result<SinglePart> {
    let kind = ContentType::parse(file.content_type()).map_err(|_| {
        MailError::invalid(format!("{:?} is no content type for {:?}", file.content_type(), file.name()))
    })?;
    Ok(lettre::message::Attachment::new(file.name().to_owned()).body(file.content().to_vec(), kind))
}

/// `Auto-Submitted`: tells the other side that a machine wrote this, so no "I am on holiday" comes back (RFC 3834).
#[derive(Clone)]
struct AutoSubmitted;

impl Header for AutoSubmitted {
    fn name() -> HeaderName {
        HeaderName::new_from_ascii_str("Auto-Submitted")
    }

    fn parse(_: &str) -> Result<Self, Box<dyn std::error::Error + Send + Sync>> {
        Ok(Self)
    }

    fn display(&self) -> HeaderValue {
        HeaderValue::new(Self::name(), "auto-generated".to_owned())
    }
}
